"""The part of a text that shows why it was found: the shortest window with the most query words."""

import re
from collections.abc import Sequence

from telusur.language.analysis import UNKNOWN_IS_READ_AS, kept_letters
from telusur.language.compiled import native
from telusur.language.indexed_text import compiled_analysis, make_token_table
from telusur.language.token_table import unpack_tokens
from telusur.search.show.marks import MOST_PLACES, Mark, SoughtWord, find_marks

SNIPPET_CHARACTERS = 240
_MOST_PLAIN = 64
_MOST_RUNS = 4

_SPACES = re.compile(r"\s+")
_SENTENCE_END = re.compile(r"[.!?…؟۔।][\"'”’)\]»]*\s|[。！？]|\n")
_ENDS_A_SENTENCE = re.compile(rf"(?:{_SENTENCE_END.pattern})\s*\Z")
_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "۔", "।")

Ranges = tuple[tuple[int, int], ...]


def make_snippet(
    text: str,
    tokens: str | None,
    words: Sequence[SoughtWord],
    language: str = "",
    fallback: str = "",
) -> tuple[str, Ranges]:
    """Return the piece of `text` with the most query words, and the ranges to mark in it.

    `tokens` is the table that `pack_tokens` made of the text; without one the text is read again.
    If the text has none of the words, `fallback` (the description) is used, or the beginning of the
    text.
    """
    return SnippetMaker(words).make(text, tokens, language, fallback)


class SnippetMaker:
    """Cuts snippets for the words of one query; the words are prepared once for all hits."""

    def __init__(self, words: Sequence[SoughtWord]) -> None:
        self._words = words
        self._is_plain = native is not None and _are_plain(words)
        self._runs = [(number, run) for number, word in enumerate(words) for run in word.runs]
        self._weights = [word.weight for word in words]
        self._beginnings = _beginnings_of(words)

    def make(
        self, text: str, tokens: str | None, language: str = "", fallback: str = ""
    ) -> tuple[str, Ranges]:
        """Return a snippet as `make_snippet` does."""
        cut = self._cut(text, tokens, language)
        if cut is not None:
            return cut
        if fallback.strip():
            return self.make(fallback, None, language)
        return _tidy(text, *_widen(text, 0, 0), [])

    def _cut(self, text: str, tokens: str | None, language: str) -> tuple[str, Ranges] | None:
        """Return the best window with its marks; None if no word occurs."""
        if self._is_plain and (tokens is None or len(tokens) % 6 == 0):
            made = self._cut_compiled(text, tokens, language)
            if made is not None:
                return made if made[1] else None
        if tokens is None:
            tokens = make_token_table(text, language)
        marks = find_marks(text, unpack_tokens(tokens), self._words, language)
        if not marks:
            return None
        start, end = _widen(text, *best_window(marks, self._words))
        return _tidy(text, start, end, [mark for mark in marks if mark.start >= start])

    def _cut_compiled(
        self, text: str, tokens: str | None, language: str
    ) -> tuple[str, Ranges] | None:
        """Return the same without marks if no word occurs; None if the text needs a table."""
        made: tuple[str, Ranges] | None
        rest = (self._runs, self._weights, SNIPPET_CHARACTERS, MOST_PLACES)
        if tokens is not None:
            made = native.make_snippet(text, tokens, *rest)
            return made
        beginnings = self._beginnings[kept_letters(language)]
        analysis = compiled_analysis(language or UNKNOWN_IS_READ_AS)
        made = analysis.make_snippet(text, beginnings, *rest)
        return made


def _beginnings_of(words: Sequence[SoughtWord]) -> tuple[str, str, str]:
    """Return how a word must begin to be one of these, if its stem keeps no, one or two letters.

    Each is pairs of a letter and the next one, "*" for any; "" if words may begin with any letter.
    Terms side by side need all words of a text.
    """
    if any(not word.beginnings or any(len(run) > 1 for run in word.runs) for word in words):
        return "", "", ""
    letters = {letters for word in words for letters in word.beginnings if letters.isascii()}
    firsts = {letter[0] for letter in letters}
    # A beginning that no word has: words of ASCII letters are none of these.
    nothing = "**"
    return (
        "",
        "".join(f"{letter}*" for letter in firsts) or nothing,
        "".join(each.ljust(2, "*") for each in letters) or nothing,
    )


def _are_plain(words: Sequence[SoughtWord]) -> bool:
    """Tell whether words can be found by their hashes alone, and are few enough."""
    return len(words) <= _MOST_PLAIN and not any(
        word.exact or word.part_of or len(word.runs) > _MOST_RUNS or max(map(len, word.runs)) > 64
        for word in words
        if word.runs
    )


def best_window(marks: Sequence[Mark], words: Sequence[SoughtWord]) -> tuple[int, int]:
    """Return start and end of the shortest window with the most words.

    It is a sliding window: the right end takes in a mark, the left end drops marks that are too far
    back or occur again further on.
    """
    held = [0] * len(words)
    worth, left = 0.0, 0
    best, best_key = (marks[0].start, marks[0].end), (0.0, 0)
    for mark in marks:
        held[mark.word] += 1
        if held[mark.word] == 1:
            worth += words[mark.word].weight
        while left < len(marks) and (behind := marks[left]) is not mark:
            if held[behind.word] == 1 and mark.end - behind.start <= SNIPPET_CHARACTERS:
                break
            held[behind.word] -= 1
            if not held[behind.word]:
                worth -= words[behind.word].weight
            left += 1
        start = marks[left].start
        key = (round(worth, 6), start - mark.end)
        if key > best_key:
            best, best_key = (start, mark.end), key
    return best


def _widen(text: str, first: int, last: int) -> tuple[int, int]:
    """Return the window extended to the length of a snippet: whole sentences, or whole words."""
    room = max(0, SNIPPET_CHARACTERS - (last - first))
    start = _start_of_sentence(text, first, room)
    if start is None:
        start = _start_of_word(text, max(0, first - room // 3), first)
    end = min(len(text), max(last, start + SNIPPET_CHARACTERS))
    return start, max(last, _end_of_sentence(text, last, end))


def _start_of_sentence(text: str, first: int, room: int) -> int | None:
    """Return where the sentence around `first` begins, if that is near enough."""
    low = max(0, first - room)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, low, first)]
    if ends:
        return ends[-1]
    return 0 if low == 0 else None


def _start_of_word(text: str, at: int, first: int) -> int:
    """Return the beginning of the next word from `at` on, or `at` in a script without spaces."""
    if at == 0:
        return 0
    space = _SPACES.search(text, at, min(at + 30, first))
    return space.end() if space else at


def _end_of_sentence(text: str, last: int, end: int) -> int:
    """Return where to stop: after a sentence in the last third, or after a word."""
    if end >= len(text):
        return len(text)
    low = max(last, end - SNIPPET_CHARACTERS // 3)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, low, end)]
    if ends:
        return ends[-1]
    space = max(text.rfind(" ", low, end), text.rfind("\n", low, end))
    return space if space > low else end


def _tidy(text: str, start: int, end: int, marks: Sequence[Mark]) -> tuple[str, Ranges]:
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

    if start > 0 and not _ENDS_A_SENTENCE.search(text[max(0, start - 9) : start]):
        add("… ")
    at = start
    for first, last in _merged(marks, end):
        add(text[at:first])
        before = length
        add(text[first:last])
        ranges.append((before, length))
        at = last
    add(text[at:end])
    whole = "".join(pieces).rstrip()
    if end < len(text) and not whole.endswith(_ENDS):
        whole += " …"
    return whole, tuple(ranges)


def _merged(marks: Sequence[Mark], end: int) -> list[tuple[int, int]]:
    """Return the ranges of the marks before `end`; ranges that overlap or touch are merged."""
    ranges: list[tuple[int, int]] = []
    for start, stop, _ in marks:
        if stop > end:
            continue
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(stop, ranges[-1][1]))
        else:
            ranges.append((start, stop))
    return ranges
