"""What a crawl writes to memory is what it writes to a directory, with every strategy."""

import pytest

from telusur.backends.sqlite.store import SqliteStore
from telusur.crawl.strategies.by_name import STRATEGIES
from telusur.memory import MemoryStore
from telusur.store.records import BEGINNING
from tests.pipeline import test_going_on
from tests.pipeline.test_going_on import Crawler

PAGES = 15
#: By depth, by sums, and by what was learned; the others come with the slow tests.
SHORT = {"breadth-first", "opic", "focused"}
NAMES = [pytest.param(name, marks=[] if name in SHORT else pytest.mark.slow) for name in STRATEGIES]


def crawl(directory, strategy):
    """Crawl some pages, drop the crawl in the middle of one, and go on."""
    Crawler(directory, strategy).go(PAGES).drop()
    return Crawler(directory, strategy).go(PAGES)


def contents(crawler, store):
    """Return what the crawl has found, by the contracts alone."""
    session, changes = crawler.session, store.changes()
    waiting = [url._replace(row=0) for step in session.strategy_state.walk() for url in step]
    documents = [change for change, _ in changes.after(BEGINNING, 999)]
    changes.close()
    found = {
        "counts": session.frontier.counts(),
        "waiting": waiting,
        "strategy": session.strategy_state.state(),
        "documents": [(one.url_id, one.not_indexed, one.document.text) for one in documents],
        "answered": sorted(session.catalogue.answered_urls()),
        "links": [session.catalogue.targets_of(one.url_id) for one in documents],
    }
    crawler.close()
    return found


@pytest.mark.parametrize("strategy", NAMES)
def test_memory_and_directory_end_up_alike(tmp_path, monkeypatch, strategy):
    directory = tmp_path / "collection"
    on_disk = contents(crawl(directory, strategy), SqliteStore(directory))
    store = MemoryStore()
    monkeypatch.setattr(test_going_on, "SqliteStore", lambda _: store)
    in_memory = contents(crawl(directory, strategy), store)
    assert len(on_disk["documents"]) == 2 * PAGES
    assert in_memory == on_disk
