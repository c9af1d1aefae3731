"""Finds the matches of a pattern on a page, in bounded time."""

import re

from telusur.extract.writing.pattern import PatternMatch, find_matches
from telusur.machine.time_limit import TimeIsUp, time_limit

# The time limit of a pattern on one page.
MATCH_SECONDS = 5.0


def matches_in_time(pattern: re.Pattern[str], text: str) -> list[PatternMatch] | None:
    """Return the matches in a text, or None if the pattern takes too long."""
    try:
        with time_limit(MATCH_SECONDS):
            return list(find_matches(pattern, text))
    except TimeIsUp:
        return None
