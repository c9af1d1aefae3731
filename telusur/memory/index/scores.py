"""Scores as trees: a score is always kept with the numbers that it was made of."""

from collections.abc import Sequence
from itertools import product

from telusur.index.weights import LENGTH_SHARE, SATURATION, inverse_frequency
from telusur.memory.index.postings import Place, Postings
from telusur.models import Explanation

#: The documents that match, each with its score.
Scores = dict[Place, Explanation]


def score_word(postings: Postings, term: str) -> Scores:
    """Score the documents that have a term, by BM25.

    Terms of important places stand in a document several times. So these frequencies are the
    weighted ones of BM25F.
    """
    found = postings.positions.get(term, {})
    rarity = inverse_frequency(len(found), len(postings.lengths))
    told = f'word, product of "{term}"'
    return {
        place: _bm25(postings, place, len(positions), rarity, told)
        for place, positions in found.items()
    }


def score_phrase(postings: Postings, terms: Sequence[str], slop: int) -> Scores:
    """Score the documents that have terms side by side, or nearly so: as one rare word."""
    each = [postings.positions.get(term, {}) for term in terms]
    documents = len(postings.lengths)
    rarity = sum(inverse_frequency(len(found), documents) for found in each)
    told = f'phrase, product of "{" ".join(terms)}"'
    counts = {
        place: _count_runs([found[place] for found in each], slop)
        for place in each[0]
        if all(place in found for found in each)
    }
    return {
        place: _bm25(postings, place, count, rarity, told)
        for place, count in counts.items()
        if count
    }


def _bm25(postings: Postings, place: Place, count: int, rarity: float, told: str) -> Explanation:
    length, average = postings.lengths[place], postings.average_length
    norm = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length / average)
    share = count * (SATURATION + 1.0) / (count + norm)
    details = (
        Explanation(rarity, "idf, rarity among the documents"),
        Explanation(
            share,
            "saturated frequency",
            (
                Explanation(float(count), "freq, occurrences in the document"),
                Explanation(float(length), "dl, terms of the document"),
                Explanation(average, "avgdl, terms of a document on average"),
            ),
        ),
    )
    return Explanation(rarity * share, told, details)


def _count_runs(positions: Sequence[Sequence[int]], slop: int) -> int:
    """Count the runs of terms that lie at most `slop` from side by side.

    The shift of a term is its position less its number in the phrase. Terms side by side have one
    shift; the difference of the largest and the smallest is how far a run is from that.
    """
    shifts = [[at - number for at in found] for number, found in enumerate(positions)]
    if slop == 0:
        return len(set(shifts[0]).intersection(*shifts[1:]))
    return len({run[0] for run in product(*shifts) if max(run) - min(run) <= slop})


def add_up(parts: Sequence[Explanation]) -> Explanation:
    """Return the sum of scores."""
    if len(parts) == 1:
        return parts[0]
    return Explanation(sum(part.value for part in parts), "sum of", tuple(parts))


def multiply(scores: Scores, factor: float) -> Scores:
    """Return scores that weigh more or less."""
    if factor == 1.0:
        return scores
    return {
        place: Explanation(score.value * factor, f"{factor:.3g} times", (score,))
        for place, score in scores.items()
    }


def best_of(variants: Sequence[Scores]) -> Scores:
    """Return the best score of each document."""
    best: Scores = {}
    for scores in variants:
        for place, score in scores.items():
            if place not in best or score.value > best[place].value:
                best[place] = score
    return best
