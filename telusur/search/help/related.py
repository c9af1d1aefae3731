"""Pages related to a page, found by its most characteristic words."""

import math
from collections import Counter
from typing import NamedTuple

import numpy as np

from telusur.index.contract import Candidate, Candidates, Entry, IndexItem, View
from telusur.index.places import places_of
from telusur.index.query import Query, Words
from telusur.index.weights import inverse_frequency
from telusur.language.analysis import terms
from telusur.language.indexed_text import make_token_table
from telusur.language.token_table import Hashes, unpack_tokens
from telusur.models import Hit
from telusur.search.request import SearchRequest
from telusur.search.show.hits import HitMaker, Sources
from telusur.search.show.marks import SoughtWord

TELLING_TERMS = 25
# Every page of a site has the words of its host; they say nothing about one page.
_PLACES_LEFT_OUT = ("url", "anchor")
# Pages that share more of their word pairs than this are near-duplicates.
NEAR_DUPLICATE = 0.7
# How many more are ranked than requested, since near-duplicates are left out.
_SPARE = 20


class TellingTerm(NamedTuple):
    """A term of a document, its weight there, and how characteristic it is."""

    term: str
    frequency: float
    worth: float


def find_related(view: View, item: IndexItem, limit: int, sources: Sources) -> tuple[Hit, ...]:
    """Return the pages most similar to a page, best first, without itself and near-duplicates."""
    told = telling_terms(view, item)
    query = Query(
        wanted=tuple(Words(((each.term,),), weight=each.frequency) for each in told),
    )
    ranked = view.rank(query, limit + _SPARE).candidates
    others = _without_copies(item, ranked, view.entries(ranked))[:limit]
    shown = tuple(SoughtWord.of([(each.term,)], each.worth) for each in told)
    request = SearchRequest("", limit=limit)
    return HitMaker(view, query, shown, request, sources, {}).make(others)


def telling_terms(view: View, item: IndexItem, most: int = TELLING_TERMS) -> list[TellingTerm]:
    """Return the most characteristic terms of a document, of those that other documents have too.

    Words of the title and of headings weigh more, as in the index.
    """
    weights: Counter[str] = Counter()
    for place in places_of(item):
        if place.name not in _PLACES_LEFT_OUT:
            for term in terms(place.text, item.document.language):
                weights[term] += place.weight
    documents = view.count()
    found = []
    for term, weight in weights.items():
        shared_by = view.frequency(term)
        if shared_by > 1:
            frequency = 1.0 + math.log(weight)
            worth = frequency * inverse_frequency(shared_by, documents)
            found.append(TellingTerm(term, frequency, worth))
    found.sort(key=lambda each: (-each.worth, each.term))
    return found[:most]


def _without_copies(
    item: IndexItem, ranked: Candidates, entries: tuple[Entry, ...]
) -> list[Candidate]:
    """Leave out the page itself, and near-duplicates of it or of an earlier candidate."""
    kept, seen = [], [_pairs_of(make_token_table(item.document.text, item.document.language))]
    for candidate, entry in zip(ranked, entries, strict=True):
        pairs = _pairs_of(entry.token_table)
        if entry.url_id == item.url_id or any(_overlap(pairs, one) for one in seen):
            continue
        kept.append(candidate)
        seen.append(pairs)
    return kept


def _pairs_of(table: str) -> Hashes:
    """Return a number for each distinct pair of consecutive words, sorted."""
    hashes = unpack_tokens(table).hashes
    return np.unique(hashes[:-1] * np.uint32(31) + hashes[1:])


def _overlap(a: Hashes, b: Hashes) -> bool:
    if not len(a) or not len(b) or min(len(a), len(b)) < NEAR_DUPLICATE * max(len(a), len(b)):
        return False
    both = len(np.intersect1d(a, b, assume_unique=True))
    return both >= NEAR_DUPLICATE * (len(a) + len(b) - both)
