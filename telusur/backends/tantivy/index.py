"""The embedded index: tantivy in a directory, one writer, any number of readers meanwhile."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tantivy

from telusur.adapters.tantivy_errors import ReadingErrors, WritingErrors, cannot_write
from telusur.adapters.tantivy_layout import (
    check_format,
    has_deleted_documents,
    is_outdated,
    make_document,
    make_empty_index,
    make_schema,
    register_tokenizers,
    remove_outdated,
    write_format,
)
from telusur.adapters.tantivy_view import TantivyView
from telusur.errors import CollectionBusy, CollectionError, StorageError
from telusur.index.contract import Found, IndexItem
from telusur.index.fields import make_fields
from telusur.index.query import Query

WRITER_HEAP_BYTES = 50_000_000
RELOAD_SECONDS = 0.5


class TantivyIndex:
    """An index in a directory. It may be opened for reading before it exists: it is empty then."""

    def __init__(
        self,
        directory: Path,
        *,
        read_only: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._directory = Path(directory)
        self._read_only = read_only
        self._clock = clock
        self._lock = threading.Lock()
        self._index: Any = None
        self._writer: Any = None
        self._view: TantivyView | None = None
        self._seen: tuple[int, int, int] | None = None
        self._reloaded_at = float("-inf")
        self._reading_errors = ReadingErrors(self._directory)
        self._writing_errors = WritingErrors(self._directory, self._drop_writer)
        check_format(self._directory)
        if not read_only:
            self._open_for_writing()

    def replace(self, items: Iterable[IndexItem]) -> None:
        """Add documents; one with the same `url_id` takes the place of the old one."""
        writer = self._get_writer()
        for item in items:
            document = make_document(make_fields(item))
            with self._writing_errors:
                writer.delete_documents_by_term("url_id", item.url_id.hex())
                writer.add_document(document)

    def delete(self, url_ids: Iterable[bytes]) -> None:
        """Remove documents; unknown ones are no matter."""
        writer = self._get_writer()
        with self._writing_errors:
            for url_id in url_ids:
                writer.delete_documents_by_term("url_id", url_id.hex())

    def commit(self) -> None:
        """Make all changes since the last commit durable and visible, at once."""
        writer = self._get_writer()
        with self._writing_errors:
            writer.commit()
        with self._lock:
            self._reloaded_at = float("-inf")

    def is_outdated(self) -> bool:
        """Tell whether an older program wrote the index: writing to it makes it anew."""
        return self._index is None and is_outdated(self._directory)

    def clear(self) -> None:
        """Remove all documents; until the commit they are still there."""
        writer = self._get_writer()
        with self._writing_errors:
            writer.delete_all_documents()

    def has_leftovers(self) -> bool:
        """Tell whether documents that were replaced or deleted still count in word statistics."""
        return has_deleted_documents(self._directory)

    def view(self) -> TantivyView:
        """Return the index as of the last commit, at most `RELOAD_SECONDS` ago."""
        with self._lock:
            now = self._clock()
            if self._view is None or now - self._reloaded_at >= RELOAD_SECONDS:
                self._view = self._renew_view()
                self._reloaded_at = now
            return self._view

    def _renew_view(self) -> TantivyView:
        """Return another view if there was a commit; the old one knows what it has read."""
        seen, before = self._last_commit(), self._seen
        if self._view is not None and seen is not None and seen == before:
            return self._view
        self._seen = seen
        return self._make_view()

    def _last_commit(self) -> tuple[int, int, int] | None:
        """Return what tells one commit from another: each writes its file anew."""
        try:
            found = (self._directory / "meta.json").stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def search(self, query: Query, offset: int = 0, limit: int = 10) -> Found:
        """Return the best documents for a query, `limit` of them from `offset` on."""
        view = self.view()
        ranking = view.rank(query, offset + limit if limit else 0)
        return Found(ranking.total, view.entries(ranking.candidates[offset:]))

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language; "" is unknown."""
        return self.view().languages()

    def count(self) -> int:
        """Return the number of documents."""
        return self.view().count()

    def close(self) -> None:
        """Let go of files and locks; what is not committed is dropped.

        Segments that are being merged are waited for: that work would be done in vain, and a
        search takes longer the more of them there are.
        """
        self.close_within(None)

    def close_within(self, seconds: float | None) -> bool:
        """Close, but wait no longer than this for merges; tell whether they are done.

        If not, this process should end: they go on holding the lock. A later commit merges again.
        """
        writer, self._writer = self._writer, None
        self._index = self._view = None
        if writer is None:
            return True
        merging = threading.Thread(target=self._wait_for_merges, args=(writer,), daemon=True)
        merging.start()
        merging.join(seconds)
        return not merging.is_alive()

    def _wait_for_merges(self, writer: Any) -> None:
        with suppress(StorageError), self._writing_errors:
            writer.wait_merging_threads()

    def _open_for_writing(self) -> None:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            remove_outdated(self._directory)
            write_format(self._directory)
        except OSError as error:
            raise StorageError(f"Cannot write the index {self._directory}: {error}.") from error
        with self._reading_errors:
            if not (self._directory / "meta.json").exists():
                make_empty_index(self._directory)
            self._index = tantivy.Index(make_schema(), str(self._directory), reuse=True)
            register_tokenizers(self._index)
            self._index.config_reader("manual")
        self._get_writer()

    def _get_writer(self) -> Any:
        if self._read_only:
            raise CollectionError(f"The index {self._directory} was opened for reading only.")
        if self._writer is None:
            if self._index is None:
                raise CollectionError(f"The index {self._directory} is closed.")
            try:
                self._writer = self._index.writer(WRITER_HEAP_BYTES, 1)
            except Exception as error:
                if "lock" not in str(error).lower():
                    raise StorageError(cannot_write(self._directory, error)) from error
                raise CollectionBusy(
                    f"Another process is writing the index {self._directory}."
                ) from error
        return self._writer

    def _make_view(self) -> TantivyView:
        with self._reading_errors:
            if self._index is None:
                self._index = _open_to_read(self._directory)
            if self._index is None:
                return TantivyView(None, None, self._reading_errors)
            self._index.reload()
            return TantivyView(self._index.schema, self._index.searcher(), self._reading_errors)

    def _drop_writer(self) -> None:
        """Let go of a writer that failed: it takes nothing more, and the next use opens another."""
        self._writer = None


def _open_to_read(directory: Path) -> Any:
    check_format(directory)
    if not (directory / "meta.json").exists():
        return None
    if is_outdated(directory):
        raise CollectionError(
            f"The index {directory} has an older format; `telusur index --in {directory.parent}` "
            "makes it anew from what was crawled."
        )
    index = tantivy.Index.open(str(directory))
    index.config_reader("manual")
    return index
