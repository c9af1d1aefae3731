"""Pages of a collection: chosen, saved for reading offline, joined, or searched by pattern."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telusur.errors import UsageError
from telusur.models import Document, SearchResults
from telusur.reports.save_pages import ChosenPage, is_worth_keeping, save_pages

# Searches have this class, too: what writes pages is imported when pages are written.
if TYPE_CHECKING:
    from telusur.extract.writing.pattern import PatternMatch

FOUND_AT_ONCE = 100
MOST_FOUND = 10_000


class TakingOut(ABC):
    """Exports of pages, for a collection that can be read and searched."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name of the collection."""

    @abstractmethod
    def document(self, url: str) -> Document | None:
        """Return the document stored for a URL, or None."""

    @abstractmethod
    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return a stored page as HTML and its Content-Type, or None."""

    @abstractmethod
    def pages(
        self, fields: Sequence[str] = (), parts: Sequence[str] = ()
    ) -> Iterator[dict[str, Any]]:
        """Walk over the fetched pages in fetch order."""

    @abstractmethod
    def search(self, query: str, page: int = 1, limit: int = 10, **wishes: Any) -> SearchResults:
        """Return one page of ranked hits."""

    def choose(
        self, urls: Sequence[str] = (), query: str = "", *, with_copies: bool = False
    ) -> list[ChosenPage]:
        """Return pages with content: the given URLs, the hits of a query, or all in fetch order.

        Copies and pages that say "not found" are left out unless asked for.
        """
        if urls and query:
            raise UsageError("Give URLs or a query, not both.")
        if urls:
            return [self._choose_one(url) for url in urls]
        if query:
            return list(self.find_all(query))
        pages = (record for record in self.pages() if is_worth_keeping(record, with_copies))
        return [ChosenPage(record["url"], record["title"]) for record in pages]

    def _choose_one(self, url: str) -> ChosenPage:
        document = self.document(url)
        if document is None:
            raise UsageError(f"{url}: the collection does not have this page.")
        return ChosenPage(document.url, document.title)

    def find_all(self, query: str) -> Iterator[ChosenPage]:
        """Yield the hits of a query, best first."""
        for number in range(1, MOST_FOUND // FOUND_AT_ONCE + 1):
            hits = self.search(query, number, FOUND_AT_ONCE, per_site=0).hits
            yield from (ChosenPage(hit.url, hit.title) for hit in hits)
            if len(hits) < FOUND_AT_ONCE:
                return

    def save(self, chosen: Sequence[ChosenPage], directory: str | Path) -> int:
        """Write pages as files for reading offline; return how many."""
        return save_pages(chosen, self.html, Path(directory), self.name)

    def join(self, chosen: Sequence[ChosenPage], format: str = "markdown") -> Iterator[str]:
        """Yield the parts of one document with all these pages and a table of contents."""
        from telusur.reports.join_pages import join_pages

        return join_pages(chosen, self.html, format, self.name)

    def pull(
        self,
        pattern: str,
        chosen: Sequence[ChosenPage] | None = None,
        too_long: Callable[[str], None] | None = None,
    ) -> "Iterator[tuple[str, PatternMatch]]":
        """Yield URL and match of a pattern on these pages, or on all.

        `too_long` receives each page on which the pattern takes too long.
        """
        from telusur.extract.writing.pattern import compile_pattern
        from telusur.reports.pull_text import matches_in_time

        search = compile_pattern(pattern)
        for page in self.choose() if chosen is None else chosen:
            document = self.document(page.url)
            found = matches_in_time(search, document.text) if document is not None else []
            if found is None and too_long is not None:
                too_long(page.url)
            yield from ((page.url, match) for match in found or ())
