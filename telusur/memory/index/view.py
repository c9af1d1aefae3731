"""The index in memory as of one commit."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from telusur.document_table import FIELD_FACETS
from telusur.index.contract import Candidate, Candidates, Entry, Ranking
from telusur.index.fields import Fields
from telusur.index.query import Query
from telusur.memory.index.matching import Matcher
from telusur.memory.index.postings import Place, Postings, make_postings, value_of
from telusur.models import Explanation, FacetCount


class MemoryView:
    """Implements `telusur.index.contract.View`. A candidate's address is its place in the list."""

    def __init__(self, documents: Sequence[Fields]) -> None:
        self._documents = documents
        self._postings: dict[str, Postings] = {}
        self._matcher = Matcher(documents, self._postings_of)

    def _postings_of(self, place: str) -> Postings:
        if place not in self._postings:
            self._postings[place] = make_postings(self._documents, place)
        return self._postings[place]

    def rank(self, query: Query, limit: int) -> Ranking:
        """Return the `limit` best documents for a query, and the number of all that match."""
        scores = self._matcher.match(query)
        best = sorted(scores, key=lambda place: (-scores[place].value, place))[:limit]
        candidates = [self._candidate(place, scores[place].value) for place in best]
        return Ranking(len(scores), Candidates.of(candidates))

    def _candidate(self, place: Place, score: float) -> Candidate:
        fields = self._documents[place]
        return Candidate(score, fields.number, fields.site_number, place)

    def entries(self, candidates: Sequence[Candidate]) -> tuple[Entry, ...]:
        """Return the documents of candidates of this view, in their order."""
        return tuple(self._entry(candidate) for candidate in candidates)

    def _entry(self, candidate: Candidate) -> Entry:
        fields = self._fields_of(candidate)
        return Entry(
            fields.url_id, candidate.score, fields.url, fields.title, fields.description,
            fields.text, fields.site, fields.fetched_at, fields.shown, fields.tokens,
        )  # fmt: skip

    def _fields_of(self, candidate: Candidate) -> Fields:
        assert isinstance(candidate.address, int)
        return self._documents[candidate.address]

    def facets(self, query: Query, names: Iterable[str]) -> Mapping[str, tuple[FacetCount, ...]]:
        """Count the matches by facets, the most frequent first; dates in order of time."""
        found = [self._documents[place] for place in self._matcher.match(query)]
        return {name: _count_values(found, name) for name in names}

    def explain(self, query: Query, candidate: Candidate) -> Explanation | None:
        """Return how the score of a candidate of this view was calculated; None if it has none."""
        assert isinstance(candidate.address, int)
        return self._matcher.match(query).get(candidate.address)

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language, the most first; "" is unknown."""
        counted = Counter(value_of(fields, "language") for fields in self._documents)
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))

    def count(self) -> int:
        """Return the number of documents."""
        return len(self._documents)

    def frequency(self, term: str, place: str = "everywhere") -> int:
        """Return how many documents have a term in a place."""
        return self._postings_of(place).frequency(term)

    def terms(self, prefix: str, limit: int, place: str = "exact") -> list[tuple[str, int]]:
        """Return terms with this beginning and their numbers of documents, the largest first."""
        return self._postings_of(place).terms_with(prefix, limit)


def _count_values(documents: Sequence[Fields], name: str) -> tuple[FacetCount, ...]:
    """Count the values of a facet; documents without a value are left out."""
    _, facet = FIELD_FACETS[name]
    if facet.step:
        steps = Counter(fields.day // facet.step for fields in documents if fields.day)
        return tuple(FacetCount(_date(step), steps[step]) for step in sorted(steps))
    counted = Counter(value_of(fields, name) for fields in documents)
    del counted[""]
    ordered = sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(FacetCount(value, count) for value, count in ordered)


def _date(step: int) -> str:
    """Return `2024` for the number of a year, `2024-01` for 202401."""
    digits = str(step)
    return digits if len(digits) <= 4 else f"{digits[:-2]}-{digits[-2:]}"
