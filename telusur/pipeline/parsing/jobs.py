"""What a parser is asked to do: one fetched page, and what to look for."""

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from telusur.models import Page
from telusur.pipeline.parsing.sheet_shelf import SheetFile

NO_SHEETS: Mapping[str, SheetFile | None] = {}
# What the archive keeps of a response that no parser reads.
_KEPT = ("status", "fetched_at", "address", "status_line", "request_headers")
_kept_of = attrgetter(*_KEPT)


class ParseJob(NamedTuple):
    """The parts of a fetched page that a parser needs, and its depth."""

    url: str
    depth: int
    headers: Sequence[tuple[str, str]]
    body: bytes
    truncated: bool = False
    # Whether to make the sample by which traps are recognised.
    wants_sample: bool = True
    # Whether to stop at a page that is empty without JavaScript.
    stops_at_shell: bool = False
    # The rendered page; it is parsed instead of the body.
    rendered: str = ""
    # The target of a redirect by script.
    moved_to: str = ""
    # For a sitemap: the length of the chain of sitemaps, itself included.
    sitemap: int = 0
    # Style sheets that a parser asked for, by URL; None for one that cannot be had.
    sheets: Mapping[str, SheetFile | None] = NO_SHEETS
    # What else the archive keeps of the response.
    kept: tuple[Any, ...] = ()

    @classmethod
    def of(
        cls, page: Page, depth: int, *, wants_sample: bool = True, stops_at_shell: bool = False
    ) -> "ParseJob":
        """Make a job from a page."""
        return cls(
            page.url, depth, page.headers, page.body, page.truncated, wants_sample, stops_at_shell,
            kept=_kept_of(page),
        )  # fmt: skip

    def without_body(self) -> "ParseJob":
        """Return the job without the bytes of the page."""
        # A third of the time of `_replace`, for every page.
        return ParseJob._make((*self[:3], b"", *self[4:]))

    @property
    def page(self) -> Page:
        """Return the page as it was fetched."""
        kept = dict(zip(_KEPT, self.kept, strict=True))
        headers = tuple(self.headers)
        return Page(self.url, headers=headers, body=self.body, truncated=self.truncated, **kept)

    def header(self, name: str) -> str:
        """Return the first value of a header, its name in lower case; empty if there is none."""
        for key, value in self.headers:
            if key.lower() == name:
                return value
        return ""
