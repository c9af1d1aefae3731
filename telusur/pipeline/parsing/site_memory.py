"""What the owner of a crawl knows about the sites being crawled, and keeps in the collection.

The recorder's thread learns and stores; the event loop only takes packed records.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from telusur.extract.site.evidence import PageEvidence
from telusur.extract.site.judging import LEAST_PAGES
from telusur.extract.site.record import SiteRecord
from telusur.store.catalogue import Catalogue

# Sites in memory, each some ten to two hundred kilobytes; the others are in the collection.
MOST_SITES = 256
# Parsers get a new version of a record when it has this many times the pages of the last one.
_GROWTH = 1.5


@dataclass(slots=True)
class _Known:
    record: SiteRecord
    is_changed: bool = False
    # Version and packed record for the parsers; None while too few pages were seen.
    latest: tuple[int, bytes] | None = None
    # How many pages it was learned from.
    told: int = 0


class SiteMemory:
    """The records of sites: the ones in use in memory, all of them in the collection.

    `starts_over` learns every site anew, whatever the collection knows.
    """

    def __init__(self, catalogue: Catalogue, *, starts_over: bool = False) -> None:
        self._catalogue = catalogue
        self._known: dict[str, _Known] = {}
        self._version = 0
        self._begun: set[str] | None = set() if starts_over else None

    def latest(self, site: str) -> tuple[int, bytes] | None:
        """Return version and packed record of a site in memory; any thread may ask."""
        known = self._known.get(site)
        return None if known is None else known.latest

    def prepare(self, sites: Iterable[str]) -> None:
        """Get the records of sites into memory; the caller has a transaction."""
        for site in sites:
            self._get(site)

    def wants(self, site: str, address: int) -> bool:
        """Tell whether a page would teach anything about its site."""
        return self._get(site).record.wants(address)

    def learn(self, site: str, page: PageEvidence) -> None:
        """Add what a page tells about its site; the caller has a transaction."""
        known = self._get(site)
        if not known.record.wants(page.address):
            return
        known.record.learn([page])
        known.is_changed = True
        pages = known.record.pages
        # After it has forgotten half of its pages, a record counts fewer than it told.
        if pages >= LEAST_PAGES and not known.told <= pages < _GROWTH * known.told:
            self._tell(known)

    def save(self) -> None:
        """Store what was learned since the last time; the caller has a transaction."""
        for site, known in self._known.items():
            self._save(site, known)

    def _get(self, site: str) -> _Known:
        known = self._known.pop(site, None)
        if known is None:
            known = self._load(site)
            if len(self._known) >= MOST_SITES:
                oldest = next(iter(self._known))
                self._save(oldest, self._known.pop(oldest))
        self._known[site] = known
        return known

    def _load(self, site: str) -> _Known:
        packed = None
        if self._begun is None or site in self._begun:
            packed = self._catalogue.site_record(site)
        elif self._begun is not None:
            self._begun.add(site)
        known = _Known(SiteRecord() if packed is None else SiteRecord.from_bytes(packed))
        if known.record.pages >= LEAST_PAGES:
            self._tell(known)
        return known

    def _tell(self, known: _Known) -> None:
        self._version += 1
        known.latest = (self._version, known.record.to_bytes())
        known.told = known.record.pages

    def _save(self, site: str, known: _Known) -> None:
        if known.is_changed and (known.record.pages >= LEAST_PAGES or self._begun is not None):
            self._catalogue.put_site_record(site, known.record.to_bytes())
            known.is_changed = False
