"""A query as an index understands it: terms are analysed, every language's form of a word named."""

from dataclasses import dataclass
from typing import Union

Node = Union["Words", "Prefix", "Fuzzy", "Match", "Range", "Query"]

# Where a term may be asked for. `everywhere`: stems of all places, weighted. `title`, `url`: stems
# of one place. `exact`: words of title, headings and text as written, in lower case, not stemmed.
PLACES = ("everywhere", "exact", "title", "url")
# What may be matched by value: a site or host, a language code, a kind of page, a `url_id` in hex.
MATCHED = ("site", "language", "type", "id")


@dataclass(slots=True, frozen=True)
class Words:
    """One word or phrase; its variants (other languages' stems, synonyms) compete, the best counts.

    A variant is a run of terms that must stand side by side, or with up to `slop` other words
    between them; a word is a run of one.
    """

    variants: tuple[tuple[str, ...], ...]
    place: str = "everywhere"
    weight: float = 1.0
    slop: int = 0


@dataclass(slots=True, frozen=True)
class Prefix:
    """Words that begin so. The most frequent ones are looked for, and compete."""

    text: str
    place: str = "exact"
    weight: float = 1.0


@dataclass(slots=True, frozen=True)
class Fuzzy:
    """Words that differ from this one by at most `distance` letters (1 or 2)."""

    text: str
    distance: int = 1
    place: str = "exact"
    weight: float = 1.0


@dataclass(slots=True, frozen=True)
class Match:
    """A field that must hold one of the values exactly: a site, a language. It adds no score."""

    field: str
    values: tuple[str, ...]


@dataclass(slots=True, frozen=True)
class Range:
    """A document's `day` (20240131) or `fetched_at` from `low` to `high`, both included.

    It adds no score. A document without a date is in no range of days.
    """

    low: float | None = None
    high: float | None = None
    field: str = "day"


@dataclass(slots=True, frozen=True)
class Query:
    """What a document must, should and must not hold. Queries nest: OR is one with only `wanted`.

    `required`: all of them. `wanted`: at least one, and each adds its score. `excluded`: none.
    `bonus`: adds score to what matches anyway.
    """

    wanted: tuple[Node, ...] = ()
    required: tuple[Node, ...] = ()
    excluded: tuple[Node, ...] = ()
    bonus: tuple[Node, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Tell whether the query asks for nothing that could be ranked or listed."""
        return not (self.wanted or self.required)


def wanted_words(query: Query) -> tuple[Words, ...]:
    """Return the words and phrases a reader wants to see, those of nested queries included."""
    found: list[Words] = []
    for node in (*query.required, *query.wanted, *query.bonus):
        if isinstance(node, Words):
            found.append(node)
        elif isinstance(node, Query):
            found += wanted_words(node)
    return tuple(found)
