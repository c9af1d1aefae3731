"""Indexing apart from a crawl: catch up, settle, and extract again from the archive."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

from telusur.adapters.lock import OwnerLock
from telusur.adapters.sqlite_schema import connect, storage_errors
from telusur.adapters.tantivy_index import TantivyIndex
from telusur.run.index_position import INDEX
from telusur.run.indexer import catch_up, correct_position
from telusur.run.reindexing import extract_again
from telusur.run.settling import settle
from telusur.run.vectors import NEVER, VectorWork, check_wish


@contextmanager
def open_for_indexing(directory: Path) -> Iterator[tuple[sqlite3.Connection, TantivyIndex]]:
    """Own the collection, with its catalogue and index open for writing."""
    with OwnerLock(directory), storage_errors(directory):
        connection = connect(directory, read_only=False)
        try:
            index = TantivyIndex(directory / INDEX)
            try:
                correct_position(directory, connection)
                yield connection, index
            finally:
                index.close()
        finally:
            connection.close()


def index_collection(directory: Path, *, with_settling: bool = False, vectors: str = NEVER) -> int:
    """Index what is not in the index yet; return how many documents were looked at.

    Vectors follow completely: there is no crawl that would wait for them.
    """
    check_wish(vectors)
    with open_for_indexing(directory) as (connection, index):
        seen = catch_up(directory, connection, index)
        if with_settling:
            settle(directory / INDEX, connection, index)
        elif not seen:
            index.commit()  # goes on merging where a crawl that ended did not wait for it
    VectorWork(directory, vectors).finish(inf)
    return seen


def reindex_collection(directory: Path, report: Callable[[int], None] | None = None) -> int:
    """Extract all pages again from the archive and index them; return how many."""
    with open_for_indexing(directory) as (connection, index):
        count = extract_again(directory, connection, report)
        catch_up(directory, connection, index)
        settle(directory / INDEX, connection, index)
    return count
