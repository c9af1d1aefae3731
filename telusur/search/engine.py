"""The search itself: understand, ask the index, rank again, show hits with words that match."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from telusur.index.contract import Candidate, Entry, Index, Ranking, View
from telusur.index.query import Query, Range, wanted_words
from telusur.index.standing import NO_STANDINGS, Standings
from telusur.language.analysis import is_stop_word
from telusur.models import Explanation, Hit, SearchResults
from telusur.search.crowding import Placed, spread_sites
from telusur.search.proximity import with_proximity
from telusur.search.query import parse_query
from telusur.search.request import SearchRequest
from telusur.search.snippet import make_snippet
from telusur.search.static_rank import explain_static, static_factors
from telusur.search.vector_space import rank_by_cosine

# Nobody reads further, and every hit skipped has to be ranked first.
FURTHEST_OFFSET = 10_000
# A query is analysed in every language that holds at least this part of the documents.
LEAST_SHARE_OF_LANGUAGE = 0.01
# The best by their words are ranked again by all that is known; what comes after stays behind them.
RERANKED = 200

FindCopies = Callable[[Sequence[str]], Mapping[str, tuple[str, ...]]]


class Sources(NamedTuple):
    """What a search reads besides the index: how pages stand, and which pages repeat a hit."""

    standings: Standings = NO_STANDINGS
    find_copies: FindCopies = lambda _: {}


ONLY_THE_INDEX = Sources()


def search(
    index: Index,
    asked: SearchRequest | str,
    page: int = 1,
    limit: int = 10,
    *,
    sources: Sources = ONLY_THE_INDEX,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchResults:
    """Return one page of the documents that fit what was typed, best first.

    1. Read the query. 2. Rank by words. 3. Rank again by what is known of the pages. 4. Spread the
    sites. 5. Show the hits of the page.
    """
    started = clock()
    request = asked if isinstance(asked, SearchRequest) else SearchRequest(asked, page, limit)
    request.check()
    view = index.view()
    languages = languages_of(view)
    query = _as_of(parse_query(request.query, languages), request)  # 1
    ranking = _rank(view, query, request)  # 2
    ranked = rerank(ranking.candidates, sources.standings)  # 3
    placed = _spread(ranked, request)  # 4
    start = (request.page - 1) * request.limit
    shown = placed[start : start + request.limit]
    hits = _Shower(view, query, request, languages, sources).show(shown)  # 5
    return SearchResults(
        query=request.query,
        total=ranking.total,
        hits=hits,
        page=request.page,
        limit=request.limit,
        seconds=clock() - started,
        facets=dict(view.facets(query, request.facets)),
    )


def _as_of(query: Query, request: SearchRequest) -> Query:
    """Return the query without what was fetched after its first page was shown."""
    if request.as_of is None:
        return query
    return replace(query, required=(*query.required, Range(None, request.as_of, "fetched_at")))


def _rank(view: View, query: Query, request: SearchRequest) -> Ranking:
    wanted = request.page * request.limit
    if wanted - request.limit > FURTHEST_OFFSET:
        return Ranking(view.rank(query, 0).total)
    if request.model == "tfidf":
        return rank_by_cosine(view, query, max(RERANKED, wanted))
    return view.rank(with_proximity(query), max(RERANKED, wanted))


def rerank(candidates: Sequence[Candidate], standings: Standings) -> list[Candidate]:
    """Return the candidates in order of their score times their static rank.

    Only the first ones change their places, so that the pages of a search fit together however
    many of them are asked for.
    """
    first = candidates[:RERANKED]
    factors = static_factors(standings, [candidate.number for candidate in first]).tolist()
    again = [
        Candidate(score * factor, number, site, at)
        for (score, number, site, at), factor in zip(first, factors, strict=True)
    ]
    again.sort(key=by_score)
    return [*again, *candidates[RERANKED:]]


def by_score(candidate: Candidate) -> tuple[float, int]:
    """Sort the best first; of equals the order is the same every time."""
    return -candidate.score, candidate.number


def _spread(ranked: list[Candidate], request: SearchRequest) -> list[Placed]:
    """Spread the sites of those that were ranked again; the others follow as they are."""
    is_folded = request.group == "site"
    first = spread_sites(ranked[:RERANKED], request.per_site, fold=is_folded)
    return first if is_folded else [*first, *map(Placed, ranked[RERANKED:])]


def languages_of(index: Index | View) -> tuple[str, ...]:
    """Return the languages a query is analysed in, the most frequent first."""
    counts = index.languages()
    least = sum(counts.values()) * LEAST_SHARE_OF_LANGUAGE
    often = sorted(counts, key=lambda code: (-counts[code], code))
    return tuple(code for code in often if counts[code] >= least) or ("",)


def terms_to_mark(query: Query, languages: tuple[str, ...]) -> frozenset[str]:
    """Return every term that a snippet should show, in all its forms.

    A phrase's "of" and "the" are marked only if it has nothing else.
    """
    every = {term for words in wanted_words(query) for run in words.variants for term in run}
    content = {term for term in every if not any(is_stop_word(term, code) for code in languages)}
    return frozenset(content or every)


class _Shower:
    """Makes hits of candidates."""

    def __init__(
        self,
        view: View,
        query: Query,
        request: SearchRequest,
        languages: tuple[str, ...],
        sources: Sources,
    ) -> None:
        self._view = view
        self._query = query
        self._request = request
        self._sources = sources
        self._marked = terms_to_mark(query, languages)

    def show(self, placed: Sequence[Placed]) -> tuple[Hit, ...]:
        entries = self._view.entries([each.candidate for each in placed])
        copies = self._sources.find_copies([entry.url for entry in entries])
        return tuple(
            self._make_hit(each, entry, copies.get(entry.url, ()))
            for each, entry in zip(placed, entries, strict=True)
        )

    def _make_hit(self, placed: Placed, entry: Entry, copies: tuple[str, ...]) -> Hit:
        snippet, marks = make_snippet(entry.text, self._marked, entry.language, entry.description)
        return Hit(
            url=entry.url,
            title=entry.title,
            snippet=snippet,
            score=entry.score,
            marks=marks,
            site=entry.site,
            language=entry.language,
            date=entry.date,
            fetched_at=entry.fetched_at,
            page_type=entry.page_type,
            more_from_site=placed.more_from_site,
            duplicates=copies,
            explanation=self._explain(placed.candidate) if self._request.explain else None,
        )

    def _explain(self, candidate: Candidate) -> Explanation:
        static = explain_static(self._sources.standings, candidate.number)
        if self._request.model == "tfidf":
            words = Explanation(candidate.score / static.value, "cosine of document and query")
        else:
            words = self._view.explain(with_proximity(self._query), candidate)
        return Explanation(candidate.score, "score: the product of", (words, static))
