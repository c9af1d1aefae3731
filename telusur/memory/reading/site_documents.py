"""One site of a store in memory, or all of them: documents and sitemaps."""

from collections.abc import Iterator

from telusur.memory.reading.committed import documents_of, indexed_of
from telusur.memory.state import KnownUrl, Tables
from telusur.models import Reason

MOST_CHARACTERS = 9_000


class MemorySiteDocuments:
    """The part of a site reader about documents and sitemaps."""

    def __init__(self, tables: Tables, name: str) -> None:
        self._tables = tables
        self._name = name

    def _urls(self) -> list[KnownUrl]:
        """Return the URLs of the site in the order they were found."""
        urls = [
            url
            for url in self._tables.urls.values()
            if self._name in ("", self._tables.hosts[url.host].site)
        ]
        return sorted(urls, key=lambda url: url.number)

    # Documents

    def copies(self, limit: int) -> tuple[int, list[tuple[str, str]]]:
        """Return duplicates: URL, and the reason that names the original."""
        found = [
            (one.document.url, one.not_indexed)
            for one in documents_of(self._tables, self._name)
            if one.not_indexed.startswith(f"{Reason.DUPLICATE}:")
        ]
        return len(found), sorted(found)[:limit]

    def count_documents(self) -> tuple[int, int]:
        """Return how many documents there are, and how many of them are in the index."""
        all_of_them = documents_of(self._tables, self._name)
        return len(all_of_them), len(indexed_of(self._tables, self._name))

    def without(self, column: str, limit: int) -> tuple[int, list[tuple[str, str]]]:
        """Return indexed documents whose title or description is empty: URL and title."""
        found = [
            (one.document.url, one.document.title)
            for one in indexed_of(self._tables, self._name)
            if getattr(one.document, column) == ""
        ]
        return len(found), sorted(found)[:limit]

    def shared(self, column: str, limit: int) -> tuple[int, list[tuple[str, int, str]]]:
        """Return titles or descriptions that several documents share: text, count, URLs."""
        by_text: dict[str, list[str]] = {}
        for one in indexed_of(self._tables, self._name):
            by_text.setdefault(getattr(one.document, column), []).append(one.document.url)
        found = [
            (text, len(urls), "\n".join(urls)[:MOST_CHARACTERS])
            for text, urls in by_text.items()
            if text and len(urls) > 1
        ]
        return len(found), sorted(found, key=lambda row: (-row[1], row[0]))[:limit]

    def indexed_urls(self) -> Iterator[tuple[str, str | None]]:
        """Yield URL and date of each indexed document, in the order they came in."""
        for one in indexed_of(self._tables, self._name):
            yield one.document.url, one.document.date

    # Sitemaps

    def sitemaps(self, limit: int) -> list[tuple[str, int | None, str, str]]:
        """Return the sitemaps: URL, how many URLs each names, state and reason."""
        known = self._tables.sitemaps
        urls = [url for url in self._urls() if url.url_id in known]
        urls.sort(key=lambda url: (known[url.url_id].level, url.number))
        return [
            (url.url, known[url.url_id].named, url.state.value, url.reason) for url in urls[:limit]
        ]

    def _listed(self, *, is_fetched: bool) -> list[KnownUrl]:
        """Return the URLs in sitemaps that were answered, or those that were not."""
        return [
            url
            for url in self._urls()
            if url.url_id in self._tables.listed and self._is_fetched(url) is is_fetched
        ]

    def _is_fetched(self, url: KnownUrl) -> bool:
        fetches = self._tables.fetches.get(url.url_id, ())
        return any(fetch.page.status is not None for fetch in fetches)

    def count_listed(self) -> int:
        """Return how many URLs are in sitemaps."""
        return len(self._listed(is_fetched=True)) + len(self._listed(is_fetched=False))

    def count_listed_fetched(self) -> int:
        """Return how many of them were fetched."""
        return len(self._listed(is_fetched=True))

    def not_fetched(self, limit: int) -> list[tuple[str, str, str]]:
        """Return URLs in sitemaps that were not fetched: URL, state and reason."""
        urls = self._listed(is_fetched=False)[:limit]
        return [(url.url, url.state.value, url.reason) for url in urls]

    def not_listed(self, limit: int) -> tuple[int, list[str]]:
        """Return how many indexed documents are in no sitemap, and the first ones."""
        found = [
            one.document.url
            for one in indexed_of(self._tables, self._name)
            if one.url_id not in self._tables.listed
        ]
        return len(found), found[:limit]
