"""One search for all roads: what was asked, what was found, and as of when."""

from dataclasses import dataclass, replace
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from telusur.models import SearchResults
from telusur.search.engine import FURTHEST_OFFSET, RERANKED
from telusur.search.request import SearchRequest
from telusur.web.pace import Pace, is_plain
from telusur.web.params import MAX_PAGE
from telusur.web.reader import CollectionReader, collection_of

__all__ = ["Found", "collection_of", "find"]

READ_SECONDS = 0.5
"""A visitor waits about so long while a model reads new documents; the next ones read the rest."""


@dataclass(slots=True, frozen=True)
class Found:
    """A page of hits and what it answers; the time of it keeps further pages in step with it."""

    wanted: SearchRequest
    results: SearchResults

    @property
    def last_page(self) -> int:
        """Return the number of the last page that can be asked for."""
        within_reach = (
            RERANKED if self.wanted.group == "site" else FURTHEST_OFFSET + self.wanted.limit
        )
        hits = min(self.results.total, within_reach)
        return min(max(-(-hits // self.wanted.limit), 1), MAX_PAGE)

    def at(self, page: int) -> SearchRequest | None:
        """Return the search for another page of the same hits, or None where there is none."""
        if page == self.wanted.page or not 1 <= page <= self.last_page:
            return None
        return replace(self.wanted, page=page, as_of=self.results.as_of)

    def after(self) -> SearchRequest | None:
        """Return the search for the next page; a page that is not full is the last."""
        is_full = len(self.results.hits) >= self.wanted.limit
        return self.at(self.wanted.page + 1) if is_full else None


async def find(
    request: Request, wanted: SearchRequest, asked: SearchRequest | None = None
) -> Found:
    """Return what was found; an empty query finds nothing.

    `asked` is what the collection is asked, where that is more than the visitor wanted.
    """
    results = SearchResults(wanted.query, 0, (), wanted.page, wanted.limit, as_of=wanted.as_of)
    if wanted.query:
        bounded = replace(asked or wanted, read_seconds=READ_SECONDS)
        results = await _search(request, collection_of(request), bounded)
    return Found(wanted, results)


async def _search(
    request: Request, collection: CollectionReader, asked: SearchRequest
) -> SearchResults:
    # What counts documents takes longer than what does not, and each is quick by itself.
    kind = (collection, bool(asked.facets))
    pace: Pace = request.app.state.paces.setdefault(kind, Pace())
    work = partial(pace.measure, partial(collection.answer, asked))
    if pace.is_quick and is_plain(asked):
        return work()
    return await run_in_threadpool(work)
