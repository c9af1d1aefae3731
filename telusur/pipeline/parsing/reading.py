"""From a fetched page to a parsed one: drawn in a browser first, where that is wanted."""

from collections.abc import Awaitable, Callable

from telusur.extract.rendered import FetchPart, Rendered
from telusur.models import Page
from telusur.run.parsing import HTML_TYPES, Parsed, ParseJob
from telusur.run.sitemap_parsing import SITEMAP_TYPES

Parse = Callable[[ParseJob], Awaitable[Parsed]]
Render = Callable[[Page, FetchPart], Awaitable[Rendered]]
RENDERED = "rendered in a browser"
NOT_RENDERED = "not rendered"


class PageReader:
    """Has pages parsed: as they came, as a browser shows them, or as needed."""

    def __init__(self, parse: Parse, render: Render | None = None, mode: str = "auto") -> None:
        self._parse = parse
        self._render = render
        self._mode = mode if render is not None else "never"

    async def read(
        self, page: Page, depth: int, fetch: FetchPart, *, wants_sample: bool = True
    ) -> Parsed:
        """Return what a page says; one that cannot be rendered counts as it came.

        The parser tells of a link once. So an empty shell is recognised without looking at its
        links, and parsed to the end only as what is then written.
        """
        job = ParseJob.of(page, depth, wants_sample=wants_sample)
        if page.content_type in SITEMAP_TYPES:  # a start URL: nothing else of these is fetched
            return await self._parse(job._replace(sitemap=1))
        if self._mode == "never" or page.content_type not in (*HTML_TYPES, ""):
            return await self._parse(job)
        if self._mode == "auto":
            parsed = await self._parse(job._replace(stops_at_shell=True))
            if not parsed.is_shell:
                return parsed
        return await self._read_rendered(page, job, fetch)

    async def read_sitemap(self, page: Page, level: int) -> Parsed:
        """Return what a sitemap names; `level` is how many sitemaps led to it, itself included."""
        return await self._parse(ParseJob.of(page, 0)._replace(sitemap=level))

    async def _read_rendered(self, page: Page, job: ParseJob, fetch: FetchPart) -> Parsed:
        assert self._render is not None
        rendered = await self._render(page, fetch)
        job = job._replace(rendered=rendered.html, moved_to=rendered.moved_to)
        parsed = await self._parse(job)
        parsed.part_bytes = rendered.bytes
        if rendered.html:
            parsed.rendering, parsed.rendered = RENDERED, rendered.html.encode("utf-8", "replace")
        else:
            parsed.rendering = f"{NOT_RENDERED}: {rendered.reason}"
        return parsed
