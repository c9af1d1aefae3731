"""Links to and from one page, within a time limit."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress

from telusur.backends.sqlite.catalogue import SqliteCatalogue
from telusur.backends.sqlite.frontier.intake import STATES
from telusur.errors import UsageError
from telusur.store.reader import MOST_SOURCES
from telusur.store.records import BEGINNING, Cursor
from telusur.store.views import LinkPage, LinkView

LONGEST_SECONDS = 3.0
# A page that was fetched has a row in `urls`, and its fetch is cheaper to look up than that row.
_SOURCES = """
SELECT url_id, targets, EXISTS (SELECT 1 FROM pages WHERE pages.url_id = links.url_id) FROM links
WHERE url_id >= ? AND url_id < ? AND instr(targets, ?) > 0 ORDER BY url_id
"""
# All ids are searched in this many parts; the clock is read between parts. Ids are hashes, so the
# parts are of one size.
PARTS = 1_024
_ID = 16
ALL_IDS = 1 << 8 * _ID
_CURSOR = re.compile("[0-9a-f]{32}")


class SqliteLinks:
    """Reads links; the caller owns the connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._catalogue = SqliteCatalogue(connection)

    def links_from(self, url_id: bytes, page: int, limit: int) -> LinkPage:
        """Return the links of a page in reading order, with the state of each target."""
        stored = self._catalogue.links_of(url_id)
        start = (page - 1) * limit
        shown = stored[start : start + limit]
        views = tuple(
            LinkView(each.link.url, each.link.anchor, each.link.around, each.link.rel,
                     *self._fate_of(each.url_id))
            for each in shown
        )  # fmt: skip
        return LinkPage(len(stored), views)

    def links_to(
        self, url_id: bytes, page: int, limit: int, after: Cursor = BEGINNING,
        most: int = MOST_SOURCES, *, seconds: float = LONGEST_SECONDS,
    ) -> LinkPage:  # fmt: skip
        """Return the pages that link to a page, and their link texts.

        The catalogue has links by the page they are on. So all pages are searched, from the cursor
        on, as many as there is time for.
        """
        sources, end = self._find_sources(url_id, _read_cursor(after), most, seconds)
        shown = sources[(page - 1) * limit : page * limit]
        views = [self._link_between(source, url_id) for source in shown]
        return LinkPage(
            len(sources),
            tuple(view for view in views if view),
            after,
            None if end >= ALL_IDS else Cursor(f"{end:032x}"),
            end / ALL_IDS,
        )

    def _find_sources(
        self, url_id: bytes, start: int, most: int, seconds: float
    ) -> tuple[list[bytes], int]:
        """Return linking pages with ids from `start` on, and the first id that was not searched.

        Pages that no crawl found are left out.
        """
        deadline = time.monotonic() + seconds
        found: list[bytes] = []
        for low, high in _parts_from(start):
            if low > start and time.monotonic() > deadline:
                return found, low
            rows = self._db.execute(_SOURCES, (_id_of(low), _id_of(high), url_id))
            for source, targets, is_fetched in rows:
                if source == url_id or not _stands_in(url_id, targets):
                    continue
                if is_fetched or self._url_of(source) is not None:
                    found.append(source)
                    if len(found) >= most:
                        return found, int.from_bytes(source, "big") + 1
        return found, ALL_IDS

    def _url_of(self, url_id: bytes) -> str | None:
        """Return the URL of a page that a crawl found; None for others."""
        row = self._db.execute("SELECT url FROM urls WHERE seq = seq_of(?)", (url_id,)).fetchone()
        return None if row is None else str(row[0])

    def _link_between(self, source: bytes, target: bytes) -> LinkView | None:
        url = self._url_of(source)
        if url is None:
            return None
        own = next((e.link for e in self._catalogue.links_of(source) if e.url_id == target), None)
        said = (own.anchor, own.around, own.rel) if own is not None else ("", "", "")
        return LinkView(url, *said, *self._fate_of(source))

    def _fate_of(self, url_id: bytes) -> tuple[str, str, int | None]:
        row = self._db.execute(
            "SELECT state, reason FROM urls WHERE seq = seq_of(?)", (url_id,)
        ).fetchone()
        if row is None:
            return "", "", None
        page = self._db.execute(
            "SELECT status FROM pages WHERE url_id = ? ORDER BY seq DESC LIMIT 1", (url_id,)
        ).fetchone()
        return STATES[row[0]].value, row[1], page[0] if page else None


def _parts_from(start: int) -> Iterator[tuple[int, int]]:
    """Yield where each part of the ids begins and ends; the first part begins at `start`."""
    width = ALL_IDS // PARTS
    while start < ALL_IDS:
        end = (start // width + 1) * width
        yield start, end
        start = end


def _id_of(number: int) -> bytes:
    """Return an id by its number; for the number after the last id, a value above all ids."""
    return number.to_bytes(_ID, "big") if number < ALL_IDS else b"\xff" * (_ID + 1)


def _read_cursor(cursor: Cursor) -> int:
    """Return the id that a cursor names; it may come from anyone, so it is checked."""
    if not cursor:
        return 0
    if not _CURSOR.fullmatch(cursor):
        raise UsageError(
            f"after: {cursor[:40]!r} is not a position in this list; start without it."
        )
    return int(cursor, 16)


def _stands_in(url_id: bytes, targets: bytes) -> bool:
    """Tell whether an id is among joined ids of 16 bytes each."""
    return any(at % _ID == 0 for at in _places(url_id, targets))


def _places(needle: bytes, hay: bytes) -> Iterator[int]:
    at = -1
    with suppress(ValueError):
        while True:
            at = hay.index(needle, at + 1)
            yield at
