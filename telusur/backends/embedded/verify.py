"""Checks that archive, catalogue, frontier and index of a collection agree."""

import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from telusur.backends.embedded.places import INDEX
from telusur.backends.embedded.verify_archive import ArchiveCheck
from telusur.backends.files.lock import is_owned
from telusur.backends.files.rights import may_read
from telusur.backends.sqlite.database.check import (
    RESTORE,
    check_database,
    check_documents,
    check_frontier,
    check_links,
    check_seen,
)
from telusur.backends.sqlite.database.schema import DATABASE, connect, open_database
from telusur.backends.tantivy.check import REMAKE, IndexProbe, advice_for, check_files, index_files
from telusur.backends.tantivy.position import read_position
from telusur.store.problems import RIGHTS, Finding, Note, Problem, Tick, Verification, Watch

MOST_OF_A_KIND = 10


def verify_collection(directory: Path, watch: Watch | None = None) -> Verification:
    """Check everything; during a crawl, everything that was there at the start.

    1. The database by itself. 2. The frontier. 3. Documents and links. 4. The archive.
    5. The index.
    """
    started = time.monotonic()
    verifier = _Verifier(directory, watch or (lambda step, done, total: None))
    verifier.run()
    verifier.result.seconds = time.monotonic() - started
    return verifier.result


class _Verifier:
    def __init__(self, directory: Path, watch: Watch) -> None:
        self._directory = directory
        self._watch = watch
        self.result = Verification()
        self._kinds: Counter[str] = Counter()

    def run(self) -> None:
        if fault := _fault_of(self._directory):
            sentence = f"{DATABASE} cannot be read ({fault})."
            self._note(Problem("catalogue", sentence, RESTORE, "database"))
            return
        # The index first: it never knows more than the catalogue that is read after it.
        position = int(read_position(self._directory / INDEX) or 0)
        probe = self._open_index()
        with closing(connect(self._directory, read_only=True)) as db:
            # Sorting must not fill the memory.
            db.execute("PRAGMA temp_store = FILE")
            db.execute("BEGIN")
            try:
                self._check_tables(db)
                self._check_archive(db)
                self._check_index(db, probe, position)
            except sqlite3.DatabaseError as error:
                sentence = f"{DATABASE} cannot be read to its end ({error})."
                self._note(Problem("catalogue", sentence, RESTORE, "database"))

    def _check_tables(self, db: sqlite3.Connection) -> None:
        self._watch("database", 0, 0)
        self._take(check_database(db))
        self._watch("frontier", 0, 0)
        self._take(check_frontier(db, is_crawling=is_owned(self._directory)))
        urls = self.result.looked_at["urls"] = _count(db, "urls")
        self._take(check_seen(db, self._ticker("frontier", urls)))
        self._watch("documents", 0, 0)
        self._take(check_documents(db))
        self.result.looked_at["pages"] = _count(db, "pages")
        self.result.looked_at["documents"] = _count(db, "documents")
        self._take(check_links(db, self._ticker("links", _count(db, "links"))))

    def _check_archive(self, db: sqlite3.Connection) -> None:
        archive = self._directory / "archive"
        size = sum(path.stat().st_size for path in archive.glob("*.warc.gz"))
        check = ArchiveCheck(db, archive, self._ticker("archive", size))
        self._take(check.run())
        self.result.looked_at["records"] = check.records

    def _open_index(self) -> IndexProbe | None:
        directory = self._directory / INDEX
        try:
            if not (directory / "meta.json").exists():
                return None
        except OSError as error:
            self._note(
                Problem("index", f"index cannot be read ({error.strerror}).", RIGHTS, "open")
            )
            return None
        try:
            size = sum(path.stat().st_size for path in index_files(directory))
        except (OSError, ValueError, KeyError, TypeError):
            size = 0
        self._take(check_files(directory, self._ticker("index", size)))
        try:
            return IndexProbe(directory)
        # A panic of tantivy is not an `Exception`.
        except BaseException as error:
            _raise_if_asked(error)
            sentence = f"index cannot be opened ({error})."
            self._note(Problem("index", sentence, advice_for(error), "open"))
        return None

    def _check_index(self, db: sqlite3.Connection, probe: IndexProbe | None, position: int) -> None:
        if any(problem.part == "index" for problem in self.result.problems):
            # One reason to rebuild it is enough.
            return
        try:
            total = _count(db, "documents")
            self._take(_compare(db, probe, position, self._ticker("index", total)))
        except BaseException as error:
            _raise_if_asked(error)
            self._note(Problem("index", f"index cannot be searched ({error}).", REMAKE, "search"))

    def _take(self, findings: Iterator[Problem] | Iterator[Finding]) -> None:
        for finding in findings:
            self._note(finding)

    def _note(self, finding: Finding) -> None:
        if isinstance(finding, Note):
            self.result.notes.append(finding)
            return
        self._kinds[finding.kind] += 1
        if self._kinds[finding.kind] <= MOST_OF_A_KIND:
            self.result.problems.append(finding)
        else:
            self.result.more[finding.part] += 1

    def _ticker(self, step: str, total: int) -> Tick:
        done = 0

        def tick(more: int) -> None:
            nonlocal done
            done += more
            self._watch(step, done, total)

        return tick


def _compare(
    db: sqlite3.Connection, probe: IndexProbe | None, position: int, tick: Tick
) -> Iterator[Finding]:
    """Look up each document in the index; those after `position` are not checked."""
    found = behind = 0
    for url_id, url, not_indexed, seq in db.execute(
        "SELECT url_id, url, not_indexed, seq FROM documents ORDER BY seq"
    ):
        copies = probe.copies(url_id) if probe is not None else 0
        found += copies
        is_behind = seq > position
        behind += is_behind
        if copies > 1 or (not is_behind and copies != (not not_indexed)):
            wish = "must not have it" if not_indexed else "should have it once"
            sentence = f"The index has {url} {copies} times, and {wish}."
            yield Problem("index", sentence, REMAKE, "copies")
        tick(1)
    total = probe.count() if probe is not None else 0
    if total > found:
        sentence = f"The index has {total - found} documents that are not in the catalogue."
        yield Problem("index", sentence, REMAKE, "unknown")
    if behind:
        yield Note("index", f"{behind} documents are not indexed yet; the next crawl adds them.")


def _fault_of(directory: Path) -> str:
    """Return why a file is not a database; empty if it is one."""
    if not may_read(directory / DATABASE):
        # Connecting reports why.
        return ""
    try:
        with closing(open_database(directory, read_only=True)) as db:
            db.execute("SELECT value FROM meta").fetchone()
    except sqlite3.DatabaseError as error:
        return str(error)
    return ""


def _raise_if_asked(error: BaseException) -> None:
    """Raise errors that are not about the index."""
    if isinstance(error, (KeyboardInterrupt, SystemExit, MemoryError, sqlite3.Error)):
        raise error


def _count(db: sqlite3.Connection, table: str) -> int:
    return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608
