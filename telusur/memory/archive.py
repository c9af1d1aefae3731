"""The archive in memory: each session appends to a list of its own."""

import gzip
from dataclasses import dataclass, field, replace

from telusur.errors import CollectionError
from telusur.memory.records import make_record, split_record
from telusur.models import Page
from telusur.store.archive import Packer
from telusur.store.records import ArchiveKey, ArchiveMark
from telusur.store.views import RecordView

#: The responses of each session with their rendered forms, by the name of the session.
Stripes = dict[str, list[tuple[Page, bytes]]]


@dataclass(slots=True)
class MemoryArchive:
    """Implements `telusur.store.archive.Archive`; keys and marks are `STRIPE:NUMBER`."""

    stripes: Stripes
    stripe: str
    _synced: int = field(default=0, init=False)

    @property
    def packer(self) -> Packer | None:
        """Return None: responses are kept as they are."""
        return None

    def append(self, page: Page, rendered: bytes = b"", packed: object = None) -> ArchiveKey:
        """Append a response, and its rendered form if any; return the key to read it back."""
        kept = self.stripes.setdefault(self.stripe, [])
        kept.append((page, rendered))
        return ArchiveKey(f"{self.stripe}:{len(kept) - 1}")

    def sync(self) -> ArchiveMark | None:
        """Return the end of what was appended; memory needs no sync."""
        if self.stripe not in self.stripes:
            return None
        self._synced = len(self.stripes[self.stripe])
        return ArchiveMark(f"{self.stripe}:{self._synced}")

    def cut_behind(self, mark: ArchiveMark | None) -> None:
        """Drop what the session of the mark appended after it."""
        stripe, number = _parse(mark or f"{self.stripe}:0")
        del self.stripes.get(stripe, [])[number:]

    def read(self, key: ArchiveKey, url: str) -> Page:
        """Return the response with a key."""
        page, _ = self._find(key, url)
        return replace(page, url=url)

    def rendered(self, key: ArchiveKey) -> bytes | None:
        """Return the page as a browser rendered it; None if no browser did."""
        _, rendered = self._find(key, key)
        return rendered or None

    def record(self, key: ArchiveKey) -> RecordView:
        """Return the record of a response; there is no file to name."""
        page, _ = self._find(key, key)
        fields, status_line, headers = split_record(make_record(page))
        return RecordView("", 0, len(self.record_bytes(key)), fields, status_line, headers)

    def record_bytes(self, key: ArchiveKey) -> bytes:
        """Return the record as a small WARC file."""
        page, _ = self._find(key, key)
        return gzip.compress(make_record(page), mtime=0)

    def _find(self, key: ArchiveKey, url: str) -> tuple[Page, bytes]:
        try:
            stripe, number = _parse(key)
            return self.stripes[stripe][number]
        except (ValueError, KeyError, IndexError):
            raise CollectionError(f"{url}: the archive has nothing under {key!r}.") from None

    def close(self) -> None:
        """Stop writing; what was not synced is lost."""
        del self.stripes.get(self.stripe, [])[self._synced :]


def _parse(text: str) -> tuple[str, int]:
    stripe, _, number = text.rpartition(":")
    return stripe, int(number)
