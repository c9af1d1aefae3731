"""The search itself: read the query, search the index, rerank, make hits with marked words."""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from telusur.index.contract import Candidates, Index, Ranking, View
from telusur.index.query import Match, Node, Query, Range
from telusur.index.standing import Standings
from telusur.models import HitGroup, SearchResults
from telusur.search.help.grouping import group_by_topic
from telusur.search.help.spelling import did_you_mean
from telusur.search.query.lexicon import NO_LEXICON, Lexicon
from telusur.search.query.reader import ReadQuery, read_query
from telusur.search.rank.bonuses import TypedWords, with_bonuses
from telusur.search.rank.crowding import Spread, spread_sites
from telusur.search.rank.meaning import Fusion, add_meaning, meant_words
from telusur.search.rank.static_rank import static_factors
from telusur.search.rank.vector_space import rank_by_cosine
from telusur.search.request import SearchRequest
from telusur.search.show.hits import HitMaker, Sources
from telusur.search.show.shown import words_to_show

# Nobody reads further, and every skipped hit has to be ranked first.
FURTHEST_OFFSET = 10_000
# A query is analysed in every language with at least this share of the documents.
LEAST_SHARE_OF_LANGUAGE = 0.01
# How many of the best hits by words are reranked by everything known; the rest stay behind them.
RERANKED = 100
ONLY_THE_INDEX = Sources()


def search(
    index: Index,
    asked: SearchRequest | str,
    page: int = 1,
    limit: int = 10,
    *,
    sources: Sources = ONLY_THE_INDEX,
    lexicon: Lexicon = NO_LEXICON,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchResults:
    """Return one page of the documents that match a query, best first.

    1. Read the query. 2. Rank by words. 3. Rerank by static rank. 4. Fuse with semantic matches,
    if asked for. 5. Spread the sites. 6. Make the hits of the page.
    """
    started = clock()
    request = asked if isinstance(asked, SearchRequest) else SearchRequest(asked, page, limit)
    request.check()
    view = index.view()
    read = read_query(request.query, languages_of(view), lexicon)  # 1
    typed = TypedWords.of(read.tree, read.languages, lexicon)
    query = with_bonuses(_as_of(read.query, request, sources), typed)
    ranking = _rank(view, query, request)  # 2
    ranked = rerank(ranking.candidates, sources.standings)  # 3
    fusion = _fuse(view, query, read, ranked, sources)  # 4
    spread = _spread(fusion.candidates, request)  # 5
    start = (request.page - 1) * request.limit
    shown = words_to_show(read.query, read.languages, lexicon, view)
    maker = HitMaker(view, query, shown, request, sources, spread.more, fusion.reasons)
    hits = maker.make(spread.candidates[start : start + request.limit])  # 6
    return SearchResults(
        query=request.query,
        total=ranking.total + fusion.added,
        hits=hits,
        page=request.page,
        limit=request.limit,
        understood=read.understood,
        did_you_mean=did_you_mean(read.tree, read.languages, view),
        groups=_groups(maker, spread.candidates),
        facets=dict(view.facets(query, request.facets)),
        seconds=clock() - started,
    )


def _fuse(
    view: View, query: Query, read: ReadQuery, ranked: Candidates, sources: Sources
) -> Fusion:
    if sources.meaning is None:
        return Fusion(ranked)
    return add_meaning(view, query, meant_words(read.tree), ranked, sources.meaning)


def _groups(maker: HitMaker, candidates: Candidates) -> tuple[HitGroup, ...]:
    if maker.request.group != "topic":
        return ()
    return group_by_topic(maker, candidates[:RERANKED])


def _as_of(query: Query, request: SearchRequest, sources: Sources) -> Query:
    """Return the query restricted to pages fetched before its first page of hits was shown.

    A page that was known before and has been fetched again since stays in place.
    """
    if request.as_of is None or query.is_empty:
        return query
    known: Node = Range(None, request.as_of, "fetched_at")
    if again := sources.fetched_again(request.as_of):
        known = Query(wanted=(known, Match("id", tuple(url_id.hex() for url_id in again))))
    return replace(query, required=(*query.required, known))


def _rank(view: View, query: Query, request: SearchRequest) -> Ranking:
    wanted = request.page * request.limit
    if wanted - request.limit > FURTHEST_OFFSET:
        return Ranking(view.rank(query, 0).total)
    if request.model == "tfidf":
        return rank_by_cosine(view, query)
    return view.rank(query, max(RERANKED, wanted))


def rerank(candidates: Candidates, standings: Standings) -> Candidates:
    """Return the candidates in order of their score times their static rank.

    Only the first ones change places, so that the pages of a search are consistent however many are
    requested.
    """
    if len(candidates) > RERANKED:
        return rerank(candidates[:RERANKED], standings) + candidates[RERANKED:]
    numbers = np.array(candidates.numbers, np.uint64)
    scores = np.array(candidates.scores) * static_factors(standings, numbers)
    # Best first; ties are always in the same order.
    order: list[int] = np.lexsort((numbers, -scores)).tolist()
    known = (candidates.numbers, candidates.sites, candidates.addresses)
    return Candidates(scores.tolist(), *known).at(order)


def _spread(ranked: Candidates, request: SearchRequest) -> Spread:
    """Spread the sites of the reranked candidates; the others follow unchanged."""
    is_folded = request.group == "site"
    first = spread_sites(ranked[:RERANKED], request.per_site, fold=is_folded)
    if is_folded or len(ranked) <= RERANKED:
        return first
    return Spread(first.candidates + ranked[RERANKED:], first.more)


def languages_of(index: Index | View) -> tuple[str, ...]:
    """Return the languages a query is analysed in, the most frequent first."""
    counts = index.languages()
    least = sum(counts.values()) * LEAST_SHARE_OF_LANGUAGE
    return tuple([code for code, count in counts.items() if count >= least]) or ("",)
