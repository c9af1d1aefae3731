"""Extracts text from pages with a regular expression."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from telusur.errors import UsageError

MAX_PATTERN_LENGTH = 2000
# Per page.
MAX_MATCHES = 10_000


class PatternMatch(NamedTuple):
    """A match of the pattern: its text, and its groups by number or name."""

    text: str
    groups: dict[str, str | None]
    start: int


def compile_pattern(text: str) -> re.Pattern[str]:
    """Return a regular expression, or raise one clear sentence; `^` and `$` match ends of rows."""
    if not text or len(text) > MAX_PATTERN_LENGTH:
        raise UsageError(
            f"A pattern must have 1 to {MAX_PATTERN_LENGTH} characters, not {len(text)}."
        )
    try:
        return re.compile(text, re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as error:
        shown = text if len(text) <= 80 else f"{text[:80]}..."
        raise UsageError(f"{shown!r} is not a regular expression: {error}.") from None


def find_matches(pattern: re.Pattern[str], text: str) -> Iterator[PatternMatch]:
    """Yield the matches of the pattern in order; empty matches are skipped."""
    names = {number: name for name, number in pattern.groupindex.items()}
    found = (match for match in pattern.finditer(text) if match[0])
    for match in islice(found, MAX_MATCHES):
        numbered = enumerate(match.groups(), 1)
        groups = {names.get(number, str(number)): group for number, group in numbered}
        yield PatternMatch(match[0], groups, match.start())
