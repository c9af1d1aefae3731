"""Parses a typed query into a tree. There are no errors: wrong syntax is read as words.

Precedence, highest first: `-` and NOT, then AND, then OR, then words side by side.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard, Union

from telusur.document_table import VALUE_FACETS
from telusur.search.query.dates import parse_day
from telusur.search.query.pieces import OPERATORS, Piece, split_pieces

# A typed query is shorter; a longer one is a mistake or an attack, and is cut.
MOST_CHARACTERS = 4_000
MOST_WISHES = 300
MOST_NESTING = 20
# Prefixes and fuzzy words each stand for many words; further ones are read as plain words.
MOST_COSTLY = 8

DATES = ("before", "after")
# Fields whose value must match as a whole, never as a prefix.
VALUES = (*(facet.word for _, facet in VALUE_FACETS.values() if not facet.is_text), *DATES)
SHORTEST_PREFIX = 2
SHORTEST_FUZZY = 3

Tree = Union["QueryWish", "Not", "All", "Either", "Row"]

_NOTHING_BUT_WORDS = re.compile(r"[\w\s]*")
_ENDING = re.compile(r"(?P<stem>.*[^\W_])(?:(?P<star>\*+)|~(?P<distance>[12]?))", re.DOTALL)


@dataclass(slots=True, frozen=True)
class QueryWish:
    """One wish of a query. `field` is "" for anywhere; `distance` is how many letters may differ.

    `kind` is word, phrase, prefix or fuzzy.
    """

    text: str
    field: str = ""
    kind: str = "word"
    distance: int = 0


@dataclass(slots=True, frozen=True)
class Not:
    """An excluded part."""

    part: Tree


@dataclass(slots=True, frozen=True)
class All:
    """Parts joined by AND: all are required."""

    parts: tuple[Tree, ...]


@dataclass(slots=True, frozen=True)
class Either:
    """Parts joined by OR: at least one is required."""

    parts: tuple[Tree, ...]


@dataclass(slots=True, frozen=True)
class Row:
    """Parts side by side. Plain words are optional; all other parts are required."""

    parts: tuple[Tree, ...] = ()


def parse(text: str) -> Row:
    """Return the tree of a query; an empty row if it has no words."""
    text = text[:MOST_CHARACTERS]
    if _NOTHING_BUT_WORDS.fullmatch(text):  # nearly always, and three times as fast
        words = text.split()
        if OPERATORS.keys().isdisjoint(words):
            return Row(tuple(map(QueryWish, words[:MOST_WISHES])))
    return parse_pieces(text)


def parse_pieces(text: str) -> Row:
    """Return the tree of a query by the full grammar."""
    return _Parser(split_pieces(text)).parse()


def wishes_of(tree: Tree) -> Iterator[QueryWish]:
    """Yield every wish of a tree except excluded ones."""
    if isinstance(tree, QueryWish):
        yield tree
    elif not isinstance(tree, Not):
        for part in tree.parts:
            yield from wishes_of(part)


def is_plain(part: Tree | None) -> TypeGuard[QueryWish]:
    """Tell whether a part is a plain word, to be found anywhere."""
    return isinstance(part, QueryWish) and part.kind == "word" and not part.field


class _Parser:
    """Walks over the pieces once; each method reads one level of the grammar."""

    def __init__(self, pieces: list[Piece]) -> None:
        self._pieces = pieces
        self._at = 0
        self._wishes = 0
        self._costly = 0
        self._depth = 0

    def parse(self) -> Row:
        parts: list[Tree] = []
        while self._at < len(self._pieces):
            parts += self._row("").parts
            self._at += 1  # an unmatched bracket
        return Row(tuple(parts))

    def _row(self, field: str) -> Row:
        parts: list[Tree] = []
        while self._next() not in ("", ")"):
            parts += self._either(field)
        return Row(_flat(Row, parts))

    def _either(self, field: str) -> list[Tree]:
        """Read parts joined by OR; an excluded part is not a choice and stays separate."""
        choices: list[Tree] = []
        others: list[Tree] = []
        while True:
            part = self._all(field)
            if part is not None:
                (others if isinstance(part, Not) else choices).append(part)
            if not self._skip("OR"):
                break
        one = [choices[0]] if len(choices) == 1 else [Either(_flat(Either, choices))]
        return (one if choices else []) + others

    def _all(self, field: str) -> Tree | None:
        parts: list[Tree] = []
        while True:
            part = self._not(field)
            if part is not None:
                parts.append(part)
            if not self._skip("AND"):
                break
        if len(parts) < 2:
            return parts[0] if parts else None
        return All(_flat(All, parts))

    def _not(self, field: str) -> Tree | None:
        is_excluded = False
        while self._next() in ("-", "NOT"):
            is_excluded = self._skip(self._next()) and not is_excluded
        part = self._one(field)
        if part is None or not is_excluded:
            return part
        return part.part if isinstance(part, Not) else Not(part)

    def _one(self, field: str) -> Tree | None:
        kind = self._next()
        if kind in ("", ")", "OR", "AND"):
            return None
        piece = self._pieces[self._at]
        self._at += 1
        if kind == "(":
            return self._group(piece.field or field)
        if self._wishes >= MOST_WISHES:
            return None
        self._wishes += 1
        wish = _make_wish(piece, field)
        if wish is not None and wish.kind in ("prefix", "fuzzy"):
            self._costly += 1
            if self._costly > MOST_COSTLY:
                return replace(wish, kind="word", distance=0)
        return wish

    def _group(self, field: str) -> Tree | None:
        if self._depth >= MOST_NESTING:
            return None  # the bracket is ignored, and its contents are read as if it were not there
        self._depth += 1
        row = self._row(field)
        self._skip(")")
        self._depth -= 1
        return row.parts[0] if len(row.parts) == 1 else row if row.parts else None

    def _next(self) -> str:
        return self._pieces[self._at].kind if self._at < len(self._pieces) else ""

    def _skip(self, kind: str) -> bool:
        is_there = self._next() == kind
        self._at += is_there
        return is_there


def _flat(kind: type, parts: list[Tree]) -> tuple[Tree, ...]:
    """Return the parts, with those of the same kind flattened: (a OR b) OR c is one choice."""
    flat: list[Tree] = []
    for part in parts:
        flat += part.parts if isinstance(part, kind) else [part]  # type: ignore[union-attr]
    return tuple(flat)


def _make_wish(piece: Piece, field: str) -> QueryWish | None:
    """Return the wish of one piece; a field with an invalid value is read as a word."""
    wish = QueryWish(piece.text, piece.field or field, "phrase" if piece.is_quoted else "word")
    if wish.field in DATES and parse_day(wish.text) is None:
        wish = replace(wish, text=f"{wish.field}:{wish.text}", field="")
    if wish.text != wish.text.strip():
        wish = replace(wish, text=wish.text.strip())
    if not wish.text:
        return None
    if wish.field in VALUES:
        return replace(wish, kind="word")
    return wish if piece.is_quoted else _with_ending(wish)


def _with_ending(wish: QueryWish) -> QueryWish:
    """Return the wish as a prefix or a fuzzy word, if it ends in * or ~ and is long enough."""
    match = _ENDING.fullmatch(wish.text)
    if match is None:
        return wish
    stem = match["stem"]
    if match["star"] and len(stem) >= SHORTEST_PREFIX:
        return replace(wish, text=stem, kind="prefix")
    if match["distance"] is not None and len(stem) >= SHORTEST_FUZZY:
        return replace(wish, text=stem, kind="fuzzy", distance=int(match["distance"] or 1))
    return replace(wish, text=stem)
