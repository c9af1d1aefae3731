"""The search itself: understand, ask the index, show each hit with the words that match."""

import time
from collections.abc import Callable

from telusur.index.contract import Entry, Index
from telusur.language.token_table import pack_tokens
from telusur.models import Hit, SearchResults
from telusur.search.lexicon import NO_LEXICON, Lexicon
from telusur.search.marks import SoughtWord
from telusur.search.query import read_query
from telusur.search.shown import words_to_show
from telusur.search.snippet import make_snippet
from telusur.search.spelling import did_you_mean

# Nobody reads further, and every hit skipped has to be ranked first.
FURTHEST_OFFSET = 10_000
# A query is analysed in every language that holds at least this part of the documents.
LEAST_SHARE_OF_LANGUAGE = 0.01


def search(
    index: Index,
    text: str,
    page: int = 1,
    limit: int = 10,
    *,
    lexicon: Lexicon = NO_LEXICON,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchResults:
    """Return one page of the documents that fit what was typed, best first."""
    started = clock()
    read = read_query(text, languages_of(index), lexicon)
    query = read.query
    offset = (page - 1) * limit
    if offset > FURTHEST_OFFSET:
        found = index.search(query, 0, 0)
    else:
        found = index.search(query, offset, limit)
    view = index.view()
    shown = words_to_show(query, read.languages, lexicon, view)
    hits = tuple(_make_hit(entry, shown) for entry in found.entries)
    return SearchResults(
        query=text,
        total=found.total,
        hits=hits,
        page=page,
        limit=limit,
        understood=read.understood,
        did_you_mean=did_you_mean(read.tree, read.languages, view),
        seconds=clock() - started,
    )


def languages_of(index: Index) -> tuple[str, ...]:
    """Return the languages a query is analysed in, the most frequent first."""
    counts = index.languages()
    least = sum(counts.values()) * LEAST_SHARE_OF_LANGUAGE
    often = sorted(counts, key=lambda code: (-counts[code], code))
    return tuple(code for code in often if counts[code] >= least) or ("",)


def _make_hit(entry: Entry, shown: tuple[SoughtWord, ...]) -> Hit:
    tokens = entry.tokens or pack_tokens(entry.text, entry.language)
    snippet, marks = make_snippet(entry.text, tokens, shown, entry.language, entry.description)
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
    )
