"""Which documents match a query, and how they score."""

from collections.abc import Callable, Iterator, Sequence

from telusur.index.fields import Fields
from telusur.index.query import Fuzzy, Match, Node, Prefix, Query, Range, Words
from telusur.index.weights import FUZZY_SCORE, MOST_WORDS_OF_PREFIX, even_factors, repeated
from telusur.memory.index.postings import Postings, value_of
from telusur.memory.index.scores import (
    Scores,
    add_up,
    best_of,
    multiply,
    score_phrase,
    score_word,
)
from telusur.models import Explanation

_NOTHING = Explanation(0.0, "filter, adds nothing")


class Matcher:
    """Matches queries with the documents of a view."""

    def __init__(self, documents: Sequence[Fields], postings_of: Callable[[str], Postings]) -> None:
        self._documents = documents
        self._postings_of = postings_of

    def match(self, node: Node) -> Scores:
        """Return the documents that match, with their scores."""
        match node:
            case Query():
                return self._query(node)
            case Match():
                return self._filter(lambda fields: _has_value(fields, node))
            case Range():
                return self._filter(lambda fields: _is_within(fields, node))
            case Prefix():
                return multiply(self._prefix(node), repeated(node.weight))
            case Fuzzy():
                return multiply(self._fuzzy(node), repeated(node.weight))
            case Words():
                return multiply(self._words(node), repeated(node.weight))

    def _query(self, query: Query) -> Scores:
        """Combine the parts: all required ones, any wanted one, no excluded one."""
        if query.is_empty:
            return {}
        must = [self.match(node) for node in query.required]
        if query.wanted:
            must.append(_sum([self.match(node) for node in query.wanted]))
        excluded = {place for node in query.excluded for place in self.match(node)}
        found = set(must[0]).intersection(*must[1:]) - excluded
        parts = must + [self.match(node) for node in query.bonus]
        return {place: score for place, score in _sum(parts).items() if place in found}

    def _filter(self, fits: Callable[[Fields], bool]) -> Scores:
        return {place: _NOTHING for place, fields in enumerate(self._documents) if fits(fields)}

    def _words(self, words: Words) -> Scores:
        postings = self._postings_of(words.place)
        runs = [_score_run(postings, run, words.slop) for run in words.variants]
        if len(runs) > 1 and all(len(run) == 1 for run in words.variants):
            frequencies = [postings.frequency(run[0]) for run in words.variants]
            factors = even_factors(frequencies, len(self._documents))
            runs = list(map(multiply, runs, factors))
        return best_of(runs)

    def _prefix(self, prefix: Prefix) -> Scores:
        postings = self._postings_of(prefix.place)
        terms = postings.terms_with(prefix.text, MOST_WORDS_OF_PREFIX)
        return best_of([score_word(postings, term) for term, _ in terms])

    def _fuzzy(self, fuzzy: Fuzzy) -> Scores:
        postings = self._postings_of(fuzzy.place)
        near = Explanation(FUZZY_SCORE, f'similar to "{fuzzy.text}"')
        similar = {
            place: near
            for term, places in postings.positions.items()
            if count_edits(term, fuzzy.text) <= fuzzy.distance
            for place in places
        }
        return best_of([score_word(postings, fuzzy.text), similar])


def _score_run(postings: Postings, run: Sequence[str], slop: int) -> Scores:
    return score_word(postings, run[0]) if len(run) == 1 else score_phrase(postings, run, slop)


def _sum(several: Sequence[Scores]) -> Scores:
    """Add up the scores of each document that is in any of these."""
    places = dict.fromkeys(place for scores in several for place in scores)
    return {
        place: add_up([scores[place] for scores in several if place in scores]) for place in places
    }


def _has_value(fields: Fields, match: Match) -> bool:
    return any(value in match.values for value in _values_of(fields, match.field))


def _values_of(fields: Fields, name: str) -> Iterator[str]:
    """Yield the values by which a document is matched; a site is found by each of its hosts."""
    if name == "id":
        yield fields.url_id.hex()
    elif name == "site":
        yield from fields.hosts
    else:
        yield value_of(fields, name)


def _is_within(fields: Fields, wanted: Range) -> bool:
    # Day 0 is an unknown one.
    value = (fields.day or None) if wanted.field == "day" else fields.fetched_at
    if value is None:
        return False
    is_low = wanted.low is not None and value < wanted.low
    is_high = wanted.high is not None and value > wanted.high
    return not (is_low or is_high)


def count_edits(one: str, other: str) -> int:
    """Return how many letters differ: added, left out, replaced, or two of them swapped."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            edits = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                edits = min(edits, before[j - 2] + 1)
            row.append(edits)
        before, last = last, row
    return last[-1]
