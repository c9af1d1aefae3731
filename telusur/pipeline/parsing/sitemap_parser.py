"""Parses sitemaps; their URLs are judged like the links of a page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from telusur.crawl.rules.discovery import Discovery, FoundLink
from telusur.crawl.rules.sitemap_listing import (
    AT_ONCE,
    DEPTH,
    MOST_FILES,
    MOST_LEVELS,
    Listed,
    Listing,
    lead_of,
)
from telusur.crawl.urls.identity import site_of
from telusur.errors import UsageError
from telusur.extract.page.content_coding import ContentCodingError
from telusur.extract.sitemap import MOST_URLS, Sitemap, SitemapEntry, read_sitemap
from telusur.models import Document, Reason
from telusur.pipeline.parsing.hooks import CrawledPage, load_hooks
from telusur.pipeline.parsing.hooks_file import HooksFile
from telusur.pipeline.parsing.strategy_looks import Eyes

# Media types of a start URL that is read as a sitemap.
SITEMAP_TYPES = (
    "application/xml",
    "text/xml",
    "application/gzip",
    "application/x-gzip",
    "application/rss+xml",
    "application/atom+xml",
)
NOT_A_SITEMAP = f"{Reason.CONTENT_TYPE}: not a sitemap"


class ReadSitemap(NamedTuple):
    """The URLs of a sitemap, or the reason there are none."""

    listing: Listing | None = None
    skip_reason: str = ""
    # The error of the user's hooks.
    trouble: str = ""
    is_cut: bool = False


@dataclass(slots=True, frozen=True)
class SitemapParser:
    """Reads sitemaps under one crawl's settings."""

    discovery: Discovery
    hooks: HooksFile | None = None
    eyes: Eyes = field(default_factory=Eyes)

    def parse(self, url: str, level: int, body: bytes, kind: str, coding: str) -> ReadSitemap:
        """Parse a file of this content type and coding; return the reason if it is no sitemap."""
        try:
            sitemap = read_sitemap(body, content_type=kind, content_encoding=coding)
        except ContentCodingError as error:
            return ReadSitemap(skip_reason=f"{Reason.BAD_RESPONSE}: {error}")
        if sitemap is None:
            return ReadSitemap(skip_reason=NOT_A_SITEMAP)
        if sitemap.kind == "index":
            return ReadSitemap(self._parts(url, level, sitemap), is_cut=sitemap.truncated)
        listing, trouble = self._pages(url, sitemap)
        return ReadSitemap(listing, trouble=trouble, is_cut=sitemap.truncated)

    def _parts(self, own_url: str, level: int, index: Sitemap) -> Listing:
        """Return the sitemaps of an index on its own site, newest first."""
        newest = sorted(index.entries, key=lambda entry: -(entry.lastmod or 0.0))
        found = [self.discovery.found_sitemap(entry.url, own_url) for entry in newest]
        site = site_of(own_url)
        parts = {one.url_id: one for one in found if one is not None and one.site == site}
        listing = Listing(len(index.entries), note=f"an index of {len(index.entries):,}")
        if level >= MOST_LEVELS:
            listing.note += f", more than {MOST_LEVELS} sitemaps deep"
        else:
            listing.parts = list(parts.values())[:MOST_FILES]
        return listing

    def _pages(self, own_url: str, sitemap: Sitemap) -> tuple[Listing, str]:
        """Return the pages of a sitemap, packed in thousands to save memory.

        URLs out of scope are only counted.
        """
        listing = Listing(len(sitemap.entries))
        elsewhere, trouble = 0, ""
        entries = sorted(sitemap.entries, key=_order)
        for at in range(0, len(entries), AT_ONCE):
            judged = [self._judge(own_url, entry) for entry in entries[at : at + AT_ONCE]]
            known = [one for one in judged if one is not None]
            near = [one for one in known if not one.found.skip_reason.startswith(Reason.SCOPE)]
            elsewhere += len(known) - len(near)
            links, complaint = self._ask(own_url, [one.found for one in near])
            trouble = trouble or complaint
            listing.pack([one._replace(found=link) for one, link in zip(near, links, strict=True)])
        listing.note = _note(sitemap, elsewhere)
        return listing, trouble

    def _judge(self, own_url: str, entry: SitemapEntry) -> Listed | None:
        found = self.discovery.found_by_address(entry.url, DEPTH, own_url)
        if found is None:
            return None
        return Listed(found, entry.lastmod, entry.changefreq, entry.priority)

    def _ask(self, own_url: str, links: list[FoundLink]) -> tuple[Sequence[FoundLink], str]:
        """Ask hooks and strategy about the URLs, as about links without text."""
        document = Document(url=own_url)
        trouble = ""
        if self.hooks is not None:
            page = CrawledPage(document, DEPTH - 1, str)
            links, trouble = load_hooks(self.hooks).judge(links, page)
        try:
            return self.eyes.judge(document, links), trouble
        except UsageError as error:
            # An error of the user's strategy is reported with the sitemap.
            return links, trouble or f"{Reason.STRATEGY}: {error}"


def _order(entry: SitemapEntry) -> tuple[float, float]:
    """Sort by priority, then by the last change."""
    return -lead_of(entry.priority), -(entry.lastmod or 0.0)


def _note(sitemap: Sitemap, elsewhere: int) -> str:
    note = f"{len(sitemap.entries):,} URLs"
    if len(sitemap.entries) == MOST_URLS and sitemap.truncated:
        note = f"the first {note}"
    return f"{note}, {elsewhere:,} of them out of scope" if elsewhere else note
