"""A query for an index: terms are analysed, with the form of a word in every language."""

from dataclasses import dataclass
from typing import Union

from telusur.document_table import VALUE_FACETS

Node = Union["Words", "Prefix", "Fuzzy", "Match", "Range", "Query"]

# Where a term may be searched. `everywhere`: stems of all places, weighted. `title`, `url`: stems
# of one place. `exact`: words of title, headings and text as written, in lower case, not stemmed. A
# facet with texts as values is a place too: stems of its value.
PLACES = (
    "everywhere", "exact", "title", "url",
    *(name for name, (_, facet) in VALUE_FACETS.items() if facet.is_text),
)  # fmt: skip


@dataclass(slots=True, frozen=True)
class Words:
    """One word or phrase; its variants (other languages' stems, synonyms) compete, the best counts.

    A variant is a run of terms that must be side by side; a word is a run of one. With a `slop`,
    the terms may be moved by up to so many positions in all: that many other words may be between
    them, and two neighbours in reverse order are two positions away.
    """

    variants: tuple[tuple[str, ...], ...]
    place: str = "everywhere"
    weight: float = 1.0
    slop: int = 0


@dataclass(slots=True, frozen=True)
class Prefix:
    """Words with this beginning. The most frequent ones are searched, and compete."""

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
    """A field that must have one of the values exactly. It adds no score.

    The field is a facet (a site or host, a language code ...), or `id`: a `url_id` in hex.
    """

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
    """What a document must, should and must not contain. Queries nest: OR has only `wanted`.

    `required`: all of them. `wanted`: at least one, and each adds its score. `excluded`: none.
    `bonus`: adds to the score of matching documents.
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
    """Return the wanted words and phrases, including those of nested queries."""
    found: list[Words] = []
    for node in (*query.required, *query.wanted, *query.bonus):
        if isinstance(node, Words):
            found.append(node)
        elif isinstance(node, Query):
            found += wanted_words(node)
    return tuple(found)
