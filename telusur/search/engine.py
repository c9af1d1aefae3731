"""The search itself: understand, ask the index, show each hit with the words that match."""

import time
from collections.abc import Callable

from telusur.index.contract import Entry, Index
from telusur.index.query import Query, wanted_words
from telusur.language.analysis import is_stop_word
from telusur.models import Hit, SearchResults
from telusur.search.query import parse_query
from telusur.search.snippet import make_snippet

# Nobody reads further, and every hit skipped has to be ranked first.
FURTHEST_OFFSET = 10_000
# A query is analysed in every language that holds at least this part of the documents.
LEAST_SHARE_OF_LANGUAGE = 0.01


def search(
    index: Index,
    text: str,
    page: int = 1,
    limit: int = 10,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchResults:
    """Return one page of the documents that fit what was typed, best first."""
    started = clock()
    languages = languages_of(index)
    query = parse_query(text, languages)
    offset = (page - 1) * limit
    if offset > FURTHEST_OFFSET:
        found = index.search(query, 0, 0)
    else:
        found = index.search(query, offset, limit)
    shown = terms_to_mark(query, languages)
    hits = tuple(_make_hit(entry, shown) for entry in found.entries)
    return SearchResults(text, found.total, hits, page, limit, clock() - started)


def languages_of(index: Index) -> tuple[str, ...]:
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


def _make_hit(entry: Entry, shown: frozenset[str]) -> Hit:
    snippet, marks = make_snippet(entry.text, shown, entry.language, entry.description)
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
