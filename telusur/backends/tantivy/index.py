"""The embedded index: tantivy in a directory, with one writer and any number of readers."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import Any

from telusur.backends.files.private import check_entries, keep_private, make_directory
from telusur.backends.files.rights import check_name
from telusur.backends.tantivy.added import AddedDocuments
from telusur.backends.tantivy.errors import ReadingErrors, WritingErrors, cannot_write
from telusur.backends.tantivy.layout import (
    check_format,
    check_names,
    has_deleted_documents,
    is_outdated,
    make_document,
    make_empty_index,
    make_schema,
    register_tokenizers,
    remove_outdated,
    write_format,
)
from telusur.backends.tantivy.position import read_position, write_position
from telusur.backends.tantivy.reading import OpenIndex, open_index
from telusur.backends.tantivy.texts import TextSource
from telusur.backends.tantivy.view import TantivyView
from telusur.errors import CollectionBusy, CollectionError, StorageError
from telusur.index.contract import Found, IndexItem
from telusur.index.fields import make_fields
from telusur.index.query import Query

_LOG = logging.getLogger(__name__)
WRITER_HEAP_BYTES = 50_000_000
RELOAD_SECONDS = 0.5


class TantivyIndex:
    """An index in a directory. A reader may open it before it exists: then it is empty.

    With `texts` it stores no texts: those of hits are read there.
    """

    def __init__(
        self,
        directory: Path,
        *,
        read_only: bool = False,
        texts: TextSource | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._directory = Path(directory)
        self._read_only = read_only
        self._texts = texts
        self._clock = clock
        self._lock = threading.Lock()
        self._index: Any = None
        self._writer: Any = None
        # None: the index may have any document.
        self._added: AddedDocuments | None = None
        self._view: TantivyView | None = None
        self._seen: tuple[int, int, int] | None = None
        self._reloaded_at = float("-inf")
        self._reading_errors = ReadingErrors(self._directory)
        self._writing_errors = WritingErrors(self._directory, self._drop_writer)
        check_format(self._directory)
        if not read_only:
            self._open_for_writing()

    def replace(self, items: Iterable[IndexItem]) -> None:
        """Add documents; one with the same `url_id` takes the place of the old one.

        One that cannot be analysed is left out and logged; the others are added.
        """
        writer = self._get_writer()
        for item in items:
            try:
                document = make_document(make_fields(item), with_text=self._texts is None)
            except Exception as error:
                _LOG.warning("%s is not indexed: %r", ascii(item.url)[1:-1], error)
                document = None
            with self._writing_errors:
                self._delete(writer, item.url_id)
                if document is not None:
                    writer.add_document(document)
                    if self._added is not None:
                        self._added.add(item.url_id)

    def delete(self, url_ids: Iterable[bytes]) -> None:
        """Remove documents; unknown ones are ignored."""
        writer = self._get_writer()
        with self._writing_errors:
            for url_id in url_ids:
                self._delete(writer, url_id)

    def _delete(self, writer: Any, url_id: bytes) -> None:
        if self._added is None or self._added.may_have(url_id):
            writer.delete_documents_by_term("url_id", url_id.hex())

    def commit(self, cursor: str | None = None) -> None:
        """Make all changes since the last commit durable and visible, at once."""
        writer = self._get_writer()
        with self._writing_errors:
            writer.commit()
            self._make_private()
        if cursor is not None:
            write_position(self._directory, cursor)
        with self._lock:
            self._reloaded_at = float("-inf")

    def cursor(self) -> str:
        """Return the cursor of the last commit that had one."""
        return read_position(self._directory)

    def is_outdated(self) -> bool:
        """Tell whether an older program wrote the index: writing to it rebuilds it."""
        return self._index is None and is_outdated(self._directory)

    def clear(self) -> None:
        """Remove all documents; until the commit they are still there."""
        writer = self._get_writer()
        with self._writing_errors:
            writer.delete_all_documents()
        self._added = AddedDocuments()

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
        """Return a new view if there was a commit; otherwise the old one with its caches."""
        seen, before = self._last_commit(), self._seen
        if self._view is not None and seen is not None and seen == before:
            return self._view
        self._seen = seen
        return self._make_view()

    def _last_commit(self) -> tuple[int, int, int] | None:
        """Return a stamp of the last commit: each commit replaces this file."""
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
        """Release files and locks; uncommitted changes are dropped.

        Waits for segments that are being merged: otherwise that work is lost, and a
        search is slower with more segments.
        """
        self.close_within(None)

    def close_within(self, seconds: float | None) -> bool:
        """Close, but wait no longer than this for merges; tell whether they are done.

        If not, this process should end: merges hold the lock. A later commit merges again.
        """
        writer, self._writer = self._writer, None
        self._index = self._view = None
        if self._texts is not None:
            self._texts.close()
        if writer is None:
            return True
        merging = threading.Thread(target=self._wait_for_merges, args=(writer,), daemon=True)
        merging.start()
        merging.join(seconds)
        return not merging.is_alive()

    def _wait_for_merges(self, writer: Any) -> None:
        with suppress(StorageError), self._writing_errors:
            writer.wait_merging_threads()
        self._make_private()

    def _make_private(self) -> None:
        """Make the files of tantivy private: it creates them with the umask of the process."""
        with suppress(OSError):
            keep_private(self._directory)

    def _open_for_writing(self) -> None:
        check_name(self._directory)
        try:
            make_directory(self._directory, parents=True)
            check_entries(self._directory)
            check_names(self._directory)
            remove_outdated(self._directory)
            write_format(self._directory)
        except OSError as error:
            raise StorageError(f"Cannot write the index {self._directory}: {error}.") from error
        with self._reading_errors:
            if not (self._directory / "meta.json").exists():
                make_empty_index(self._directory)
            # Imported late: most processes of a crawl never open an index.
            import tantivy

            self._index = tantivy.Index(make_schema(), str(self._directory), reuse=True)
            register_tokenizers(self._index)
            self._index.config_reader("manual")
            if not self._index.searcher().num_docs:
                self._added = AddedDocuments()
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
            if self._index is not None:
                self._index.reload()
                return self._view_of(self._index, self._index.searcher())
            opened = _open_to_read(self._directory)
            if opened is None:
                return TantivyView(None, None, self._reading_errors)
            if opened.can_reload:
                self._index = opened.index
            return self._view_of(opened.index, opened.searcher)

    def _view_of(self, index: Any, searcher: Any) -> TantivyView:
        return TantivyView(index.schema, searcher, self._reading_errors, self._texts)

    def _drop_writer(self) -> None:
        """Drop a writer that failed; the next use opens another one.

        What it cleared and did not commit is there again.
        """
        self._writer = self._added = None


def _open_to_read(directory: Path) -> OpenIndex | None:
    check_format(directory)
    if not (directory / "meta.json").exists():
        return None
    if is_outdated(directory):
        raise CollectionError(
            f"The index {directory} has an older format; `telusur index --in "
            f"{quote(str(directory.parent))}` rebuilds it from the crawled pages."
        )
    return open_index(directory)
