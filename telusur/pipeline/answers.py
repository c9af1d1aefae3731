"""What an answer means for its URL: a page or sitemap that is read, a redirect, or an end."""

from collections.abc import Callable
from dataclasses import replace

from telusur.crawl.discovery import Discovery
from telusur.crawl.frontier import LeasedUrl
from telusur.crawl.traps import Yields
from telusur.crawl.urls import parse_url
from telusur.crawl.verdicts import REDIRECTS, has_content
from telusur.extract.rendered import FetchPart
from telusur.models import Page, Reason, State
from telusur.run.outcomes import Outcome
from telusur.run.parsing import WANTED_TYPES, Parsed
from telusur.run.reading import PageReader
from telusur.run.sitemap_parsing import SITEMAP_TYPES
from telusur.settings import CrawlSettings


class Answers:
    """Has answers read, and tells how their URLs ended."""

    def __init__(
        self,
        settings: CrawlSettings,
        reader: PageReader,
        discovery: Discovery,
        yields: Yields,
        fetch_part: FetchPart,
    ) -> None:
        self._wanted = settings.content_type or WANTED_TYPES
        self._reads_sitemaps = settings.sitemaps != "never"
        self._watches_traps = settings.traps
        self._reader = reader
        self._discovery = discovery
        self._yields = yields
        self._fetch_part = fetch_part

    def wanted_of(self, leased: LeasedUrl) -> Callable[[int, str], bool] | None:
        """Return what tells whether an answer is read; a sitemap may be of any type."""
        if leased.sitemap:
            return None
        wanted = self._wanted
        if not leased.depth and self._reads_sitemaps:
            wanted += SITEMAP_TYPES
        return lambda status, content_type: status != 200 or content_type in wanted

    async def read(self, outcome: Outcome, page: Page) -> Outcome:
        """Return how a URL ended whose answer says so, having had it parsed."""
        leased = outcome.leased
        if page.status in REDIRECTS and outcome.verdict.state is State.DONE:
            return self._redirected(outcome, page)
        if not has_content(page):
            return outcome
        if leased.sitemap:
            return _parsed(outcome, await self._reader.read_sitemap(page, leased.sitemap))
        wants_sample = self._watches_traps and self._yields.wants_sample(page.url)
        parsed = await self._reader.read(
            page, leased.depth, self._fetch_part, wants_sample=wants_sample
        )
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
        if target.url_id == leased.url_id:  # the server insists on another spelling
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
    return replace(outcome, verdict=verdict, parsed=parsed)
