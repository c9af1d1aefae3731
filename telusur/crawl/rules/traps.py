"""Crawler traps: loops in the path, and families of pages that bring nothing new."""

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from zlib import crc32

from telusur.crawl.urls.identity import MAX_URL_LENGTH, host_of, url_pattern
from telusur.language.compiled import native
from telusur.models import Reason

MAX_PATH_SEGMENTS = 20  # Heritrix TooManyPathSegmentsDecideRule
MAX_RUNNING_REPEATS = 2  # Heritrix PathologicalPathDecideRule
MAX_SEGMENT_COUNT = 3
MAX_PARAMETERS = 20
# After this many barren pages in a row a family is skipped.
BARREN_LIMIT = 200
# The same for a suspicious family.
BARREN_LIMIT_SOON = 30
# Pages deeper than this are suspicious.
DEEP = 10
# This many different sets of parameters on one path are suspicious.
COMBINED_PARAMETERS = 3
# After this many copies in a row, a set of parameters of a host counts as meaningless.
COPIES_LIMIT = 10
# The share of a text that must be new.
NEW_SHARE = 0.1
# The same for pages of dates, which repeat themselves except for names of days.
NEW_SHARE_DATED = 0.4
SAMPLE_SIZE = 32
# How many lines of a text are examined.
MOST_LINES = 200
# How many characters of a line are examined.
MOST_OF_LINE = 100
# A family with this many different lines is not a calendar, and is no longer watched.
RICH_LINES = 1500
MOST_FAMILIES = 1000
MOST_SINGLE_PAGES = 50_000

_DATE = re.compile(
    r"\b(19|20)\d\d([/-](0?[1-9]|1[0-2])\b|0[1-9]|1[0-2])|[?&](y|year|m|month|d|day|date)=\d"
)
_PERHAPS_NUMBER = re.compile(r"[0-9%]")
_NUMBER = re.compile(r"\b\d+\b")  # topic7 and topic8 are different words


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
    """Return what a path repeats: `a` in /a/a/a, `x/y` in /x/y/x/y/x/y."""
    if len(set(segments)) == len(segments):
        return ""
    for period in range(1, len(segments) // (MAX_RUNNING_REPEATS + 1) + 1):
        start = _start_of_run(segments, period)
        if start is not None:
            return "/".join(segments[start : start + period])
    segment, count = Counter(segments).most_common(1)[0]
    return segment if count > MAX_SEGMENT_COUNT and not segment.isdigit() else ""


def _start_of_run(segments: list[str], period: int) -> int | None:
    """Return where `period` segments occur three times in a row, or None."""
    same = 0
    for at in range(period, len(segments)):
        same = same + 1 if segments[at] == segments[at - period] else 0
        if same == MAX_RUNNING_REPEATS * period:
            return at - same - period + 1
    return None


def family_of(url: str) -> str:
    """Return the family of a URL: its path without numbers at its end, and without the query.

    `/calendar/2026/11`, `/calendar/2026/11/15` and `/calendar?day=7` are all `/calendar`.
    """
    pattern = url.partition("?")[0]
    # Numbers of the host stay.
    if _PERHAPS_NUMBER.search(pattern, pattern.find("/", 8) + 1) is not None:
        pattern = url_pattern(pattern)
    while pattern.endswith(("/#", "/")):
        pattern = pattern.removesuffix("/").removesuffix("/#")
    return pattern


def parameters_of(url: str) -> str:
    """Return a host and the names of a URL's parameters, `http://a.example/?id&sort`, or ""."""
    names = url_pattern(url).partition("?")[2]
    return f"{host_of(url)}/?{names}" if names else ""


def has_date(url: str) -> bool:
    """Tell whether a URL contains a date, as calendars do: `/2026/11`, `?month=5`."""
    return _DATE.search(url) is not None


# Some lines of a text: a hash of each without its numbers, and its length.
Sample = Mapping[int, int]


def take_sample(text: str) -> Sample:
    """Return a sample whose overlap with another sample estimates the overlap of the texts.

    Numbers are ignored. The smallest hashes are kept, so that equal parts of two texts give equal
    parts of their samples (bottom-k sketch).
    """
    if native is not None:
        sample: Sample = native.sample(text, MOST_LINES, MOST_OF_LINE, SAMPLE_SIZE)
        return sample
    lines = {line[:MOST_OF_LINE] for line in text.split("\n", MOST_LINES)[:MOST_LINES]}
    lines = set(_NUMBER.sub("#", "\n".join(lines)).split("\n"))
    hashes = {crc32(line.encode("utf-8", "replace")): len(line) for line in lines}
    if len(hashes) <= SAMPLE_SIZE:
        return hashes
    return {key: hashes[key] for key in nsmallest(SAMPLE_SIZE, hashes)}


class Yields:
    """Learns which kinds of pages no longer bring anything new and should be skipped.

    A page is barren when nearly all of its lines were on earlier pages of its family (an empty
    month of a calendar, the same products in another order) and it links to no new page of another
    family. A paginated list does link to new pages. Parameters that only make copies of known pages
    (session ids) are learned per host.
    """

    def __init__(self) -> None:
        self._families: OrderedDict[str, _Family] = OrderedDict()
        self._seen_once: dict[int, None] = {}
        self._copies: OrderedDict[str, int] = OrderedDict()
        self._has_suspects = False

    def wants_sample(self, url: str) -> bool:
        """Tell whether a page belongs to a family that is being watched.

        The first page of a family is not, because most families have only one; nor is a family with
        much different text.
        """
        name = family_of(url)
        family = self._families.get(name)
        if family is not None:
            return not family.is_rich
        mark = hash(name)
        if mark in self._seen_once:
            return True
        if len(self._seen_once) >= MOST_SINGLE_PAGES:
            self._seen_once.clear()
        self._seen_once[mark] = None
        return False

    def observe(
        self, url: str, sample: Sample | None, is_copy: bool, leads_on: Callable[[], bool]
    ) -> None:
        """Record a page; `leads_on` is called only when its text does not decide.

        The sample is None if `wants_sample` was false for the page.
        """
        parameters = parameters_of(url) if "?" in url else ""
        if sample is not None:
            family = self._family(family_of(url))
            least_share = NEW_SHARE_DATED if has_date(url) else NEW_SHARE
            is_barren = not family.learns(sample, parameters, least_share) and not leads_on()
            family.barren = family.barren + 1 if is_barren else 0
            self._has_suspects |= family.barren >= BARREN_LIMIT_SOON
        if parameters:
            copies = self._copies[parameters] = (
                self._copies.pop(parameters, 0) + 1 if is_copy else 0
            )
            self._has_suspects |= copies >= COPIES_LIMIT
            if len(self._copies) > MOST_FAMILIES:
                self._copies.popitem(last=False)

    def stale_reason(self, url: str, depth: int) -> str | None:
        """Return why no more pages like this should be fetched, or None.

        Deep pages, combined parameters and dates are given up sooner: calendars are chains and
        facets multiply, while real sites are shallow.
        """
        if not self._has_suspects:
            return None
        name = family_of(url)
        family = self._families.get(name, _NO_FAMILY)
        is_suspicious = depth > DEEP or family.is_combined() or has_date(url)
        limit = BARREN_LIMIT_SOON if is_suspicious else BARREN_LIMIT
        if family.barren >= limit:
            return f"{Reason.TRAP}: the last {limit} pages of {name} brought nothing new"
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
    lines: set[int] = field(default_factory=set)
    parameters: set[str] = field(default_factory=set)
    barren: int = 0
    is_rich: bool = False

    def is_combined(self) -> bool:
        """Tell a shop's facets from `?id=7`: one path with different sets of parameters."""
        return len(self.parameters) >= COMBINED_PARAMETERS

    def learns(self, sample: Sample, parameters: str, least_share: float) -> bool:
        """Add the lines of a page; return whether enough of them, by length, were new."""
        if self.is_rich:
            return True
        if parameters and not self.is_combined():
            self.parameters.add(parameters)
        new = sum(length for key, length in sample.items() if key not in self.lines)
        self.lines.update(sample)
        if len(self.lines) > RICH_LINES:
            self.is_rich = True
            self.lines.clear()
        return new > 0 and new >= least_share * sum(sample.values())


_NO_FAMILY = _Family()
