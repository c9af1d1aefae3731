"""Indexing without a crawl: catch up, settle, and extract again from the archive."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from math import inf

from telusur.index.contract import Index
from telusur.models import Document
from telusur.pipeline.adding import put_documents
from telusur.pipeline.indexing.indexer import catch_up
from telusur.pipeline.indexing.reindexing import OwnFiles, extract_again
from telusur.pipeline.indexing.vectors import NEVER, VectorWork, check_wish
from telusur.pipeline.indexing.whole_collection import settle
from telusur.store.session import Session, transaction
from telusur.store.store import Store


@contextmanager
def open_for_indexing(store: Store) -> Iterator[tuple[Session, Index]]:
    """Lock the collection, with catalogue and index open for writing."""
    with (
        store.control.own(),
        store.guard(),
        closing(store.session()) as session,
        closing(store.index()) as index,
    ):
        yield session, index


def add_documents(store: Store, documents: Iterable[Document], now: float) -> int:
    """Index documents that did not come from a crawl; return how many."""
    with open_for_indexing(store) as (session, index):
        with transaction(session):
            count = put_documents(session.catalogue, documents, now)
        catch_up(store, index)
    return count


def index_collection(store: Store, *, with_settling: bool = False, vectors: str = NEVER) -> int:
    """Index new documents; return the number of documents read.

    All vectors are computed: no crawl waits for them.
    """
    check_wish(vectors)
    with open_for_indexing(store) as (_, index):
        seen = catch_up(store, index)
        if with_settling:
            settle(store, index)
        elif not seen:
            # Continues a merge that the end of a crawl did not wait for.
            index.commit()
    VectorWork(store, vectors).finish(inf)
    return seen


def reindex_collection(
    store: Store,
    report: Callable[[int], None] | None = None,
    files: OwnFiles | None = None,
) -> int:
    """Extract all pages again from the archive and index them; return how many."""
    with open_for_indexing(store) as (session, index):
        count = extract_again(store, session, report, files)
        catch_up(store, index)
        settle(store, index)
    return count
