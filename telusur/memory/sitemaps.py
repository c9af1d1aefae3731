"""Sitemaps in memory: which URLs are sitemaps, and what they say about others."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from telusur.crawl.frontier_records import Added, NewUrl
from telusur.crawl.rules.sitemap_listing import MOST_FILES, Listed
from telusur.memory.intake import Intake
from telusur.memory.state import KnownSitemap, Tables, Workspace
from telusur.models import Reason, State


class MemorySitemaps:
    """Implements `telusur.store.catalogue.Sitemaps`."""

    def __init__(self, space: Workspace, frontier: Intake) -> None:
        self._space = space
        self._frontier = frontier

    def add(self, urls: Sequence[NewUrl], level: int) -> Added | None:
        """Queue sitemaps that are not yet known as sitemaps, up to the limit of their site."""
        tables = self._space.write()
        chosen = list(_with_room(tables, urls))
        if not chosen:
            return None
        added = self._frontier.add_again(chosen, _was_no_page)
        for new in chosen:
            tables.sitemaps[new.url_id] = KnownSitemap(new.site, level)
        return added

    def named(self, url_ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the URLs that are known as sitemaps."""
        return self._space.write().sitemaps.keys() & set(url_ids)

    def put_listed(self, sitemap: bytes, listed: Sequence[Listed]) -> None:
        """Store what a sitemap says about known URLs."""
        tables = self._space.write()
        for one in listed:
            if one.found.url_id in tables.urls:
                tables.listed[one.found.url_id] = (sitemap, one)

    def end(self, sitemap: bytes, level: int, named: int) -> None:
        """Store how many URLs a sitemap names, even if it was not known as a sitemap."""
        tables = self._space.write()
        site = tables.hosts[tables.urls[sitemap].host].site
        known = tables.sitemaps.get(sitemap, KnownSitemap(site, level))
        tables.sitemaps[sitemap] = replace(known, named=named)


def _with_room(tables: Tables, urls: Sequence[NewUrl]) -> Iterator[NewUrl]:
    """Yield the new sitemaps that their sites have room for, each once."""
    used = Counter(sitemap.site for sitemap in tables.sitemaps.values())
    once = {new.url_id: new for new in urls if new.url_id not in tables.sitemaps}
    for new in once.values():
        used[new.site] += 1
        if used[new.site] <= MOST_FILES:
            yield new


def _was_no_page(state: State, reason: str) -> bool:
    return state is State.SKIPPED and reason.startswith(Reason.CONTENT_TYPE)
