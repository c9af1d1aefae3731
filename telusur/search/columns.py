"""Search in columns of the catalogue: the request, the matches, and the text around them."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from telusur.document_table import SEARCHED
from telusur.errors import UsageError
from telusur.search.request import MOST_HITS

COLUMNS = tuple(SEARCHED)
EXCERPT_CHARACTERS = 160
LONGEST_WORDS = 2_000

Span = tuple[int, int]
FindFirst = Callable[[str], Span | None]


@dataclass(slots=True, frozen=True)
class ColumnRequest:
    """A request for one page of the documents with a match in the columns."""

    words: str
    columns: tuple[str, ...]
    is_regex: bool = False
    page: int = 1
    limit: int = 10
    # How long to search, in seconds; None: search all documents.
    seconds: float | None = None

    def check(self) -> None:
        """Raise one clear sentence if the request is wrong."""
        for name in self.columns:
            if name not in COLUMNS:
                raise UsageError(f"column {name!r} is not known; try {', '.join(COLUMNS)}.")
        if not self.columns:
            raise UsageError(f"No column given; name one or more of {', '.join(COLUMNS)}.")
        if not self.words.strip() or len(self.words) > LONGEST_WORDS:
            raise UsageError(
                f"The text to find must have 1 to {LONGEST_WORDS:,} characters, not "
                f"{len(self.words):,}."
            )
        if self.page < 1 or not 1 <= self.limit <= MOST_HITS:
            raise UsageError(
                f"page {self.page}, limit {self.limit}: both are whole numbers from 1 up, "
                f"and the limit is at most {MOST_HITS:,}."
            )


@dataclass(slots=True, frozen=True)
class ColumnMatch:
    """The first match in a column, with the text around it; `mark` is its range."""

    column: str
    excerpt: str
    mark: Span


@dataclass(slots=True, frozen=True)
class ColumnHit:
    """A matching document, and where it matches."""

    url: str
    title: str
    date: str | None
    language: str
    matches: tuple[ColumnMatch, ...]


@dataclass(slots=True, frozen=True)
class ColumnResults:
    """One page of matching documents in the order they were added, and how many match in all."""

    words: str
    columns: tuple[str, ...]
    total: int
    hits: tuple[ColumnHit, ...] = ()
    page: int = 1
    limit: int = 10
    seconds: float = 0.0
    # Documents skipped because the pattern takes too long on them.
    too_long: tuple[str, ...] = field(default=())
    # All documents were searched; otherwise there may be more than `total`.
    is_complete: bool = True


def find_plain(words: str) -> FindFirst:
    """Return a function that finds words in a text, ignoring case: "STRASSE" is in "Straße"."""
    wanted = _fold(unicodedata.normalize("NFC", words))

    def find(text: str) -> Span | None:
        folded = _fold(text)
        at = folded.find(wanted)
        if at < 0 or len(folded) == len(text):
            return (at, at + len(wanted)) if at >= 0 else None
        return _unfold(text, at, at + len(wanted))

    return find


def _fold(text: str) -> str:
    """Return text without case. A Turkish İ folds to i and a dot above it, which nobody types."""
    return text.lower() if text.isascii() else text.replace("İ", "i").casefold()


def _unfold(text: str, start: int, end: int) -> Span:
    """Return the range of a text that corresponds to a range of its folded form."""
    ends = list(accumulate(len(_fold(character)) for character in text))
    first = next(place for place, stop in enumerate(ends) if stop > start)
    last = next(place for place, stop in enumerate(ends) if stop >= end)
    return first, last + 1


def find_pattern(pattern: re.Pattern[str]) -> FindFirst:
    """Return a function that finds the first non-empty match of a pattern."""

    def find(text: str) -> Span | None:
        return next((match.span() for match in pattern.finditer(text) if match[0]), None)

    return find


def match_columns(columns: Iterable[tuple[str, str]], find: FindFirst) -> tuple[ColumnMatch, ...]:
    """Return the matches in columns given by name and text."""
    return tuple(_matches(columns, find))


def _matches(columns: Iterable[tuple[str, str]], find: FindFirst) -> Iterator[ColumnMatch]:
    for name, text in columns:
        whole = text if text.isascii() else unicodedata.normalize("NFC", text)
        span = find(whole)
        if span is not None:
            yield ColumnMatch(name, *_excerpt(whole, span))


def _excerpt(text: str, span: Span) -> tuple[str, Span]:
    """Return the text around a range, cut between words if possible, and the range in it."""
    start, end = span[0], min(span[1], span[0] + EXCERPT_CHARACTERS)
    room = max(0, EXCERPT_CHARACTERS - (end - start)) // 2
    low, high = max(0, start - room), min(len(text), end + room)
    if low:
        low = text.find(" ", low, start) + 1 or low
    if high < len(text):
        high = max(end, text.rfind(" ", end, high))
    return text[low:high], (start - low, end - low)
