"""One search for all routes: the request, the results, and their time."""

from dataclasses import dataclass, replace
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from telusur.models import SearchResults
from telusur.search.engine import FURTHEST_OFFSET, RERANKED
from telusur.search.request import SearchRequest
from telusur.web.frame.params import MAX_PAGE
from telusur.web.frame.site_colours import NO_HUES, Hues, hues_of
from telusur.web.reader import CollectionReader, collection_of
from telusur.web.search.pace import SearchPace, is_plain

__all__ = ["FoundHits", "collection_of", "find"]

# How long a search may spend on encoding new documents; later searches encode the rest.
READ_SECONDS = 0.5


@dataclass(slots=True, frozen=True)
class FoundHits:
    """A page of hits and its request; its time keeps further pages consistent with it."""

    wanted: SearchRequest
    results: SearchResults
    hues: Hues = NO_HUES

    @property
    def last_page(self) -> int:
        """Return the number of the last page."""
        within_reach = (
            RERANKED if self.wanted.group == "site" else FURTHEST_OFFSET + self.wanted.limit
        )
        hits = min(self.results.total, within_reach)
        return min(max(-(-hits // self.wanted.limit), 1), MAX_PAGE)

    def at(self, page: int) -> SearchRequest | None:
        """Return the search for another page of the same hits, or None if there is no such page."""
        if page == self.wanted.page or not 1 <= page <= self.last_page:
            return None
        return replace(self.wanted, page=page, as_of=self.results.as_of)

    def after(self) -> SearchRequest | None:
        """Return the search for the next page; a page that is not full is the last."""
        is_full = len(self.results.hits) >= self.wanted.limit
        return self.at(self.wanted.page + 1) if is_full else None


async def find(
    request: Request, wanted: SearchRequest, asked: SearchRequest | None = None
) -> FoundHits:
    """Return the hits; an empty query finds nothing.

    `asked` is the request to the collection, if it is larger than the visitor's.
    """
    if not wanted.query:
        nothing = SearchResults("", 0, (), wanted.page, wanted.limit, as_of=wanted.as_of)
        return FoundHits(wanted, nothing)
    collection = collection_of(request)
    bounded = replace(asked or wanted, read_seconds=READ_SECONDS)
    return FoundHits(wanted, await _search(request, collection, bounded), hues_of(collection))


async def _search(
    request: Request, collection: CollectionReader, asked: SearchRequest
) -> SearchResults:
    # Searches with facets take longer than those without, so each kind is measured separately.
    kind = (collection, bool(asked.facets))
    pace: SearchPace = request.app.state.paces.setdefault(kind, SearchPace())
    work = partial(pace.measure, partial(collection.answer, asked))
    if pace.is_quick and is_plain(asked):
        return work()
    return await run_in_threadpool(work)
