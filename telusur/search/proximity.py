"""Words that stand near each other are meant together: pairs of a query's words, as a bonus."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product

from telusur.index.query import Query, Words
from telusur.index.weights import NEAR_SLOP, NEAR_WEIGHT

MOST_WORDS = 30
"""Of a longer query, which is prose, the first words."""
_MOST_VARIANTS = 4


def with_proximity(query: Query) -> Query:
    """Return the query with a bonus for words typed side by side that stand near each other."""
    near = tuple(_near_pairs(query))
    return replace(query, bonus=(*query.bonus, *near)) if near else query


def _near_pairs(query: Query) -> Iterator[Words]:
    words = [node for node in query.wanted if isinstance(node, Words) and _is_single(node)]
    for first, second in pairwise(words[:MOST_WORDS]):
        pairs = [(*one, *other) for one, other in product(first.variants, second.variants)]
        yield Words(tuple(pairs[:_MOST_VARIANTS]), weight=NEAR_WEIGHT, slop=NEAR_SLOP)


def _is_single(words: Words) -> bool:
    return words.place == "everywhere" and all(len(run) == 1 for run in words.variants)
