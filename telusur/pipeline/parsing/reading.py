"""Has fetched pages parsed, and rendered first where wanted."""

from collections.abc import Awaitable, Callable, Mapping, Sequence

from telusur.extract.media_types import HTML_TYPES
from telusur.extract.rendered import FetchPart, Rendered
from telusur.models import Page
from telusur.pipeline.parsing.jobs import NO_SHEETS, ParseJob
from telusur.pipeline.parsing.page_parser import Parsed
from telusur.pipeline.parsing.sheet_shelf import SheetFile
from telusur.pipeline.parsing.sitemap_parser import SITEMAP_TYPES

Parse = Callable[[ParseJob], Awaitable[Parsed]]
Render = Callable[[Page, FetchPart], Awaitable[Rendered]]
#: Returns the style sheets that a page names, by URL; None if the crawl stops.
FetchSheets = Callable[[str, Sequence[str]], Awaitable[Mapping[str, SheetFile | None] | None]]
RENDERED = "rendered in a browser"
_MAY_BE_HTML = (*HTML_TYPES, "")
NOT_RENDERED = "not rendered"
# A page is read again with the sheets that it names, and with those that they import.
MOST_READINGS = 4


class PageReader:
    """Has pages parsed: as fetched, rendered, or as needed."""

    def __init__(self, parse: Parse, render: Render | None = None, mode: str = "auto") -> None:
        self._parse = parse
        self._render = render
        self._mode = mode if render is not None else "never"

    async def read(
        self,
        page: Page,
        depth: int,
        fetch: FetchPart,
        *,
        wants_sample: bool = True,
        before_rendering: Callable[[], None] = lambda: None,
        fetch_sheets: FetchSheets | None = None,
    ) -> Parsed:
        """Return the parsed page; one that cannot be rendered is parsed as fetched.

        `before_rendering` is called before a page is rendered, which may take seconds.

        The parser passes on each link once. So it recognises an empty page without judging its
        links, and parses fully only the version that is recorded.
        """
        kind = page.content_type
        if not depth and kind in SITEMAP_TYPES:
            return await self.read_sitemap(page, 1)
        may_render = self._mode != "never" and kind in _MAY_BE_HTML
        job = ParseJob.of(
            page, depth, wants_sample=wants_sample,
            stops_at_shell=may_render and self._mode == "auto",
        )  # fmt: skip
        if not may_render or job.stops_at_shell:
            parsed = await self._parse_styled(job, fetch_sheets)
            if not parsed.is_shell:
                return parsed
            job = job._replace(stops_at_shell=False)
        before_rendering()
        return await self._read_rendered(page, job, fetch, fetch_sheets)

    async def read_sitemap(self, page: Page, level: int) -> Parsed:
        """Return the URLs of a sitemap; `level` is the length of the chain of sitemaps."""
        return await self._parse(ParseJob.of(page, 0)._replace(sitemap=level))

    async def _parse_styled(self, job: ParseJob, fetch_sheets: FetchSheets | None) -> Parsed:
        """Return the parsed page; style sheets that the parser asks for are fetched first."""
        parsed = await self._parse(job)
        for _ in range(MOST_READINGS):
            if not parsed.missing_sheets:
                break
            found = NO_SHEETS
            if fetch_sheets is not None:
                sheets = await fetch_sheets(job.url, parsed.missing_sheets)
                if sheets is None:
                    return Parsed(is_interrupted=True)
                found = sheets
            missing = dict.fromkeys(parsed.missing_sheets)
            job = job._replace(sheets={**missing, **job.sheets, **found})
            parsed = await self._parse(job)
        return parsed

    async def _read_rendered(
        self, page: Page, job: ParseJob, fetch: FetchPart, fetch_sheets: FetchSheets | None
    ) -> Parsed:
        assert self._render is not None
        rendered = await self._render(page, fetch)
        job = job._replace(rendered=rendered.html, moved_to=rendered.moved_to)
        parsed = await self._parse_styled(job, fetch_sheets)
        parsed.part_bytes = rendered.bytes
        parsed.operations["render"] = rendered.seconds
        if rendered.html:
            parsed.rendering, parsed.rendered = RENDERED, rendered.html.encode("utf-8", "replace")
        else:
            parsed.rendering = f"{NOT_RENDERED}: {rendered.reason}"
        return parsed
