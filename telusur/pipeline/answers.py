"""What a response means for its URL: page, sitemap, redirect, or failure."""

from collections.abc import Callable
from dataclasses import replace

from telusur.crawl.frontier_records import LeasedUrl
from telusur.crawl.rules.content_types import ContentTypes
from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.traps import Yields
from telusur.crawl.rules.verdicts import REDIRECTS, has_content
from telusur.crawl.urls.identity import parse_url
from telusur.extract.media_types import is_file
from telusur.extract.rendered import FetchPart
from telusur.models import Page, Reason, State
from telusur.pipeline.outcomes import Outcome
from telusur.pipeline.parsing.page_parser import Parsed
from telusur.pipeline.parsing.reading import FetchSheets, PageReader
from telusur.pipeline.parsing.sitemap_parser import SITEMAP_TYPES
from telusur.settings import CrawlSettings


class Answers:
    """Has responses parsed, and returns the outcomes of their URLs."""

    def __init__(
        self,
        settings: CrawlSettings,
        reader: PageReader,
        discovery: Discovery,
        yields: Yields,
        fetch_part: FetchPart,
        *,
        fetch_sheets: FetchSheets | None = None,
    ) -> None:
        self._types = ContentTypes(settings.content_type)
        self._reads_sitemaps = settings.sitemaps != "never"
        self._watches_traps = settings.traps
        self._reader = reader
        self._discovery = discovery
        self._yields = yields
        self._fetch_part = fetch_part
        self._fetch_sheets = fetch_sheets

    def wanted_of(self, leased: LeasedUrl) -> Callable[[int, str], bool] | None:
        """Return a test for responses to download; None for sitemaps, which may have any type."""
        if leased.sitemap:
            return None
        keeps, others = self._types.keeps, self._sitemap_types(leased)
        return lambda status, kind: status != 200 or keeps(kind) or kind in others

    def _sitemap_types(self, leased: LeasedUrl) -> tuple[str, ...]:
        """Return the media types of sitemaps if the URL may be one: only start URLs."""
        return SITEMAP_TYPES if not leased.depth and self._reads_sitemaps else ()

    async def read(
        self, outcome: Outcome, page: Page, before_rendering: Callable[[], None]
    ) -> Outcome:
        """Have a response parsed; return the outcome of its URL."""
        leased = outcome.leased
        if page.status in REDIRECTS and outcome.verdict.state is State.DONE:
            return self._redirected(outcome, page)
        if not has_content(page):
            return outcome
        if leased.sitemap:
            return _parsed(outcome, await self._reader.read_sitemap(page, leased.sitemap))
        if is_file(page.content_type) and page.content_type not in self._sitemap_types(leased):
            # Files are archived and not parsed.
            return outcome
        wants_sample = self._watches_traps and self._yields.wants_sample(page.url)
        parsed = await self._reader.read(
            page, leased.depth, self._fetch_part,
            wants_sample=wants_sample, before_rendering=before_rendering,
            fetch_sheets=self._fetch_sheets,
        )  # fmt: skip
        return _parsed(outcome, parsed)

    def _redirected(self, outcome: Outcome, page: Page) -> Outcome:
        leased = outcome.leased
        address = parse_url(page.header("location"), leased.url)
        discovery = self._discovery
        if leased.sitemap:
            target = discovery.found_sitemap(address or "", leased.url)
        else:
            target = discovery.found_by_address(address or "", leased.depth)
        if target is None or address == leased.url:
            reason = f"{Reason.BAD_RESPONSE}: redirect to {page.header('location')[:200]}"
            verdict = replace(outcome.verdict, state=State.FAILED, reason=reason)
            return replace(outcome, verdict=verdict)
        # A redirect to another spelling of the same URL: fetch that one.
        if target.url_id == leased.url_id:
            verdict = replace(outcome.verdict, state=State.WAITING, moved_to=target.link.url)
            return replace(outcome, verdict=verdict)
        return replace(outcome, redirect=target)


def _parsed(outcome: Outcome, parsed: Parsed) -> Outcome:
    verdict = outcome.verdict
    if parsed.skip_reason:
        is_type = parsed.skip_reason.startswith(Reason.CONTENT_TYPE)
        state = State.SKIPPED if is_type else State.FAILED
        verdict = replace(verdict, state=state, reason=parsed.skip_reason)
    elif parsed.listing is not None:
        verdict = replace(verdict, reason=f"{Reason.SITEMAP}: {parsed.listing.note}")
    outcome.verdict, outcome.parsed = verdict, parsed
    return outcome
