"""Which URLs lead nowhere: loops in the path, endless calendars, patterns that repeat one page."""

from collections import Counter, OrderedDict

from telusur.crawl.urls import MAX_URL_LENGTH
from telusur.models import Reason

MAX_PATH_SEGMENTS = 20  # Heritrix TooManyPathSegmentsDecideRule
MAX_RUNNING_REPEATS = 2  # Heritrix PathologicalPathDecideRule
MAX_SEGMENT_COUNT = 3
MAX_PARAMETERS = 20
BARREN_LIMIT = 12
STALE_LIMIT = 50
_MAX_PATTERNS_REMEMBERED = 10_000


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


def next_barren(parent_barren: int, yielded_new_elsewhere: bool, same_pattern: bool) -> int:
    """Return how many steps a link's own pattern has now led only to itself.

    A calendar's page brings nothing but the next page of the calendar; a list one pages through
    brings items, which are of another pattern.
    """
    if yielded_new_elsewhere or not same_pattern:
        return 0
    return parent_barren + 1


def barren_reason(barren: int, pattern: str) -> str | None:
    """Return why a link this many barren steps away is not followed, or None."""
    if barren <= BARREN_LIMIT:
        return None
    return f"{Reason.TRAP}: {BARREN_LIMIT} pages in a row led only to {pattern}"


class PatternYield:
    """Learns which patterns only bring pages already known; forgets those unseen for long."""

    def __init__(self) -> None:
        self._stale: OrderedDict[str, int] = OrderedDict()

    def observe(self, pattern: str, is_new: bool) -> None:
        """Take note of a page: did its content differ from everything known before?"""
        self._stale[pattern] = 0 if is_new else self._stale.get(pattern, 0) + 1
        self._stale.move_to_end(pattern)
        if len(self._stale) > _MAX_PATTERNS_REMEMBERED:
            self._stale.popitem(last=False)

    def stale_reason(self, pattern: str) -> str | None:
        """Return why no more URLs of a pattern should be fetched, or None."""
        if self._stale.get(pattern, 0) < STALE_LIMIT:
            return None
        return f"{Reason.TRAP}: the last {STALE_LIMIT} pages of {pattern} were all duplicates"
