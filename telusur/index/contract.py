"""What every index promises: replace, delete, commit, search, count, close."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from telusur.index.query import Query
from telusur.models import Document


@dataclass(slots=True, frozen=True)
class IndexItem:
    """A document with its identity, as the index takes it."""

    url_id: bytes
    url: str
    document: Document
    site: str = ""
    fetched_at: float | None = None
    headings: tuple[str, ...] = ()


@dataclass(slots=True, frozen=True)
class Entry:
    """A document as the index gives it back, with its score for the query."""

    url_id: bytes
    score: float
    url: str
    title: str
    description: str
    text: str
    site: str
    language: str
    date: str | None
    fetched_at: float | None


@dataclass(slots=True, frozen=True)
class Found:
    """How many documents match, and those asked for, best first."""

    total: int
    entries: tuple[Entry, ...] = ()


class Index(Protocol):
    """A searchable set of documents, one per `url_id`. What is not committed is not seen."""

    def replace(self, items: Iterable[IndexItem]) -> None:
        """Add documents; one with the same `url_id` takes the place of the old one."""

    def delete(self, url_ids: Iterable[bytes]) -> None:
        """Remove documents; unknown ones are no matter."""

    def commit(self) -> None:
        """Make all changes since the last commit durable and visible, at once."""

    def search(self, query: Query, offset: int = 0, limit: int = 10) -> Found:
        """Return the best documents for a query, `limit` of them from `offset` on."""

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language; "" is unknown."""

    def count(self) -> int:
        """Return the number of documents."""

    def close(self) -> None:
        """Let go of files and locks; what is not committed is dropped."""
