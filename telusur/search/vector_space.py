"""Classic TF-IDF: documents and query as vectors of words, and the cosine between them.

The scheme known as lnc.ltc: the logarithm of frequencies in both, the rarity of words in the query,
both of length 1. The best documents by BM25 are measured, those that share no word are not.
"""

import math
from collections.abc import Iterator

import numpy as np

from telusur.index.contract import Entry, Ranking, View
from telusur.index.query import Query, Words, wanted_words
from telusur.language.token_table import hash_term, unpack_tokens


def rank_by_cosine(view: View, query: Query, limit: int) -> Ranking:
    """Return the documents that BM25 would rank first, in order of the cosine with the query."""
    found = view.rank(query, limit)
    weights = dict(_query_vector(view, query))
    measured = [
        candidate._replace(score=cosine(entry, weights))
        for candidate, entry in zip(found.candidates, view.entries(found.candidates), strict=True)
    ]
    measured.sort(key=lambda candidate: (-candidate.score, candidate.number))
    return Ranking(found.total, tuple(measured))


def _query_vector(view: View, query: Query) -> Iterator[tuple[int, float]]:
    """Yield the hash of each term, and its weight in the query."""
    documents = max(1, view.count())
    for words in wanted_words(query):
        for term in _single_terms(words):
            frequency = view.frequency(term)
            if frequency:
                weight = (1.0 + math.log(max(1.0, words.weight))) * math.log(documents / frequency)
                yield hash_term(term), weight


def _single_terms(words: Words) -> Iterator[str]:
    return (term for run in words.variants for term in run)


def cosine(entry: Entry, query: dict[int, float]) -> float:
    """Return the cosine between a document's words and those of a query."""
    terms, counts = np.unique(unpack_tokens(entry.tokens).hashes, return_counts=True)
    lengths = 1.0 + np.log(counts)
    norm = float(np.sqrt((lengths**2).sum())) * math.sqrt(sum(w * w for w in query.values()))
    if not norm:
        return 0.0
    at = np.searchsorted(terms, list(query))
    at[at == len(terms)] = 0
    shared = terms[at] == np.array(list(query), terms.dtype)
    return float((lengths[at] * shared * np.array(list(query.values()))).sum()) / norm
