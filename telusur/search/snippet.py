"""The part of a text that shows why it was found: the shortest window with the most query words."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from telusur.language.analysis import get_analyser
from telusur.language.words import is_continuous

SNIPPET_CHARACTERS = 240
# Text looked through; a match further down is found by the index, and shown by the beginning.
MOST_CHARACTERS = 100_000
# Words considered: a page that repeats a word ten thousand times must not cost a second.
MOST_MATCHES = 2_000

_SPACES = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s|[。！？]|\n")


class _Mark(NamedTuple):
    term: str
    start: int
    end: int


def make_snippet(
    text: str, query_terms: Collection[str], language: str, fallback: str = ""
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return a piece of `text` that holds the most query words, and the ranges to mark in it.

    When no word is there, `fallback` (the description) is shown, or the beginning of the text.
    """
    text = text[:MOST_CHARACTERS]
    marks = find_marks(text, query_terms, language)
    if not marks and fallback.strip():
        return make_snippet(fallback, query_terms, language)
    first, last = best_window(marks) if marks else (0, 0)
    start, end = _widen(text, first, last)
    return _tidy(text, start, end, [mark for mark in marks if mark.start >= start])


def find_marks(text: str, query_terms: Collection[str], language: str) -> list[_Mark]:
    """Return where the query's words stand in a text, in any of their forms, in order.

    The text is not analysed: its distinct words are looked up (the analyser knows most of them),
    and only those that matter are searched for.
    """
    forms = get_analyser(language).find_forms(text, frozenset(query_terms))
    if not forms:
        return []
    marks = []
    for match in _pattern_of(forms).finditer(text):
        start, end = match.span(1)
        if _stands_alone(text, start, end):
            marks.append(_Mark(forms[match[1]], start, end))
            if len(marks) >= MOST_MATCHES:
                break
    return marks


def _pattern_of(forms: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of all forms; pairs of characters overlap, so they are only looked at."""
    any_form = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    has_pairs = any(is_continuous(form) for form in forms)
    return re.compile(f"(?=({any_form}))" if has_pairs else f"({any_form})")


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether a match is a whole word; pairs of characters stand inside longer runs."""
    if is_continuous(text[start:end]):
        return True
    before, after = text[start - 1 : start], text[end : end + 1]
    return not before.isalnum() and not after.isalnum()


def best_window(marks: list[_Mark]) -> tuple[int, int]:
    """Return start and end of the shortest stretch, fit to show, with the most different terms.

    Two hands move over the marks: the right one takes in a mark, the left one lets go of those
    that stand too far behind or are held again further on.
    """
    held: dict[str, int] = {}
    best, best_key, left = (marks[0].start, marks[0].end), (0, 0), 0
    for mark in marks:
        held[mark.term] = held.get(mark.term, 0) + 1
        while held[marks[left].term] > 1 or mark.end - marks[left].start > SNIPPET_CHARACTERS:
            if marks[left] is mark:
                break
            held[marks[left].term] -= 1
            if not held[marks[left].term]:
                del held[marks[left].term]
            left += 1
        start = marks[left].start
        key = (len(held), -(mark.end - start))
        if key > best_key:
            best, best_key = (start, mark.end), key
    return best


def _widen(text: str, first: int, last: int) -> tuple[int, int]:
    """Return the window grown to the length of a snippet: whole sentences, else whole words."""
    room = max(0, SNIPPET_CHARACTERS - (last - first))
    start = _start_of_sentence(text, first, room)
    if start is None:
        start = _start_of_word(text, max(0, first - room // 3))
    end = min(len(text), max(last, start + SNIPPET_CHARACTERS))
    return start, max(last, _end_of_sentence(text, last, end))


def _start_of_sentence(text: str, first: int, room: int) -> int | None:
    """Return where the sentence begins that holds `first`, if that is near enough."""
    low = max(0, first - room)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, low, first)]
    if ends:
        return ends[-1]
    return 0 if low == 0 else None


def _start_of_word(text: str, at: int) -> int:
    """Return the beginning of the next word from `at` on, or `at` in a script without spaces."""
    if at == 0:
        return 0
    space = _SPACES.search(text, at, at + 30)
    return space.end() if space else at


def _end_of_sentence(text: str, last: int, end: int) -> int:
    """Return where to stop: behind a sentence in the last third, else behind a word."""
    if end >= len(text):
        return len(text)
    low = max(last, end - SNIPPET_CHARACTERS // 3)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, low, end)]
    if ends:
        return ends[-1]
    space = max(text.rfind(" ", low, end), text.rfind("\n", low, end))
    return space if space > low else end


def _tidy(
    text: str, start: int, end: int, marks: list[_Mark]
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return text[start:end] with single spaces and dots where it was cut, and its marks moved."""
    pieces: list[str] = []
    ranges: list[tuple[int, int]] = []
    length = 0

    def add(piece: str) -> None:
        nonlocal length
        piece = _SPACES.sub(" ", piece)
        if length == 0 or pieces[-1].endswith(" "):
            piece = piece.lstrip(" ")
        if piece:
            pieces.append(piece)
            length += len(piece)

    if start > 0 and not _SENTENCE_END.match(text, max(0, start - 2)):
        add("… ")
    at = start
    for first, last in _merged(marks, end):
        add(text[at:first])
        ranges.append((length, length + last - first))
        add(text[first:last])
        at = last
    add(text[at:end])
    whole = "".join(pieces).rstrip()
    if end < len(text) and not whole.endswith((".", "!", "?", "…", "。", "！", "？")):
        whole += " …"
    return whole, tuple(ranges)


def _merged(marks: list[_Mark], end: int) -> list[tuple[int, int]]:
    """Return the ranges of the marks before `end`; what overlaps or touches is one range."""
    ranges: list[tuple[int, int]] = []
    for mark in marks:
        if mark.end > end:
            break
        if ranges and mark.start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], mark.end)
        else:
            ranges.append((mark.start, mark.end))
    return ranges
