"""The colours of sites: each has its own, as long as there are no more sites than colours.

Sites take colours in the order in which they joined the collection, so a site keeps its colour when
others join.
"""

import time
from collections.abc import Callable, Sequence
from threading import Lock
from weakref import WeakKeyDictionary

from telusur.web.reader import CollectionReader

#: The colours of sites, `--hue-0` to `--hue-11` of tokens.css.
SITE_HUES = 12
#: The colours after them are those of topic scores: the stronger, the higher the score.
SHADES = 5
#: The colour of a site that has no documents, the grey of the weakest topic score.
NO_HUE = SITE_HUES
#: The order of sites is read again at most this often, and only for an unknown site.
REST_SECONDS = 1.0


def shade_of(topic: float) -> int:
    """Return the colour of a topic score, 0 to 1."""
    return SITE_HUES + min(int(topic * SHADES), SHADES - 1)


class Hues:
    """The colours of the sites of one collection; several threads may share it."""

    def __init__(
        self, read_order: Callable[[], Sequence[str]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._read_order = read_order
        self._clock = clock
        self._places: dict[str, int] = {}
        self._good_until = float("-inf")
        self._lock = Lock()

    def of(self, site: str) -> int:
        """Return the colour of a site; it never changes."""
        place = self._places.get(site)
        if place is None:
            self._read_again()
            place = self._places.get(site)
        return NO_HUE if place is None else place % SITE_HUES

    def _read_again(self) -> None:
        with self._lock:
            if self._clock() < self._good_until:
                return
            for site in self._read_order():
                self._places.setdefault(site, len(self._places))
            self._good_until = self._clock() + REST_SECONDS


#: For pages that belong to no collection.
NO_HUES = Hues(tuple)
_KEPT: WeakKeyDictionary[CollectionReader, Hues] = WeakKeyDictionary()


def hues_of(collection: CollectionReader) -> Hues:
    """Return the colours of a collection, the same for all viewers."""
    known = _KEPT.get(collection)
    return known if known is not None else _KEPT.setdefault(collection, Hues(collection.site_order))
