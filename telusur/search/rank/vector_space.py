"""Classic TF-IDF: documents and query as vectors of words, and the cosine between them.

The scheme is known as lnc.ltc: the logarithm of frequencies in both, the rarity of words in the
query, both normalised to length 1. A document is the words of its title and its text.
"""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.index.contract import Candidate, Candidates, Entry, Ranking, View
from telusur.index.query import Query, Words
from telusur.index.standing import Standings
from telusur.language.analysis import terms
from telusur.language.token_table import hash_term, unpack_tokens
from telusur.models import Explanation
from telusur.search.rank.static_rank import static_summands

# At most this many matching documents are measured, as far as pages of hits reach. If more match,
# those that BM25F ranks first are measured. It bounds the cost of a query.
MOST_MEASURED = 10_000
_AT_ONCE = 500

Hashes = NDArray[np.uint32]


class SoughtTerm(NamedTuple):
    """A word of the query: the hashes of its competing forms, and its weight."""

    name: str
    hashes: tuple[int, ...]
    weight: float


def rank_by_cosine(view: View, query: Query) -> Ranking:
    """Return the matching documents in order of their cosine with the query."""
    found = view.rank(query, MOST_MEASURED)
    sought = query_vector(view, query)
    measured: list[Candidate] = []
    for start in range(0, len(found.candidates), _AT_ONCE):
        some = found.candidates[start : start + _AT_ONCE]
        entries = view.entries(some)
        measured += (
            each._replace(score=cosine(entry, sought))
            for each, entry in zip(some, entries, strict=True)
        )
    measured.sort(key=lambda candidate: (-candidate.score, candidate.number))
    return Ranking(found.total, Candidates.of(measured))


def query_vector(view: View, query: Query) -> list[SoughtTerm]:
    """Return the words of a query with their weights, as a vector of length 1."""
    documents = max(1, view.count())
    found: list[SoughtTerm] = []
    for words in _asked_words(query):
        for variants in _by_term(words):
            frequency = max(view.frequency(term) for term in variants)
            if frequency:
                often = 1.0 + math.log(max(1.0, words.weight))
                weight = often * math.log(documents / frequency)
                found.append(SoughtTerm(variants[0], tuple(map(hash_term, variants)), weight))
    length = math.sqrt(sum(each.weight**2 for each in found)) or 1.0
    return [each._replace(weight=each.weight / length) for each in found]


def _asked_words(query: Query) -> Iterator[Words]:
    """Yield the typed words, without the bonuses, which belong to BM25F."""
    for node in (*query.required, *query.wanted):
        if isinstance(node, Words):
            yield node
        elif isinstance(node, Query):
            yield from _asked_words(node)


def _by_term(words: Words) -> list[tuple[str, ...]]:
    """Return the forms of a word; a phrase is its words, in the forms of each language."""
    if all(len(run) == 1 for run in words.variants):
        return [tuple(term for (term,) in words.variants)]
    return [(term,) for term in dict.fromkeys(words.variants[0])]


def cosine(entry: Entry, sought: Sequence[SoughtTerm]) -> float:
    """Return the cosine between a document's words and those of a query."""
    return sum(value for _, value in shares(entry, sought))


def shares(entry: Entry, sought: Sequence[SoughtTerm]) -> list[tuple[str, float]]:
    """Return what each word of a query adds to the cosine."""
    hashes, counts = np.unique(_words_of(entry), return_counts=True)
    lengths = 1.0 + np.log(counts)
    norm = float(np.sqrt((lengths**2).sum()))
    if not norm:
        return []
    return [
        (each.name, each.weight * max(_look_up(hashes, lengths, one) for one in each.hashes) / norm)
        for each in sought
    ]


def _words_of(entry: Entry) -> Hashes:
    in_title = [hash_term(term) for term in terms(entry.title, entry.language)]
    in_text = unpack_tokens(entry.token_table).hashes
    return np.concatenate((np.array(in_title, np.uint32), in_text))


def _look_up(hashes: Hashes, lengths: NDArray[np.float64], wanted: int) -> float:
    at = int(np.searchsorted(hashes, np.uint32(wanted)))
    return float(lengths[at]) if at < len(hashes) and int(hashes[at]) == wanted else 0.0


def explain_cosine(
    view: View, query: Query, candidate: Candidate, standings: Standings
) -> Explanation:
    """Return what each word of the query and the static rank of the page add to its score."""
    static = static_summands(standings, candidate.number)
    by_words = candidate.score / (1.0 + sum(part for _, part in static))
    (entry,) = view.entries([candidate])
    added = shares(entry, query_vector(view, query))
    leaves = [Explanation(value, f'"{name}" in the cosine') for name, value in added if value]
    leaves += [
        Explanation(by_words * part, f"{told}: {part:.4f} of the cosine")
        for told, part in static
        if part
    ]
    return Explanation(candidate.score, "score: the sum of", tuple(leaves))
