"""What the workbench needs from a collection; it only reads."""

from collections.abc import Iterator
from typing import Protocol, cast

from starlette.exceptions import HTTPException
from starlette.requests import Request

from telusur.graph.contract import (
    Branch,
    Branches,
    MapLink,
    MapNode,
    MapRequest,
    SiteMap,
    WebMap,
)
from telusur.models import Counts, Document, Hit, SearchResults, Story
from telusur.search.columns import ColumnRequest, ColumnResults
from telusur.search.help.completion import Suggestion
from telusur.search.request import SearchRequest


class MapReader(Protocol):
    """The pages of a collection and the links between them."""

    def map(self, request: MapRequest) -> WebMap:
        """Return the best matching pages, or those around a page, and their links."""
        ...

    def walk_map(self, request: MapRequest) -> tuple[Iterator[MapNode], Iterator[MapLink]]:
        """Return all of them one by one, nodes first."""
        ...

    def site_map(self) -> SiteMap:
        """Return the sites and how often they link to each other."""
        ...

    def branches(self, url: str = "", start: int = 0, limit: int = 50) -> Branches | None:
        """Return the pages found on a page, or the start URLs."""
        ...

    def way_to(self, url: str) -> tuple[Branch, ...]:
        """Return how a page was found, from its start URL on."""
        ...


class CollectionReader(Protocol):
    """A collection as the workbench sees it.

    The methods may block; the workbench calls them from several threads at once.
    """

    @property
    def name(self) -> str:
        """Return the name of the directory."""
        ...

    @property
    def address(self) -> str:
        """Return what the collection is opened by."""
        ...

    def answer(self, request: SearchRequest) -> SearchResults:
        """Return one page of ranked hits."""
        ...

    def answer_columns(self, request: ColumnRequest) -> ColumnResults:
        """Return one page of the documents with a match in the columns."""
        ...

    def suggest(self, typed: str, limit: int = 10) -> tuple[Suggestion, ...]:
        """Return words, phrases and titles that complete the typed text."""
        ...

    def find_words(self, query: str, text: str, language: str = "") -> tuple[tuple[int, int], ...]:
        """Return the ranges of a text that match a query."""
        ...

    def related(self, url: str, limit: int = 10) -> tuple[Hit, ...]:
        """Return the pages most similar to a stored page."""
        ...

    def counts(self) -> Counts:
        """Return how many URLs, pages and documents there are."""
        ...

    def why(self, url: str) -> Story | None:
        """Return the history of a URL, or None if it is unknown."""
        ...

    def document(self, url: str) -> Document | None:
        """Return the document stored for a URL, or None."""
        ...

    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return a stored page as HTML and its Content-Type, or None."""
        ...

    def sites(self, limit: int = 50) -> list[tuple[str, int]]:
        """Return the sites with their number of documents, the largest first."""
        ...

    def site_order(self) -> tuple[str, ...]:
        """Return all sites that have documents, in the order in which they joined."""
        ...

    @property
    def maps(self) -> MapReader:
        """Return the reader of its maps."""
        ...

    def is_crawling(self) -> bool:
        """Return whether a crawl is writing to the collection right now."""
        ...


def find_collection(request: Request) -> CollectionReader | None:
    """Return the collection of a request; None on the pages about all collections."""
    found = getattr(request.state, "collection", None) or request.app.state.collection
    return cast(CollectionReader | None, found)


def collection_of(request: Request) -> CollectionReader:
    """Return the collection of a request, or raise 404 if it names none."""
    found = find_collection(request)
    if found is None:
        raise HTTPException(
            404, "This server has several collections; choose one on its home page."
        )
    return found
