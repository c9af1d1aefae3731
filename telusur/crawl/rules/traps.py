"""Which URLs lead nowhere: loops in the path, and families of pages that bring nothing new."""

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from zlib import crc32

from telusur.crawl.urls import MAX_URL_LENGTH, host_of, url_pattern
from telusur.language.compiled import native
from telusur.models import Reason

MAX_PATH_SEGMENTS = 20  # Heritrix TooManyPathSegmentsDecideRule
MAX_RUNNING_REPEATS = 2  # Heritrix PathologicalPathDecideRule
MAX_SEGMENT_COUNT = 3
MAX_PARAMETERS = 20
BARREN_LIMIT = 200
BARREN_LIMIT_SOON = 30
"""Barren pages in a row after which a family is left alone; and when it is suspicious anyway."""
DEEP = 10
"""Steps from a start URL; farther than this is suspicious."""
COMBINED_PARAMETERS = 3
"""Different sets of parameters on one path; so many are suspicious."""
COPIES_LIMIT = 10
"""Copies in a row after which a host's parameters are taken to say nothing."""
NEW_SHARE = 0.1
NEW_SHARE_DATED = 0.4
"""The part of a text that must be new; a date's page repeats itself but for names of days."""
SAMPLE_SIZE = 32
MOST_LINES = 200
MOST_OF_LINE = 100
"""Lines of a text, and characters of a line, that are looked at."""
RICH_LINES = 1500
"""A family that has said so much is no calendar, and is not watched any more."""
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
    pattern = url.partition("?")[0]
    if _PERHAPS_NUMBER.search(pattern) is not None:
        pattern = url_pattern(pattern)
    while pattern.endswith(("/#", "/")):
        pattern = pattern.removesuffix("/").removesuffix("/#")
    return pattern


def parameters_of(url: str) -> str:
    """Return a host and the names of a URL's parameters, `http://a.example/?id&sort`, or ""."""
    names = url_pattern(url).partition("?")[2]
    return f"{host_of(url)}/?{names}" if names else ""


def has_date(url: str) -> bool:
    """Tell whether a URL holds a date, as the pages of calendars do: `/2026/11`, `?month=5`."""
    return _DATE.search(url) is not None


Sample = Mapping[int, int]
"""Some lines of a text: a hash of each without its numbers, and its length."""


def take_sample(text: str) -> Sample:
    """Return a sample that shares as much with another text's as the two texts share.

    Numbers do not count. Of all hashes the smallest are kept, so that equal parts of two texts
    give equal parts of their samples (bottom-k sketch).
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
    """Learns which kinds of pages bring nothing new any more, and should be left alone.

    A page is barren when its family has said nearly all of its lines before (an empty month of a
    calendar, the same goods sorted otherwise) and when it leads to no new page of another family.
    A list one pages through leads on. Parameters that only make copies of known pages (session
    ids) are learned per host.
    """

    def __init__(self) -> None:
        self._families: OrderedDict[str, _Family] = OrderedDict()
        self._seen_once: dict[int, None] = {}
        self._copies: OrderedDict[str, int] = OrderedDict()
        self._has_suspects = False

    def wants_sample(self, url: str) -> bool:
        """Tell whether a page belongs to a family that is being watched.

        The first page of a family is not, for most families have only one; nor is a family that
        has said much.
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
        """Take note of a page; `leads_on` is asked only when its text does not decide.

        The sample is None for a page that `wants_sample` did not want one of.
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

        What lies deep, combined parameters and dates are given up sooner: calendars are chains
        and facets multiply, while real sites are shallow.
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
        """Add a page's lines; tell whether enough of them, by length, were new."""
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
