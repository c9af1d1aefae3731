"""Records that are written to a store and read from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NewType

from telusur.models import Document, Link, Page

#: Names a response in the archive. Only the archive that made a key can read it.
ArchiveKey = NewType("ArchiveKey", str)

#: The end of the archive as of a commit. Only the archive that made a mark can read it.
ArchiveMark = NewType("ArchiveMark", str)

#: The position of a reader in a list. The empty cursor is the beginning.
Cursor = NewType("Cursor", str)

BEGINNING = Cursor("")

#: For a page whose seconds by operation are unknown.
NO_OPERATIONS: Mapping[str, float] = MappingProxyType({})


@dataclass(slots=True, frozen=True)
class StoredLink:
    """A stored link: the id of its target, and its texts."""

    url_id: bytes
    link: Link


@dataclass(slots=True, frozen=True)
class StoredRobots:
    """The last robots.txt of a host."""

    data: bytes
    status: int | None
    at: float


@dataclass(slots=True, frozen=True)
class StoredSheet:
    """The one time that a collection asked for a style sheet: the response, if there was one."""

    page: Page | None


@dataclass(slots=True, frozen=True)
class Twin:
    """An indexed duplicate of a document."""

    url_id: bytes
    url: str
    #: The id of the page that it names as its original.
    canonical: bytes | None


@dataclass(slots=True, frozen=True)
class CrawlRecord:
    """One crawl of a collection: its times, outcome, start URLs and settings."""

    started_at: float
    ended_at: float | None
    outcome: str
    start_urls: tuple[str, ...]
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Change:
    """A document that changed: as it is now, or why it is not in the index."""

    url_id: bytes
    site: str
    fetched_at: float
    document: Document
    #: Empty if the document belongs in the index.
    not_indexed: str = ""
