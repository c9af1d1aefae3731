"""The catalogue in memory for readers: URLs, documents and marks."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from telusur.crawl.urls.identity import former_key_of, normalize_url
from telusur.document_table import SEARCHED
from telusur.memory.reading.committed import indexed_of, url_of
from telusur.memory.reading.copies import copies_among, copies_of
from telusur.memory.reading.fetches import MemoryFetchReader
from telusur.memory.reading.links import links_from, links_of, links_to
from telusur.memory.reading.parked import why_parked
from telusur.memory.reading.stories import story_of
from telusur.memory.state import StoredDocument, Tables
from telusur.models import Counts, Document, MarkedPage, Story, url_id_of
from telusur.store.reader import MOST_SOURCES
from telusur.store.records import BEGINNING, Cursor, StoredLink, StoredRobots
from telusur.store.views import CopyView, LinkPage

_ALWAYS = ("url", "title", "date", "language")


class MemoryReader(MemoryFetchReader):
    """Implements `telusur.store.reader.CatalogueReader`."""

    # URLs

    def counts(self) -> Counts:
        """Count URLs by state, pages that were answered, and documents in the index."""
        tables = self._committed()
        states = Counter(str(url.state) for url in tables.urls.values())
        answered = [
            fetch
            for url_id, fetches in tables.fetches.items()
            for fetch in fetches
            if fetch.is_final and fetch.page.status is not None and url_id not in tables.sitemaps
        ]
        return Counts(**states, pages=len(answered), documents=len(indexed_of(tables)))

    def known_id(self, keys: Sequence[str]) -> bytes | None:
        """Return the id of the page with one of these keys; None when there is no such page."""
        tables = self._committed()
        for key in keys:
            if _address_of(tables, key) is not None:
                return url_id_of(key)
            former = former_key_of(key)
            if former and normalize_url(_address_of(tables, former) or "") == key:
                return url_id_of(former)
        return None

    def story(self, url_id: bytes) -> Story | None:
        """Return the history of a URL, oldest first."""
        return story_of(self._committed(), url_id)

    def why_parked(self, host: str) -> str:
        """Return why and until when a host is parked, by the clock of the store; else nothing."""
        return why_parked(self._committed(), host, self._clock())

    def urls(self) -> Iterator[dict[str, Any]]:
        """Walk over all known URLs, in the order they were found."""
        for url in sorted(self._committed().urls.values(), key=lambda url: url.number):
            yield {"url": url.url, "state": str(url.state), "reason": url.reason}

    def robots(self, host: str) -> StoredRobots | None:
        """Return a host's robots.txt, if it was ever requested."""
        known = self._committed().hosts.get(host)
        return None if known is None else known.robots

    def site_record(self, site: str) -> bytes | None:
        """Return what was learned about a site while crawling, if anything was."""
        return self._committed().site_records.get(site)

    # Documents

    def document(self, url_id: bytes) -> Document | None:
        """Return the current document of a URL."""
        stored = self._committed().documents.get(url_id)
        return None if stored is None else deepcopy(stored.document)

    def sites(self, limit: int) -> list[tuple[str, int]]:
        """Return the sites with their number of indexed documents, the largest first."""
        counted = Counter(one.site for one in indexed_of(self._committed()))
        return sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:limit]

    def site_order(self) -> tuple[str, ...]:
        """Return all sites that have documents, in the order in which they were found."""
        tables = self._committed()
        places = {site: place for place, site in enumerate(tables.taken)}
        sites = {one.site for one in tables.documents.values()}
        return tuple(sorted(sites, key=lambda site: (places.get(site, len(places)), site)))

    def columns(self, names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        """Walk over the indexed documents in the order they came in: these columns, by name."""
        wanted = dict.fromkeys((*_ALWAYS, *names))
        for stored in indexed_of(self._committed()):
            yield {name: _column(stored, name) for name in wanted}

    def copies(self, urls: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the URLs of duplicates, for those of the pages that have any."""
        return copies_among(self._committed(), urls)

    def copies_of(self, url_id: bytes) -> list[CopyView]:
        """Return duplicates and near-duplicates of a page, and the original that it repeats."""
        return copies_of(self._committed(), url_id)

    # Links

    def links(self, url_id: bytes) -> list[StoredLink]:
        """Return the links of a page, in reading order."""
        return links_of(self._committed(), url_id)

    def links_from(self, url_id: bytes, page: int, limit: int) -> LinkPage:
        """Return the links of a page in reading order, with the state of each target."""
        return links_from(self._committed(), url_id, page, limit)

    def links_to(
        self,
        url_id: bytes,
        page: int,
        limit: int,
        after: Cursor = BEGINNING,
        most: int = MOST_SOURCES,
    ) -> LinkPage:
        """Return the pages that link to a page, and their link texts."""
        return links_to(self._committed(), url_id, (page, limit), after, most)

    # Marks

    def marks(self) -> list[tuple[bytes, bool]]:
        """Return the pages that the user marked as good or bad."""
        marks = self._committed().marks
        return [(url_id, marks[url_id].is_good) for url_id in sorted(marks)]

    def list_marks(self) -> list[MarkedPage]:
        """Return the marked pages with their URLs, in the order they were marked."""
        tables = self._committed()
        marked = [
            MarkedPage(mark.url or url_of(tables, url_id) or "", mark.is_good, mark.marked_at)
            for url_id, mark in tables.marks.items()
        ]
        return sorted(marked, key=lambda mark: (mark.marked_at, mark.url))

    def find_mark(self, url_id: bytes) -> bool | None:
        """Return whether the user marked a page as good; None if it has no mark."""
        mark = self._committed().marks.get(url_id)
        return None if mark is None else mark.is_good

    def close(self) -> None:
        """Do nothing: nothing is open."""


def _address_of(tables: Tables, key: str) -> str | None:
    """Return the URL of a page that a crawl found or a user added."""
    url_id = url_id_of(key)
    stored = tables.documents.get(url_id)
    return url_of(tables, url_id) or (None if stored is None else stored.document.url)


def _column(stored: StoredDocument, name: str) -> Any:
    """Return one column of a document as text; the user's own fields are JSON."""
    if name == "site":
        return stored.site
    value = getattr(stored.document, SEARCHED[name].name)
    return value if not isinstance(value, dict) else json.dumps(value) if value else ""
