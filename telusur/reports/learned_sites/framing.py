"""What was learned about the sites of a collection: their frames."""

from abc import ABC, abstractmethod
from contextlib import closing
from typing import TYPE_CHECKING

from telusur.reports.clusters.clustering import choose_evenly
from telusur.reports.page_details import as_text
from telusur.store.reader import CatalogueReader
from telusur.store.store import Store

# What reads the pages is imported when a frame is asked for.
if TYPE_CHECKING:
    from telusur.reports.learned_sites.site_frame import SiteFrame


class Framing(ABC):
    """The frames of the sites of a collection."""

    _store: Store
    _reader: CatalogueReader

    @abstractmethod
    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return a stored page and its Content-Type, or None."""

    def site_frame(self, site: str) -> "SiteFrame":
        """Return what was learned about a site: what repeats, and where titles and dates stand.

        It is shown by a few indexed pages of the site, evenly chosen.
        """
        from telusur.reports.learned_sites.site_frame import LOOKED_AT, read_frame

        with closing(self._store.site(site)) as rows:
            chosen, _ = choose_evenly((url for url, _ in rows.indexed_urls()), LOOKED_AT)
        return read_frame(site, self._reader.site_record(site), chosen, self._text_of)

    def _text_of(self, url: str) -> str | None:
        stored = self.html(url)
        return as_text(stored) if stored else None
