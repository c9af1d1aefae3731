"""Pull text out of pages by a pattern, in bounded time."""

import re

from telusur.adapters.time_limit import TimeIsUp, time_limit
from telusur.extract.pattern import Match, find_matches

MATCH_SECONDS = 5.0
"""What a pattern may take on one page."""


def matches_in_time(pattern: re.Pattern[str], text: str) -> list[Match] | None:
    """Return what fits in a text, or None when the pattern takes too long for it."""
    try:
        with time_limit(MATCH_SECONDS):
            return list(find_matches(pattern, text))
    except TimeIsUp:
        return None
