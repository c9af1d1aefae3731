"""What is known about one site: a few thousand counts, learned from the pages already seen."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

from telusur.arrays import Floats, Ints, Unsigned64
from telusur.extract.site.evidence import FACTS, PageEvidence

MOST_TEXTS = 4_000
MOST_PLACES = 2_000
# From so many pages on, all counts are halved: a site's new design replaces the old one.
MOST_PAGES = 256
# The first pages all count, later ones one in a few: a frame seldom changes.
_FIRST = 64
_ONE_IN = 8
# Tables grow by this share before they are cut again.
_SLACK = 1.25
_FORMAT = b"TS1"


class OfText(IntEnum):
    """The columns of the texts: on how many pages, and on which page last."""

    PAGES = 0
    LAST = 1


class OfPlace(IntEnum):
    """The columns of the places; those from FACTS on count pages with the fact at this place."""

    PAGES = 0
    LAST = 1
    # The sum of the pages' mean log-odds that the lines there are content.
    CERTAINTY = 2
    LINES = 3
    # Lines whose text was already known at this place.
    REPEATED = 4
    FACTS = 5


_PLACE_COLUMNS = OfPlace.FACTS + len(FACTS)


@dataclass(slots=True)
class CountTable:
    """Rows of counts, sorted by key."""

    keys: Unsigned64
    rows: Floats

    def find(self, keys: Unsigned64) -> Floats:
        """Return the row of each key; zeros if it is unknown."""
        found = np.zeros((len(keys), self.rows.shape[1]), np.float32)
        if len(self.keys):
            at = self._at(keys)
            known = self.keys[at] == keys
            found[known] = self.rows[at[known]]
        return found

    def add(self, keys: Unsigned64, rows: Floats, page: float) -> None:
        """Add a page's rows to those of the same keys, which are sorted and all different."""
        if len(self.keys):
            at = self._at(keys)
            known = self.keys[at] == keys
            self.rows[at[known]] += rows[known]
            keys, rows = keys[~known], rows[~known]
            self.rows[at[known], OfText.LAST] = page
        rows[:, OfText.LAST] = page
        before = self.keys.searchsorted(keys)
        self.keys = np.insert(self.keys, before, keys)
        self.rows = np.insert(self.rows, before, rows, axis=0)

    def keep(self, most: int) -> None:
        """Keep the rows that are on the most pages, of equals the latest."""
        if len(self.keys) > most * _SLACK:
            order = np.lexsort((self.rows[:, OfText.LAST], self.rows[:, OfText.PAGES]))
            self._keep(np.sort(order[-most:]))

    def halve(self, pages: float) -> None:
        """Halve all counts, drop what is then below one, and forget so many pages."""
        last = self.rows[:, OfText.LAST] - pages
        self.rows = self.rows / np.float32(2)
        self.rows[:, OfText.LAST] = last
        self._keep((self.rows[:, OfText.PAGES] >= 1).nonzero()[0])

    def _keep(self, kept: Ints) -> None:
        self.keys, self.rows = self.keys[kept], self.rows[kept]

    def _at(self, keys: Unsigned64) -> Ints:
        return np.minimum(self.keys.searchsorted(keys), len(self.keys) - 1)


def _empty(columns: int) -> CountTable:
    return CountTable(np.zeros(0, np.uint64), np.zeros((0, columns), np.float32))


@dataclass(slots=True)
class SiteRecord:
    """Counts over the pages of a site, by text and by place; nothing in it is a label."""

    # The hashes of the addresses of the pages that count, in the order they came.
    addresses: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    texts: CountTable = field(default_factory=lambda: _empty(len(OfText)))
    places: CountTable = field(default_factory=lambda: _empty(_PLACE_COLUMNS))

    @property
    def pages(self) -> int:
        """Return how many pages count."""
        return len(self.addresses)

    def knows(self, address: int) -> bool:
        """Tell whether a page with this address is among those that count."""
        return bool((self.addresses == address).any())

    def wants(self, address: int) -> bool:
        """Tell whether a page with this address would teach anything."""
        is_sampled = self.pages < _FIRST or address % _ONE_IN == 0
        return is_sampled and not self.knows(address)

    def learn(self, pages: Iterable[PageEvidence]) -> None:
        """Add what some pages tell; those that are not wanted change nothing."""
        for page in pages:
            if self.wants(page.address):
                self._learn(page)

    def _learn(self, page: PageEvidence) -> None:
        number = float(self.pages)
        count = len(page.places)
        known = self.texts.find(page.texts)[:, OfText.PAGES] > 0
        rows = np.zeros((count, _PLACE_COLUMNS), np.float32)
        rows[:, OfPlace.PAGES] = 1
        rows[:, OfPlace.CERTAINTY] = page.certainties()
        rows[:, OfPlace.LINES] = np.bincount(page.place_of, minlength=count)
        rows[:, OfPlace.REPEATED] = np.bincount(page.place_of, known, count)
        has_fact = page.facts >= 0
        rows[page.facts[has_fact], OfPlace.FACTS + has_fact.nonzero()[0]] = 1
        self.places.add(page.places, rows, number)
        texts = np.unique(page.texts)
        self.texts.add(texts, np.ones((len(texts), len(OfText)), np.float32), number)
        self.addresses = np.append(self.addresses, page.address)
        if self.pages >= MOST_PAGES:
            self._forget()
        self.texts.keep(MOST_TEXTS)
        self.places.keep(MOST_PLACES)

    def _forget(self) -> None:
        forgotten = self.pages // 2
        self.addresses = self.addresses[forgotten:]
        self.texts.halve(forgotten)
        self.places.halve(forgotten)

    def copy(self) -> "SiteRecord":
        """Return a record that learns apart from this one."""
        texts, places = (
            CountTable(each.keys, each.rows.copy()) for each in (self.texts, self.places)
        )
        return SiteRecord(self.addresses, texts, places)

    def to_bytes(self) -> bytes:
        """Return the record as it is kept in a collection."""
        head = np.array([self.pages, len(self.texts.keys), len(self.places.keys)], np.int64)
        parts = (
            *(head, self.addresses, self.texts.keys, self.texts.rows),
            *(self.places.keys, self.places.rows),
        )
        return _FORMAT + zlib.compress(b"".join(part.tobytes() for part in parts), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> "SiteRecord":
        """Return a kept record; an empty one if the bytes are damaged or of another version."""
        if not data.startswith(_FORMAT):
            return cls()
        try:
            return _unpack(zlib.decompress(data[len(_FORMAT) :]))
        except (zlib.error, ValueError):
            return cls()


def _unpack(data: bytes) -> SiteRecord:
    pages, texts, places = np.frombuffer(data, np.int64, 3).tolist()
    at = 3 * 8
    addresses = np.frombuffer(data, np.int64, pages, at)
    at += addresses.nbytes
    known_texts = _read_table(data, at, texts, len(OfText))
    at += texts * (8 + 4 * len(OfText))
    return SiteRecord(addresses, known_texts, _read_table(data, at, places, _PLACE_COLUMNS))


def _read_table(data: bytes, at: int, count: int, columns: int) -> CountTable:
    keys = np.frombuffer(data, np.uint64, count, at)
    rows = np.frombuffer(data, np.float32, count * columns, at + keys.nbytes)
    return CountTable(keys, rows.reshape(count, columns).copy())
