"""Checks that catalogue, archive and index of a store in memory agree."""

from collections.abc import Iterator

from telusur.index.query import Match, Query
from telusur.memory.index.index import MemoryIndex
from telusur.memory.reading.committed import documents_of, url_of
from telusur.memory.reading.reader import MemoryReader
from telusur.memory.state import Tables
from telusur.store.problems import Note, Problem, Verification, Watch

_ADVICE = "this is a fault of the program: report it"


def verify_tables(
    tables: Tables, reader: MemoryReader, index: MemoryIndex, watch: Watch
) -> Verification:
    """Look for every response in the archive, and for every document in the index."""
    result = Verification()
    result.looked_at = {
        "urls": len(tables.urls), "pages": tables.fetched, "documents": len(tables.documents),
    }  # fmt: skip
    for step, check in (("archive", _archive(tables, reader)), ("index", _index(tables, index))):
        watch(step, 0, 0)
        for finding in check:
            if isinstance(finding, Note):
                result.notes.append(finding)
            else:
                result.problems.append(finding)
    return result


def _archive(tables: Tables, reader: MemoryReader) -> Iterator[Problem]:
    for url_id, fetches in tables.fetches.items():
        url = url_of(tables, url_id) or ""
        if fetches[-1].key is not None and reader.page(url_id, url) is None:
            yield Problem("archive", f"The archive has no response for {url}.", _ADVICE, "answer")


def _index(tables: Tables, index: MemoryIndex) -> Iterator[Problem | Note]:
    """Look up each document; those after the cursor of the index are not checked."""
    behind = [one for one in documents_of(tables) if one.number > int(index.cursor() or 0)]
    for one in documents_of(tables):
        has_it = index.search(Query(required=(Match("id", (one.url_id.hex(),)),))).total > 0
        if one not in behind and has_it == bool(one.not_indexed):
            how = "has" if has_it else "lacks"
            yield Problem("index", f"The index {how} {one.document.url}.", _ADVICE, "document")
    if behind:
        yield Note(
            "index", f"{len(behind)} documents are not indexed yet; the next crawl adds them."
        )
