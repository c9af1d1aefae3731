"""From ranked candidates to hits with snippets and explanations."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from telusur.index.contract import Candidate, Entry, View
from telusur.index.query import Query
from telusur.index.standing import NO_STANDINGS, Standings
from telusur.models import Explanation, Hit
from telusur.search.rank.meaning import Meaning
from telusur.search.rank.score_tree import explain_score
from telusur.search.rank.vector_space import explain_cosine
from telusur.search.request import SearchRequest
from telusur.search.show.marks import SoughtWord
from telusur.search.show.snippet import SnippetMaker

FindCopies = Callable[[Sequence[str]], Mapping[str, tuple[str, ...]]]


class Sources(NamedTuple):
    """What a search reads besides the index: static rank, duplicates, semantic neighbours."""

    standings: Standings = NO_STANDINGS
    find_copies: FindCopies = lambda _: {}
    meaning: Meaning | None = None
    # Returns the pages that were known before a time and fetched again since.
    fetched_again: Callable[[float], Sequence[bytes]] = lambda _: ()


class HitMaker(NamedTuple):
    """Makes the hits of one search; `query` ranks them, `shown` are the words for snippets."""

    view: View
    query: Query
    shown: tuple[SoughtWord, ...]
    request: SearchRequest
    sources: Sources
    more_from_site: Mapping[int, int]
    # The explanations of candidates ranked by more than their words, by number.
    reasons: Mapping[int, Explanation] = MappingProxyType({})

    def make(self, candidates: Sequence[Candidate]) -> tuple[Hit, ...]:
        """Return candidates as hits, in their order."""
        entries = self.view.entries(candidates)
        copies = self.sources.find_copies([entry.url for entry in entries])
        cutter = SnippetMaker(self.shown)
        return tuple(
            self._make_hit(each, entry, copies.get(entry.url, ()), cutter)
            for each, entry in zip(candidates, entries, strict=True)
        )

    def _make_hit(
        self, candidate: Candidate, entry: Entry, copies: tuple[str, ...], cutter: SnippetMaker
    ) -> Hit:
        snippet, marks = cutter.make(
            entry.text, entry.tokens or None, entry.language, entry.description
        )
        return Hit(
            url=entry.url,
            title=entry.title,
            snippet=snippet,
            score=entry.score,
            marks=marks,
            site=entry.site,
            fetched_at=entry.fetched_at,
            **entry.shown,
            more_from_site=self.more_from_site.get(candidate.number, 0),
            duplicates=copies,
            explanation=self._explain(candidate) if self.request.explain else None,
        )

    def _explain(self, candidate: Candidate) -> Explanation:
        if candidate.number in self.reasons:
            return self.reasons[candidate.number]
        standings = self.sources.standings
        if self.request.model == "tfidf":
            return explain_cosine(self.view, self.query, candidate, standings)
        return explain_score(self.view, self.query, candidate, standings)
