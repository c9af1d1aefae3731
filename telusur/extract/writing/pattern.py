"""Pull text out of pages by a regular expression."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from telusur.errors import UsageError

MAX_PATTERN_LENGTH = 2000
MAX_MATCHES = 10_000
"""Of one page."""


class Match(NamedTuple):
    """A place where the pattern fits: what stands there, and its groups by number or name."""

    text: str
    groups: dict[str, str | None]
    start: int


def compile_pattern(text: str) -> re.Pattern[str]:
    """Return a regular expression, or raise one clear sentence; `^` and `$` are ends of rows."""
    if not text or len(text) > MAX_PATTERN_LENGTH:
        raise UsageError(f"A pattern has 1 to {MAX_PATTERN_LENGTH} characters, not {len(text)}.")
    try:
        return re.compile(text, re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as error:
        shown = text if len(text) <= 80 else f"{text[:80]}..."
        raise UsageError(f"{shown!r} is no regular expression: {error}.") from None


def find_matches(pattern: re.Pattern[str], text: str) -> Iterator[Match]:
    """Yield where the pattern fits, in reading order; where it fits nothing at all is no match."""
    names = {number: name for name, number in pattern.groupindex.items()}
    found = (match for match in pattern.finditer(text) if match[0])
    for match in islice(found, MAX_MATCHES):
        numbered = enumerate(match.groups(), 1)
        groups = {names.get(number, str(number)): group for number, group in numbered}
        yield Match(match[0], groups, match.start())
