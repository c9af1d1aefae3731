"""The embedded index: tantivy in a directory, one writer, any number of readers meanwhile."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tantivy

from telusur.adapters.tantivy_query import make_tantivy_query
from telusur.errors import CollectionBusy, CollectionError, StorageError
from telusur.index.contract import Entry, Found, IndexItem
from telusur.index.fields import Fields, make_fields
from telusur.index.query import Query

FORMAT = 1
FORMAT_FILE = "format"
WRITER_HEAP_BYTES = 50_000_000
RELOAD_SECONDS = 0.5
_MOST_LANGUAGES = 50


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
        self._searcher: Any = None
        self._languages: dict[str, int] | None = None
        self._reloaded_at = float("-inf")
        _check_format(self._directory)
        if not read_only:
            self._open_for_writing()

    def replace(self, items: Iterable[IndexItem]) -> None:
        """Add documents; one with the same `url_id` takes the place of the old one."""
        writer = self._get_writer()
        with self._storage_errors():
            for item in items:
                writer.delete_documents_by_term("url_id", item.url_id.hex())
                writer.add_document(_make_document(make_fields(item)))

    def delete(self, url_ids: Iterable[bytes]) -> None:
        """Remove documents; unknown ones are no matter."""
        writer = self._get_writer()
        with self._storage_errors():
            for url_id in url_ids:
                writer.delete_documents_by_term("url_id", url_id.hex())

    def commit(self) -> None:
        """Make all changes since the last commit durable and visible, at once."""
        writer = self._get_writer()
        with self._storage_errors():
            writer.commit()
        with self._lock:
            self._reloaded_at = float("-inf")

    def search(self, query: Query, offset: int = 0, limit: int = 10) -> Found:
        """Return the best documents for a query, `limit` of them from `offset` on."""
        searcher = self._get_searcher()
        if searcher is None or query.is_empty:
            return Found(0)
        with self._reading_errors():
            asked = make_tantivy_query(self._index.schema, query)
            result = searcher.search(asked, max(limit, 1), count=True, offset=offset)
            hits = result.hits[:limit]
            entries = tuple(_make_entry(searcher.doc(at), score) for score, at in hits)
        return Found(int(result.count), entries)

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language; "" is unknown."""
        searcher = self._get_searcher()
        if searcher is None:
            return {}
        if self._languages is None:
            with self._reading_errors():
                self._languages = _count_languages(searcher)
        return self._languages

    def count(self) -> int:
        """Return the number of documents."""
        searcher = self._get_searcher()
        return 0 if searcher is None else int(searcher.num_docs)

    def close(self) -> None:
        """Let go of files and locks; what is not committed is dropped."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with self._storage_errors():
                writer.rollback()
                writer.wait_merging_threads()
        self._index = self._searcher = None

    def _open_for_writing(self) -> None:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            _write_format(self._directory)
        except OSError as error:
            raise StorageError(f"Cannot write the index {self._directory}: {error}.") from error
        with self._reading_errors():
            self._index = tantivy.Index(_make_schema(), str(self._directory), reuse=True)
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
                    raise StorageError(_cannot_write(self._directory, error)) from error
                raise CollectionBusy(
                    f"Another process is writing the index {self._directory}."
                ) from error
        return self._writer

    def _get_searcher(self) -> Any:
        """Return a view of the last commit, at most `RELOAD_SECONDS` old; None before the first."""
        with self._lock:
            now = self._clock()
            if now - self._reloaded_at >= RELOAD_SECONDS:
                self._reload()
                self._reloaded_at = now
            return self._searcher

    def _reload(self) -> None:
        with self._reading_errors():
            if self._index is None:
                self._index = _open_to_read(self._directory)
            if self._index is not None:
                self._index.reload()
                self._searcher = self._index.searcher()
                self._languages = None

    @contextmanager
    def _reading_errors(self) -> Iterator[None]:
        try:
            yield
        except CollectionError:
            raise
        except BaseException as error:
            if not _is_of_tantivy(error):
                raise
            raise CollectionError(
                f"The index {self._directory} is damaged ({_first_line(error)}); "
                "delete this directory, and it is made again from what was crawled."
            ) from error

    @contextmanager
    def _storage_errors(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            if not _is_of_tantivy(error):
                raise
            self._writer = None  # a failed writer takes nothing more; the next use opens another
            raise StorageError(_cannot_write(self._directory, error)) from error


def _make_schema() -> tantivy.Schema:
    """Return the layout of format 1; whoever changes it raises `FORMAT`."""
    builder = tantivy.SchemaBuilder()
    for name in ("everywhere", "title_terms"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    builder.add_text_field("url_id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("hosts", tokenizer_name="raw", index_option="basic")
    for name in ("site", "language"):
        builder.add_text_field(
            name, stored=True, fast=True, tokenizer_name="raw", index_option="basic"
        )
    builder.add_unsigned_field("day", indexed=True, fast=True)
    builder.add_float_field("fetched_at", stored=True, fast=True)
    for name in ("url", "title", "description", "date", "text"):
        builder.add_bytes_field(name, stored=True)  # bytes are not indexed, text always is
    return builder.build()


def _make_document(fields: Fields) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("url_id", fields.url_id.hex())
    document.add_text("everywhere", fields.everywhere)
    document.add_text("title_terms", fields.title_terms)
    for host in fields.hosts:
        document.add_text("hosts", host)
    document.add_text("site", fields.site)
    document.add_text("language", fields.language)
    document.add_unsigned("day", fields.day)
    if fields.fetched_at is not None:
        document.add_float("fetched_at", fields.fetched_at)
    for name in ("url", "title", "description", "date", "text"):
        value = getattr(fields, name)
        if value is not None:
            document.add_bytes(name, value.encode("utf-8", "replace"))
    return document


def _make_entry(document: tantivy.Document, score: float) -> Entry:
    stored = document.to_dict()

    def text(name: str) -> str:
        return bytes(stored.get(name, [b""])[0]).decode()

    return Entry(
        url_id=bytes.fromhex(stored["url_id"][0]),
        score=float(score),
        url=text("url"),
        title=text("title"),
        description=text("description"),
        text=text("text"),
        site=stored["site"][0],
        language=stored["language"][0],
        date=text("date") or None,
        fetched_at=stored.get("fetched_at", [None])[0],
    )


def _count_languages(searcher: Any) -> dict[str, int]:
    wish = {"languages": {"terms": {"field": "language", "size": _MOST_LANGUAGES}}}
    found = searcher.aggregate(tantivy.Query.all_query(), wish)
    return {bucket["key"]: int(bucket["doc_count"]) for bucket in found["languages"]["buckets"]}


def _open_to_read(directory: Path) -> Any:
    _check_format(directory)
    if not (directory / "meta.json").exists():
        return None
    index = tantivy.Index.open(str(directory))
    index.config_reader("manual")
    return index


def _check_format(directory: Path) -> None:
    """Refuse an index that a newer program wrote, or that is none of ours."""
    path = directory / FORMAT_FILE
    try:
        number = int(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        if (directory / "meta.json").exists():
            raise CollectionError(f"{directory} was not written by Telusur.") from None
        return
    except (OSError, ValueError):
        raise CollectionError(f"The index {directory} is damaged: {path} is unreadable.") from None
    if number > FORMAT:
        raise CollectionError(
            f"The index {directory} has format {number}, and this program knows up to {FORMAT}; "
            "use a newer Telusur."
        )


def _write_format(directory: Path) -> None:
    path = directory / FORMAT_FILE
    if not path.exists():
        unfinished = directory / f"{FORMAT_FILE}.new"
        unfinished.write_text(f"{FORMAT}\n", encoding="ascii")
        unfinished.replace(path)


def _is_of_tantivy(error: BaseException) -> bool:
    """Tell whether the index itself failed: tantivy panics with an exception outside `Exception`."""
    return isinstance(error, (OSError, ValueError)) or type(error).__name__ == "PanicException"


def _cannot_write(directory: Path, error: BaseException) -> str:
    return (
        f"Cannot write the index {directory} ({_first_line(error)}); is the disk full? "
        "Everything committed before is kept."
    )


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
