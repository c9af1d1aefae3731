"""The fetches of a store in memory, and the responses in its archive."""

from collections.abc import Iterator, Sequence
from typing import Any

from telusur.document_table import DOCUMENT_FIELDS, EXPORTED
from telusur.documents import as_json
from telusur.memory.archive import MemoryArchive, Stripes
from telusur.memory.reading.committed import Committed, fetches_of, url_of
from telusur.memory.state import Clock, StoredFetch, Tables
from telusur.models import Document, Page
from telusur.store.records import ArchiveKey, StoredSheet
from telusur.store.views import FetchView, RecordView

RECENT_FETCHES = 5_000
MOST_FETCHED_AGAIN = 1_000
_NO_DOCUMENT = Document()
_STORED = {field.name for field in DOCUMENT_FIELDS if field.is_stored}


class MemoryFetchReader:
    """The part of a catalogue reader about fetches."""

    def __init__(self, committed: Committed, stripes: Stripes, clock: Clock) -> None:
        self._committed = committed
        self._clock = clock
        self._archive = MemoryArchive(stripes, "")

    def pages(self, names: Sequence[str] = EXPORTED) -> Iterator[dict[str, Any]]:
        """Walk over the fetched pages in fetch order: these fields of each."""
        tables = self._committed()
        for url_id, fetch in fetches_of(tables):
            is_page = url_id in tables.urls and url_id not in tables.sitemaps
            if is_page and fetch.is_final and fetch is tables.fetches[url_id][-1]:
                yield _exported(tables, url_id, fetch, names)

    def fetches(self, url_id: bytes, most: int) -> list[FetchView]:
        """Return the last fetches of a URL, the newest first."""
        fetches = self._committed().fetches.get(url_id, ())
        return [_view(fetch) for fetch in fetches[::-1][:most]]

    def fetched_again(self, since: float) -> list[bytes]:
        """Return known pages that were fetched again since a time, the last ones only."""
        tables = self._committed()
        recent = fetches_of(tables)[-RECENT_FETCHES:]
        again = {url_id: None for url_id, fetch in recent if fetch.page.fetched_at > since}
        before = [url_id for url_id in again if _was_there(tables.fetches[url_id], since)]
        return before[:MOST_FETCHED_AGAIN]

    def has_page(self, url_id: bytes) -> bool:
        """Tell whether the archive has a response for a URL."""
        return self._key_of(url_id) is not None

    def page(self, url_id: bytes, url: str) -> Page | None:
        """Return the newest response for a URL from the archive."""
        key = self._key_of(url_id)
        return None if key is None else self._archive.read(key, url)

    def rendered(self, url_id: bytes) -> bytes | None:
        """Return the newest rendered form of a URL; None if it was not rendered."""
        key = self._key_of(url_id)
        return None if key is None else self._archive.rendered(key)

    def style_sheet(self, url: str) -> StoredSheet | None:
        """Return the response of a style sheet; None if no crawl asked for it."""
        known = self._committed().style_sheets
        if url not in known:
            return None
        key = known[url]
        return StoredSheet(None if key is None else self._archive.read(key, url))

    def record(self, url_id: bytes) -> RecordView | None:
        """Return the archive record of the newest response for a URL."""
        key = self._key_of(url_id)
        return None if key is None else self._archive.record(key)

    def record_bytes(self, url_id: bytes) -> bytes | None:
        """Return that record as a small WARC file."""
        key = self._key_of(url_id)
        return None if key is None else self._archive.record_bytes(key)

    def _key_of(self, url_id: bytes) -> ArchiveKey | None:
        """Return the key of the newest archived response."""
        fetches = self._committed().fetches.get(url_id, ())
        return next((one.key for one in reversed(fetches) if one.key is not None), None)


def _was_there(fetches: Sequence[StoredFetch], since: float) -> bool:
    """Tell whether a page was fetched successfully before a time."""
    return any(
        one.page.fetched_at <= since and one.page.status in range(200, 300) for one in fetches
    )


def _exported(
    tables: Tables, url_id: bytes, fetch: StoredFetch, names: Sequence[str]
) -> dict[str, Any]:
    url, stored = tables.urls[url_id], tables.documents.get(url_id)
    document = _NO_DOCUMENT if stored is None else stored.document
    of_page = {
        "url": url.url, "status": fetch.page.status, "state": str(url.state),
        "reason": url.reason, "depth": url.depth, "parent": url_of(tables, url.parent),
        "fetched_at": fetch.page.fetched_at, "download_seconds": fetch.page.seconds,
        "content_type": fetch.page.content_type, "size_bytes": fetch.size_bytes,
        "crawl_id": fetch.crawl_id,
    }  # fmt: skip
    found = {name: as_json(getattr(document, name)) for name in _STORED} | of_page
    return {name: found[name] for name in names}


def _view(fetch: StoredFetch) -> FetchView:
    """Return a fetch as it is shown; in memory there are no files."""
    page = fetch.page
    return FetchView(
        page.fetched_at, page.seconds, page.status, fetch.reason, page.content_type,
        fetch.size_bytes, None, None, None, dict(fetch.operations), fetch.key,
    )  # fmt: skip
