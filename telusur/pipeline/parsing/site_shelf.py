"""The records of sites as a parser process has them: what the owner of the crawl told it."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from telusur.crawl.urls.identity import site_of
from telusur.extract.site.record import SiteRecord

# Of so many sites a parser remembers the record that it was told last.
MOST_SITES = 256
# A site's name, and its packed record.
News = tuple[str, bytes]
_Value = TypeVar("_Value")


class SiteShelf:
    """The records that a parser reads pages with; empty ones for sites it was told nothing about.

    The oldest news make room for new ones.
    """

    def __init__(self) -> None:
        self._records: dict[str, SiteRecord] = {}

    def take(self, news: Iterable[News]) -> None:
        """Take the news about some sites."""
        for site, packed in news:
            _put_last(self._records, site, SiteRecord.from_bytes(packed))

    def has(self, site: str) -> bool:
        """Tell whether there were news about a site."""
        return site in self._records

    def record_of(self, url: str) -> SiteRecord:
        """Return what is known about the site of a page."""
        return self._records.get(site_of(url)) or SiteRecord()


class ToldSites:
    """What one parser process was told; the same sites are on its shelf."""

    def __init__(self) -> None:
        self._versions: dict[str, int] = {}

    def news_for(
        self, urls: Iterable[str], latest: Callable[[str], tuple[int, bytes] | None]
    ) -> list[News]:
        """Return what the process must be told before it reads these pages.

        `latest` returns version and packed record of a site.
        """
        news: list[News] = []
        for site in dict.fromkeys(map(site_of, urls)):
            known = latest(site)
            if known is not None and self._versions.get(site) != known[0]:
                _put_last(self._versions, site, known[0])
                news.append((site, known[1]))
        return news


def _put_last(table: dict[str, _Value], site: str, value: _Value) -> None:
    """Put a value at the end of a table, and drop the first if there are too many."""
    table.pop(site, None)
    table[site] = value
    if len(table) > MOST_SITES:
        del table[next(iter(table))]
