"""Which sitemaps a crawl reads: those named in robots.txt, or the default place."""

from collections.abc import Sequence
from typing import NamedTuple

from telusur.crawl.rules.discovery import Discovery, FoundLink
from telusur.crawl.rules.robots import Robots
from telusur.crawl.rules.sitemap_listing import MOST_FILES
from telusur.crawl.urls.identity import host_of
from telusur.settings import CrawlSettings

USUAL_PLACE = "/sitemap.xml"


class NamedSitemap(NamedTuple):
    """A sitemap to be read, and how it became known."""

    found: FoundLink
    named_by: str


class SitemapRules:
    """Decides which sitemaps of a host are read, by the settings of a crawl."""

    def __init__(
        self, settings: CrawlSettings, discovery: Discovery, start_urls: Sequence[str]
    ) -> None:
        # A sitemap does not say how deep a page is, so it cannot be used with a depth limit.
        is_limited = settings.depth is not None and settings.sitemaps == "auto"
        self.is_on = settings.sitemaps != "never" and not is_limited and settings.depth != 0
        self._looks_further = settings.sitemaps == "always"
        self.start_hosts = {host_of(url) for url in start_urls}
        self._discovery = discovery

    def of_host(self, host: str, robots: Robots) -> list[NamedSitemap]:
        """Return the sitemaps of a host that has these rules."""
        if not self.is_on:
            return []
        base = f"{host}/robots.txt"
        named = self._found(robots.sitemaps, base, "robots.txt")
        if named or not self._looks_further or host not in self.start_hosts:
            return named
        return self._found([USUAL_PLACE], base, "its usual place")

    def _found(self, urls: Sequence[str], base: str, named_by: str) -> list[NamedSitemap]:
        found = (self._discovery.found_sitemap(url, base) for url in urls[:MOST_FILES])
        return [NamedSitemap(one, named_by) for one in found if one is not None]
