"""Checks that archive and catalogue agree, in one walk over both."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from telusur.backends.files.rights import may_read
from telusur.backends.sqlite.catalogue import SqliteCatalogue
from telusur.backends.sqlite.frontier.intake import DONE, FAILED
from telusur.backends.warc.archive import end_of
from telusur.backends.warc.scan import ScannedRecord, scan_records
from telusur.crawl.urls.identity import former_key_of, normalize_url
from telusur.models import url_id_of
from telusur.store.problems import RIGHTS, Finding, Note, Problem, Tick

RESTORE = (
    "restore this file from a copy of the collection; extracted and indexed data is not affected"
)
_ROWS = """
SELECT warc_file, warc_offset, warc_length, status, pages.url_id, coalesce(url, hex(pages.url_id))
FROM pages LEFT JOIN urls ON urls.seq = seq_of(pages.url_id)
WHERE warc_file IS NOT NULL ORDER BY warc_file, warc_offset
"""


class _Row(NamedTuple):
    """A page in the catalogue."""

    file: str
    offset: int
    length: int
    status: int | None
    url_id: bytes
    url: str


@dataclass(slots=True)
class ArchiveCheck:
    """Walks over all files of the archive up to the last commit."""

    db: sqlite3.Connection
    directory: Path
    tick: Tick
    records: int = 0
    unclaimed: int = 0
    _rows: Iterator[_Row] = field(init=False)
    _next: _Row | None = field(init=False)

    def __post_init__(self) -> None:
        self._rows = map(_Row._make, self.db.execute(_ROWS))
        self._next = next(self._rows, None)

    def run(self) -> Iterator[Finding]:
        """Yield problems: damaged records, pages without a record, records without a page."""
        mark = SqliteCatalogue(self.db).archive_end()
        end = None if mark is None else end_of(mark)
        for path in sorted(self.directory.glob("*.warc.gz")):
            yield from self._check_missing(path.name)
            if not may_read(path):
                yield _wrong(path.name, "may not be read", "rights", RIGHTS)
                self._skip(path.name)
                continue
            size = path.stat().st_size
            committed = _committed(path.name, size, end)
            if committed > size:
                yield _wrong(path.name, f"ends at byte {size} instead of {committed}", "end")
            elif committed < size:
                sentence = f"{size - committed} bytes of archive/{path.name} were written after "
                yield Note("archive", sentence + "the last commit; the next crawl drops them.")
            yield from self._check_file(path, min(size, committed))
        yield from self._check_missing(None)
        if self.unclaimed:
            sentence = f"{self.unclaimed} responses belong to no page, such as robots.txt "
            yield Note("archive", sentence + "files behind a redirect.")

    def _check_missing(self, name: str | None) -> Iterator[Finding]:
        """Report the pages whose files are missing, up to the file `name`."""
        missing: dict[str, int] = {}
        while self._next is not None and (name is None or self._next.file < name):
            missing[self._next.file] = missing.get(self._next.file, 0) + 1
            self._next = next(self._rows, None)
        for file, pages in missing.items():
            yield _wrong(file, f"is missing, with {pages} pages in it", "file")

    def _skip(self, name: str) -> None:
        """Skip the pages in a file that cannot be read."""
        for _ in self._rows_before(name, None):
            pass

    def _check_file(self, path: Path, end: int) -> Iterator[Finding]:
        for record in scan_records(path, end, self.tick):
            self.records += 1
            rows = list(self._rows_before(path.name, record.offset + record.length))
            if record.problem:
                yield from _damaged(path.name, record, rows)
            else:
                yield from self._check_record(path.name, record, rows)
        for row in self._rows_before(path.name, None):
            yield _wrong(path.name, f"ends before the page of {row.url}", "behind")

    def _rows_before(self, file: str, offset: int | None) -> Iterator[_Row]:
        while self._next is not None and self._next.file == file:
            if offset is not None and self._next.offset >= offset:
                return
            yield self._next
            self._next = next(self._rows, None)

    def _check_record(
        self, file: str, record: ScannedRecord, rows: list[_Row]
    ) -> Iterator[Finding]:
        for row in rows:
            if (row.offset, row.length) != (record.offset, record.length):
                what = f"has no record at byte {row.offset}, where the page of {row.url} should be"
                yield _wrong(file, what, "place")
            elif row.url_id not in _ids_of(record.url):
                what = f"has {record.url} at byte {row.offset} instead of {row.url}"
                yield _wrong(file, what, "url")
            elif record.status != row.status:
                what = f"has status {record.status} for {row.url}, and the catalogue {row.status}"
                yield _wrong(file, what, "status")
        is_answer = record.kind in ("response", "revisit")
        if is_answer and not (rows or record.url.endswith("/robots.txt") or self._is_sheet(record)):
            if self._is_lost(record.url):
                what = f"has the page of {record.url}, but the catalogue does not"
                yield _wrong(file, what, "unclaimed", "restore collection.db from a copy")
            self.unclaimed += 1

    def _is_sheet(self, record: ScannedRecord) -> bool:
        """Tell whether a record is that of a style sheet, which no page claims."""
        return SqliteCatalogue(self.db).has_style_sheet(record.url)

    def _is_lost(self, url: str) -> bool:
        """Tell whether a URL has ended without a page."""
        found = self.db.execute(
            "SELECT 1 FROM urls WHERE seq = seq_of(?) AND state IN (?, ?)"
            " AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.url_id = urls.url_id)",
            (next(_ids_of(url), b""), DONE, FAILED),
        ).fetchone()
        return found is not None


def _damaged(file: str, record: ScannedRecord, rows: list[_Row]) -> Iterator[Problem]:
    place = f"at byte {record.offset} that {record.problem}"
    if not rows:
        yield _wrong(file, f"has a record {place}", "damage")
    for row in rows:
        yield _wrong(file, f"has a record {place}: the page of {row.url}", "damage")


def _committed(name: str, size: int, end: tuple[str, int] | None) -> int:
    """Return the length of a file as of the last commit."""
    if end is None or name > end[0]:
        return 0
    return end[1] if name == end[0] else size


def _ids_of(url: str) -> Iterator[bytes]:
    """Yield the ids that the page of a URL may have, the usual one first."""
    key = normalize_url(url)
    if key is not None:
        yield url_id_of(key)
        if former := former_key_of(key):
            yield url_id_of(former)


def _wrong(file: str, what: str, kind: str, advice: str = RESTORE) -> Problem:
    return Problem("archive", f"archive/{file} {what}.", advice, kind)
