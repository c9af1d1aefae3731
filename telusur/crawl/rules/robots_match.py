"""How the robots.txt rules of one agent decide about a path: the longest match, in linear time."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

# The most rules with stars that are matched as written; this bounds the cost per URL.
MOST_PATTERNS = 1_000
# The most characters of all these rules together.
MOST_PATTERN_CHARACTERS = 32_768
_LONG_PIECE = 16
_UNRESERVED = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
# RFC 9309 2.2.3: in a rule, the literal characters are written %2A and %24.
_SAME_WHEN_ESCAPED = frozenset(_UNRESERVED + b"*$")
_TO_SPELL_OUT = re.compile(r"%[0-9A-Fa-f]{2}|[^!#-;=?-Z_a-z~\[\]]")
_BEFORE_PATH = re.compile(r"(?://)?(?:[^/?;]*?://)?[^/?;]*")


Line = tuple[bool, str]  # whether it is Allow, and its value as written, one character per byte


def line_text(line: Line) -> str:
    """Return a rule as its author wrote it."""
    is_allow, value = line
    readable = value.encode("latin-1").decode("utf-8", "replace")
    return f"{'Allow' if is_allow else 'Disallow'}: {readable}"


class _Pattern(NamedTuple):
    """A rule with stars or an end mark: the pieces between the stars, prepared for searching."""

    rank: int
    first: str
    more: tuple["str | re.Pattern[str]", ...]
    last: str | None
    line: Line
    # Characters of the shortest path that matches.
    least: int

    def matches_behind_first(self, path: str) -> bool:
        """Tell whether the rest of a path that begins with `first` matches the pattern."""
        if len(path) < self.least:
            return False
        # The leftmost position of each piece is enough, so there is no backtracking.
        at = len(self.first)
        for piece in self.more:
            if isinstance(piece, str):
                found = path.find(piece, at)
                if found < 0:
                    return False
                at = found + len(piece)
            else:
                match = piece.search(path, at)
                if match is None:
                    return False
                at = match.end()
        return self.last is None or (path.endswith(self.last) and len(path) - len(self.last) >= at)


def canonical(text: str) -> str:
    """Return bytes read as Latin-1 with every octet in one spelling (RFC 9309 2.2.2)."""
    return _TO_SPELL_OUT.sub(_spell, text)


def _spell(match: re.Match[str]) -> str:
    written = match[0]
    byte = int(written[1:], 16) if len(written) == 3 else ord(written)
    return chr(byte) if byte in _SAME_WHEN_ESCAPED else f"%{byte:02X}"


def path_of(url: str) -> str:
    """Return the part of a URL that rules apply to: canonical path and query, from the slash."""
    url = url.partition("#")[0]
    before = _BEFORE_PATH.match(url)
    path = url[before.end() :] if before else ""
    if not path.isascii():
        path = path.encode("utf-8", "surrogatepass").decode("latin-1")
    return canonical(path if path.startswith("/") else "/" + path)


class RuleSet:
    """The rules of one agent, prepared: prefixes and whole paths by table, then patterns.

    A file may have 500 KiB of patterns, and each would be tried for each URL. So after the first
    thousand, a Disallow pattern is cut before its first star, and an Allow pattern is ignored. Such
    a host is obeyed more strictly than it asks for, never less.
    """

    __slots__ = ("_lengths", "_patterns", "_prefixes", "_whole")

    def __init__(self, lines: Iterable[Line]) -> None:
        self._prefixes: dict[str, Line] = {}
        self._whole: dict[str, Line] = {}
        patterns: dict[tuple[str, bool], _Pattern] = {}
        room = MOST_PATTERN_CHARACTERS
        for value, line in _with_index_pages(lines):
            if "*" in value:
                if (value, line[0]) in patterns:
                    continue
                if len(patterns) < MOST_PATTERNS and len(value) <= room:
                    room -= len(value)
                    patterns[value, line[0]] = _make_pattern(value, line)
                    continue
                if line[0]:
                    continue
                value = value.partition("*")[0] or "/"  # noqa: PLW2901
            is_whole = value[-1] == "$"
            table = self._whole if is_whole else self._prefixes
            path = canonical(value[:-1] if is_whole else value)
            if line[0] or path not in table:
                table[path] = line
        self._lengths = sorted({len(prefix) for prefix in self._prefixes}, reverse=True)
        self._patterns = sorted(patterns.values(), key=lambda each: each.rank, reverse=True)

    def decide(self, path: str) -> Line | None:
        """Return the rule that decides about a canonical path: the longest; Allow wins a tie."""
        rank, line = self._decide_without_patterns(path)
        for pattern in self._patterns:
            if pattern.rank <= rank:
                break
            if path.startswith(pattern.first) and pattern.matches_behind_first(path):
                return pattern.line
        return line

    def _decide_without_patterns(self, path: str) -> tuple[int, Line | None]:
        line = self._whole.get(path)
        if line is not None:
            return _rank(len(path) + 1, line), line
        for length in self._lengths:
            prefix = path[:length]
            line = self._prefixes.get(prefix)
            if line is not None:
                return _rank(len(prefix), line), line
        return 0, None


def _with_index_pages(lines: Iterable[Line]) -> Iterator[tuple[str, Line]]:
    """Yield each rule that is not empty; as with Google, allowing /a/index.html allows /a/ too."""
    for line in lines:
        is_allow, value = line
        if value:
            yield value, line
        if is_allow and "/index.htm" in value:
            slash = value.rindex("/")
            if value.startswith("/index.htm", slash):
                yield value[: slash + 1] + "$", line


def _make_pattern(value: str, line: Line) -> _Pattern:
    is_anchored = value.endswith("$")
    first, *more = map(canonical, (value[:-1] if is_anchored else value).split("*"))
    least = len(first) + sum(map(len, more))
    rank = _rank(least + len(more) + is_anchored, line)
    last = more.pop() if is_anchored else None
    pieces = tuple(_searchable(piece) for piece in more if piece)
    return _Pattern(rank, first, pieces, last, line, least)


def _searchable(piece: str) -> "str | re.Pattern[str]":
    """Return a piece in the form in which it is searched for.

    `str.find` is the fastest, but for a long piece it compares many characters again at each near
    match. A regular expression of plain text never looks back.
    """
    return piece if len(piece) <= _LONG_PIECE else re.compile(re.escape(piece))


def _rank(length: int, line: Line) -> int:
    return 2 * length + line[0]
