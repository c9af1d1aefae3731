"""Which URLs lead nowhere: loops in the path, and families of pages that bring nothing new."""

import re
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import nsmallest
from zlib import crc32

from telusur.crawl.urls import MAX_URL_LENGTH, host_of, url_pattern
from telusur.models import Reason

MAX_PATH_SEGMENTS = 20  # Heritrix TooManyPathSegmentsDecideRule
MAX_RUNNING_REPEATS = 2  # Heritrix PathologicalPathDecideRule
MAX_SEGMENT_COUNT = 3
MAX_PARAMETERS = 20
BARREN_LIMIT = 30
"""Barren pages in a row after which a family is left alone."""
COPIES_LIMIT = 10
"""Copies in a row after which a host's parameters are taken to say nothing."""
NEW_WORDS = 2
SAMPLE_WORDS = 64
RICH_WORDS = 4000
"""A family that has said so many different words is no calendar."""
MOST_FAMILIES = 2000

_WORD = re.compile(r"[^\W\d_]+")


def trap_reason(url: str) -> str | None:
    """Return why a parsed URL looks like a trap by itself, or None."""
    if len(url) > MAX_URL_LENGTH:
        return f"{Reason.TRAP}: longer than {MAX_URL_LENGTH} characters"
    path, _, query = url.partition("?")
    if query.count("&") >= MAX_PARAMETERS:
        return f"{Reason.TRAP}: more than {MAX_PARAMETERS} parameters"
    slashes = path.count("/") - 3
    if slashes < MAX_RUNNING_REPEATS:
        return None
    if slashes > MAX_PATH_SEGMENTS:
        return f"{Reason.TRAP}: more than {MAX_PATH_SEGMENTS} path segments"
    repeated = _repeated_segments([segment for segment in path.split("/")[3:] if segment])
    return f"{Reason.TRAP}: path repeats {repeated}" if repeated else None


def _repeated_segments(segments: list[str]) -> str:
    """Return what a path says again and again: `a` of /a/a/a, `x/y` of /x/y/x/y/x/y."""
    if len(set(segments)) == len(segments):
        return ""
    for period in range(1, len(segments) // (MAX_RUNNING_REPEATS + 1) + 1):
        start = _start_of_run(segments, period)
        if start is not None:
            return "/".join(segments[start : start + period])
    segment, count = Counter(segments).most_common(1)[0]
    return segment if count > MAX_SEGMENT_COUNT and not segment.isdigit() else ""


def _start_of_run(segments: list[str], period: int) -> int | None:
    """Return where `period` segments stand three times in a row, or None."""
    same = 0
    for at in range(period, len(segments)):
        same = same + 1 if segments[at] == segments[at - period] else 0
        if same == MAX_RUNNING_REPEATS * period:
            return at - same - period + 1
    return None


def family_of(url: str) -> str:
    """Return what a page and its like share: the path without numbers at its end, and no query.

    `/calendar/2026/11`, `/calendar/2026/11/15` and `/calendar?day=7` are all `/calendar`.
    """
    pattern = url_pattern(url).partition("?")[0]
    while pattern.endswith(("/#", "/")):
        pattern = pattern.removesuffix("/").removesuffix("/#")
    return pattern


def parameters_of(url: str) -> str:
    """Return a host and the names of a URL's parameters, `http://a.example/?id&sort`, or ""."""
    names = url_pattern(url).partition("?")[2]
    return f"{host_of(url)}/?{names}" if names else ""


def word_sample(text: str) -> frozenset[int]:
    """Return a sample of a text's words that is the same for the same words (bottom-k)."""
    hashes = {crc32(word.encode("utf-8", "replace")) for word in _WORD.findall(text)}
    return frozenset(nsmallest(SAMPLE_WORDS, hashes))


class Yields:
    """Learns which kinds of pages bring nothing new any more, and should be left alone.

    A page is barren when it adds hardly a word to what its family has said before (an empty month
    of a calendar, the same goods in another order) and leads to no new page of another family. A
    list one pages through leads on; articles bring words of their own. Parameters that only make
    copies of known pages (session ids) are learned per host.
    """

    def __init__(self) -> None:
        self._families: OrderedDict[str, _Family] = OrderedDict()
        self._copies: OrderedDict[str, int] = OrderedDict()

    def observe(
        self, url: str, words: frozenset[int], is_copy: bool, leads_on: Callable[[], bool]
    ) -> None:
        """Take note of a page; `leads_on` is asked only when its words do not decide."""
        family = self._family(family_of(url))
        is_barren = not family.take(words) and not leads_on()
        family.barren = family.barren + 1 if is_barren else 0
        parameters = parameters_of(url)
        if parameters:
            self._copies[parameters] = self._copies.pop(parameters, 0) + 1 if is_copy else 0
            if len(self._copies) > MOST_FAMILIES:
                self._copies.popitem(last=False)

    def stale_reason(self, url: str) -> str | None:
        """Return why no more pages like this should be fetched, or None."""
        family = self._families.get(family_of(url))
        if family is not None and family.barren >= BARREN_LIMIT:
            name = family_of(url)
            return f"{Reason.TRAP}: the last {BARREN_LIMIT} pages of {name} brought nothing new"
        parameters = parameters_of(url)
        if self._copies.get(parameters, 0) >= COPIES_LIMIT:
            return f"{Reason.TRAP}: the last {COPIES_LIMIT} pages of {parameters} were copies"
        return None

    def _family(self, name: str) -> "_Family":
        family = self._families.setdefault(name, _Family())
        self._families.move_to_end(name)
        if len(self._families) > MOST_FAMILIES:
            self._families.popitem(last=False)
        return family


@dataclass(slots=True)
class _Family:
    words: set[int] = field(default_factory=set)
    barren: int = 0

    def take(self, sample: frozenset[int]) -> bool:
        """Add a page's words; tell whether enough of them were new."""
        if len(self.words) > RICH_WORDS:
            return True
        new = len(sample - self.words)
        self.words |= sample
        return new >= NEW_WORDS
