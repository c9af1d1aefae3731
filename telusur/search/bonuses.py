"""Bonuses for documents that have the words anyway: near each other, or in the URL too.

Words typed side by side are meant together. The words of a URL are few, so that they need not
drown in a long text: they are scored by themselves too.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product

from telusur.index.query import Query, Words
from telusur.index.weights import IN_URL_WEIGHT, NEAR_SLOP, NEAR_WEIGHT

MOST_WORDS = 30
"""Of a longer query, which is prose, the first words."""
_MOST_VARIANTS = 4


def with_bonuses(query: Query) -> Query:
    """Return the query with its bonuses; it finds the same documents."""
    words = [node for node in query.wanted if isinstance(node, Words) and _is_single(node)]
    words = words[:MOST_WORDS]
    bonuses = (*_near_pairs(words), *_in_url(words))
    return replace(query, bonus=(*query.bonus, *bonuses)) if bonuses else query


def _near_pairs(words: list[Words]) -> Iterator[Words]:
    for first, second in pairwise(words):
        pairs = [(*one, *other) for one, other in product(first.variants, second.variants)]
        yield Words(tuple(pairs[:_MOST_VARIANTS]), weight=NEAR_WEIGHT, slop=NEAR_SLOP)


def _in_url(words: list[Words]) -> Iterator[Words]:
    for word in words:
        yield Words(word.variants, "url", IN_URL_WEIGHT, word.slop)


def _is_single(words: Words) -> bool:
    return words.place == "everywhere" and all(len(run) == 1 for run in words.variants)
