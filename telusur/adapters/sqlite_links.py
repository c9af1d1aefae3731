"""Links to and from one page: found in the catalogue without reading all of it for long."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from telusur.adapters.sqlite_catalogue import SqliteCatalogue
from telusur.adapters.sqlite_intake import STATES

MOST_SOURCES = 10_000
LONGEST_SECONDS = 3.0
PARTS = 1_024
"""All pages are looked through in so many parts; ids are hashes, so these are of one size."""
_ID = 16


@dataclass(slots=True, frozen=True)
class LinkView:
    """A link seen from one of its ends: the other page, and what the link says.

    `state` is empty where the other page was never put in line.
    """

    url: str
    anchor: str = ""
    around: str = ""
    rel: str = ""
    state: str = ""
    reason: str = ""
    status: int | None = None


@dataclass(slots=True, frozen=True)
class LinkPage:
    """Some links of many.

    Where there was no time to look at all pages, `total` counts those of the parts from `first` to
    `after`, of 1,024; who wants the others asks again with `after`.
    """

    total: int
    links: tuple[LinkView, ...]
    first: int = 0
    after: int = PARTS

    @property
    def is_whole(self) -> bool:
        """Tell whether all pages were looked at."""
        return self.first == 0 and self.after == PARTS


class SqliteLinks:
    """Reads links; the caller owns the connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._catalogue = SqliteCatalogue(connection)

    def links_from(self, url_id: bytes, page: int, limit: int) -> LinkPage:
        """Return what a page links to in reading order, and what became of it."""
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
        self, url_id: bytes, page: int, limit: int, after: int = 0,
        seconds: float = LONGEST_SECONDS,
    ) -> LinkPage:  # fmt: skip
        """Return who links to a page, and with which words.

        The catalogue knows links by where they stand. So all pages are looked through, from the
        part `after` on, as many as there is time for.
        """
        sources, end = self._find_sources(url_id, after, seconds)
        start = (page - 1) * limit
        views = [self._link_between(source, url_id) for source in sources[start : start + limit]]
        return LinkPage(len(sources), tuple(view for view in views if view), after, end)

    def _find_sources(self, url_id: bytes, first: int, seconds: float) -> tuple[list[bytes], int]:
        deadline = time.monotonic() + seconds
        found: list[bytes] = []
        for part in range(first, PARTS):
            if part > first and (time.monotonic() > deadline or len(found) >= MOST_SOURCES):
                return found, part
            rows = self._db.execute(
                "SELECT url_id, targets FROM links WHERE url_id >= ? AND url_id < ?"
                " AND instr(targets, ?) > 0",
                (_border(part), _border(part + 1), url_id),
            )
            found += [
                source for source, targets in rows
                if source != url_id and _stands_in(url_id, targets)
            ]  # fmt: skip
        return found, PARTS

    def _link_between(self, source: bytes, target: bytes) -> LinkView | None:
        row = self._db.execute("SELECT url FROM urls WHERE seq = seq_of(?)", (source,)).fetchone()
        if row is None:
            return None
        own = next((e.link for e in self._catalogue.links_of(source) if e.url_id == target), None)
        said = (own.anchor, own.around, own.rel) if own is not None else ("", "", "")
        return LinkView(row[0], *said, *self._fate_of(source))

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


def _border(part: int) -> bytes:
    """Return the first id of a part of all ids; behind the last one, what is above all of them."""
    return ((part << 128) // PARTS).to_bytes(17, "big")[1:] if part < PARTS else b"\xff" * 17


def _stands_in(url_id: bytes, targets: bytes) -> bool:
    """Tell whether an id is one of those that stand one after the other, 16 bytes each."""
    return any(at % _ID == 0 for at in _places(url_id, targets))


def _places(needle: bytes, hay: bytes) -> Iterator[int]:
    at = -1
    with suppress(ValueError):
        while True:
            at = hay.index(needle, at + 1)
            yield at
