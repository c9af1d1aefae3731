"""The archive: every response as received."""

from collections.abc import Callable
from typing import Protocol

from telusur.models import Page
from telusur.store.records import ArchiveKey, ArchiveMark
from telusur.store.views import RecordView

#: Packs a response in any process: a function that parsers can import by its name. What it returns
#: is handed to `Archive.append` with the page.
Packer = Callable[[Page], object]


class ArchiveReader(Protocol):
    """Reads what was archived; several threads may share it."""

    def read(self, key: ArchiveKey, url: str) -> Page:
        """Return the response with a key; one that cannot be read raises `CollectionError`.

        The catalogue knows when it was received.
        """

    def rendered(self, key: ArchiveKey) -> bytes | None:
        """Return the page as a browser rendered it, in UTF-8; None if no browser did."""

    def record(self, key: ArchiveKey) -> RecordView:
        """Return the record of a response without its body."""

    def record_bytes(self, key: ArchiveKey) -> bytes:
        """Return the record as stored; it is a small WARC file by itself."""


class Archive(ArchiveReader, Protocol):
    """Appends responses. Those after the last committed mark may be dropped."""

    @property
    def packer(self) -> Packer | None:
        """Return what packs responses before they are appended; None if `append` does it all."""

    def append(self, page: Page, rendered: bytes = b"", packed: object = None) -> ArchiveKey:
        """Append a response, and its rendered form if any; return the key to read it back.

        `packed` is the response as the packer packed it, if it did.
        """

    def sync(self) -> ArchiveMark | None:
        """Make all appended responses durable; None if none was appended since opening."""

    def cut_behind(self, mark: ArchiveMark | None) -> None:
        """Drop or ignore what was appended after a mark; None stands for the empty archive."""

    def close(self) -> None:
        """Stop writing; what was not synced is lost."""
