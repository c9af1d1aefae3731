"""What was typed, taken apart into a tree. Never an error: what makes no sense is taken as words.

Tightest first: `-` and NOT, then AND, then OR, then words that just follow each other.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard, Union

from telusur.search.dates import parse_day
from telusur.search.pieces import OPERATORS, Piece, split_pieces

# What a person types is shorter; what is longer is a mistake or an attack, and is cut.
MOST_CHARACTERS = 4_000
MOST_WISHES = 300
MOST_NESTING = 20
# Prefixes and near misses stand for many words each; further ones are taken as words.
MOST_COSTLY = 8

FIELDS = ("site", "lang", "type", "topic", "title", "url", "before", "after")
DATES = ("before", "after")
# Fields whose value is looked for as a whole, and never a prefix.
VALUES = ("site", "lang", "type", "before", "after")
SHORTEST_PREFIX = 2
SHORTEST_FUZZY = 3

Tree = Union["Wish", "Not", "All", "Either", "Row"]

_NOTHING_BUT_WORDS = re.compile(r"[\w\s]*")
_ENDING = re.compile(r"(?P<stem>.*[^\W_])(?:(?P<star>\*+)|~(?P<distance>[12]?))", re.DOTALL)


@dataclass(slots=True, frozen=True)
class Wish:
    """One thing asked for. `field` is "" for anywhere; `distance` is how many letters may differ.

    `kind` is word, phrase, prefix or fuzzy.
    """

    text: str
    field: str = ""
    kind: str = "word"
    distance: int = 0


@dataclass(slots=True, frozen=True)
class Not:
    """What must not be there."""

    part: Tree


@dataclass(slots=True, frozen=True)
class All:
    """Parts with AND between them: each must be there."""

    parts: tuple[Tree, ...]


@dataclass(slots=True, frozen=True)
class Either:
    """Parts with OR between them: one must be there."""

    parts: tuple[Tree, ...]


@dataclass(slots=True, frozen=True)
class Row:
    """Parts that follow each other. Of its plain words any may be missing; the rest may not."""

    parts: tuple[Tree, ...] = ()


def parse(text: str) -> Row:
    """Return what was asked for; an empty row if that is nothing."""
    text = text[:MOST_CHARACTERS]
    if _NOTHING_BUT_WORDS.fullmatch(text):  # as nearly always, and three times as fast
        words = text.split()
        if OPERATORS.keys().isdisjoint(words):
            return Row(tuple(map(Wish, words[:MOST_WISHES])))
    return parse_pieces(text)


def parse_pieces(text: str) -> Row:
    """Return what was asked for, by the whole grammar."""
    return _Parser(split_pieces(text)).parse()


def wishes_of(tree: Tree) -> Iterator[Wish]:
    """Yield every wish of a tree but those for what must not be there."""
    if isinstance(tree, Wish):
        yield tree
    elif not isinstance(tree, Not):
        for part in tree.parts:
            yield from wishes_of(part)


def is_plain(part: Tree | None) -> TypeGuard[Wish]:
    """Tell whether a part is a word, to be looked for anywhere."""
    return isinstance(part, Wish) and part.kind == "word" and not part.field


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
            self._at += 1  # a bracket too many
        return Row(tuple(parts))

    def _row(self, field: str) -> Row:
        parts: list[Tree] = []
        while self._next() not in ("", ")"):
            parts += self._either(field)
        return Row(_flat(Row, parts))

    def _either(self, field: str) -> list[Tree]:
        """Read what has OR between; what must not be there is no choice and stands alone."""
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
            return None  # the bracket is left out, what is in it is read as if it had none
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
    """Return the parts, with those of the same kind taken apart: (a OR b) OR c is one choice."""
    flat: list[Tree] = []
    for part in parts:
        flat += part.parts if isinstance(part, kind) else [part]  # type: ignore[union-attr]
    return tuple(flat)


def _make_wish(piece: Piece, field: str) -> Wish | None:
    """Return the wish of one piece: a field whose value makes no sense is a word after all."""
    wish = Wish(piece.text, piece.field or field, "phrase" if piece.is_quoted else "word")
    if wish.field in DATES and parse_day(wish.text) is None:
        wish = replace(wish, text=f"{wish.field}:{wish.text}", field="")
    if wish.text != wish.text.strip():
        wish = replace(wish, text=wish.text.strip())
    if not wish.text:
        return None
    if wish.field in VALUES:
        return replace(wish, kind="word")
    return wish if piece.is_quoted else _with_ending(wish)


def _with_ending(wish: Wish) -> Wish:
    """Return the wish as a prefix or a fuzzy word, if it ends so and is long enough."""
    match = _ENDING.fullmatch(wish.text)
    if match is None:
        return wish
    stem = match["stem"]
    if match["star"] and len(stem) >= SHORTEST_PREFIX:
        return replace(wish, text=stem, kind="prefix")
    if match["distance"] is not None and len(stem) >= SHORTEST_FUZZY:
        return replace(wish, text=stem, kind="fuzzy", distance=int(match["distance"] or 1))
    return replace(wish, text=stem)
