"""Near duplicates among stored documents: found, remembered over a restart, in bounded memory."""

import random

import pytest

from telusur.backends.sqlite.catalogue import SqliteCatalogue
from telusur.backends.sqlite.database.schema import connect, create_database
from telusur.backends.sqlite.near import SqliteNearDuplicates
from telusur.crawl.rules.near_duplicates import BANDS, signature
from telusur.models import Document, url_id_of
from telusur.store.records import Twin

BODY = " ".join(f"word{number * 31 % 997}" for number in range(400))


@pytest.fixture
def db(tmp_path):
    create_database(tmp_path)
    connection = connect(tmp_path, read_only=False)
    yield connection
    connection.close()


def store(db, near, url, text, title="Tides", not_indexed="", canonical=None):
    url_id = url_id_of(url)
    SqliteCatalogue(db).put_document(
        url_id, Document(url=url, title=title, text=text), site="a.example", fetched_at=1.0,
        digest=url_id, canonical=canonical, not_indexed=not_indexed,
    )  # fmt: skip
    near.put(url_id, signature(text))


def find(near, url, text, title="Tides"):
    return near.find(url_id_of(url), title, signature(text))


def test_a_nearly_equal_text_with_the_same_title_is_found(db):
    near = SqliteNearDuplicates(db)
    original = url_id_of("http://a.example/b")
    store(db, near, "http://a.example/1", f"Visitor 1. {BODY}", canonical=original)
    found = find(near, "http://a.example/2", f"Visitor 2. {BODY}")
    assert found == Twin(url_id_of("http://a.example/1"), "http://a.example/1", original)


def test_another_title_means_another_page(db):
    near = SqliteNearDuplicates(db)
    store(db, near, "http://a.example/1", f"Visitor 1. {BODY}", title="Mug, red")
    assert find(near, "http://a.example/2", f"Visitor 2. {BODY}", "Mug, blue") is None


def test_another_text_short_texts_and_the_page_itself_are_not_found(db):
    near = SqliteNearDuplicates(db)
    store(db, near, "http://a.example/1", BODY)
    store(db, near, "http://a.example/short", "Three words only")
    assert find(near, "http://a.example/1", BODY) is None
    assert find(near, "http://a.example/2", " ".join(sorted(BODY.split()))) is None
    assert find(near, "http://a.example/3", "Three words only") is None


def test_a_document_that_left_the_index_is_no_original(db):
    near = SqliteNearDuplicates(db)
    store(db, near, "http://a.example/1", BODY, not_indexed="noindex")
    assert find(near, "http://a.example/2", BODY) is None


def test_a_restart_remembers(db):
    store(db, SqliteNearDuplicates(db), "http://a.example/1", BODY)
    found = find(SqliteNearDuplicates(db), "http://a.example/2", f"Now {BODY}")
    assert found is not None
    assert found.url == "http://a.example/1"


def test_a_rolled_back_transaction_leaves_no_trace(db):
    near = SqliteNearDuplicates(db)
    db.execute("BEGIN")
    store(db, near, "http://a.example/1", BODY)
    db.execute("ROLLBACK")
    assert find(near, "http://a.example/2", BODY) is None
    store(db, near, "http://a.example/3", " ".join(sorted(BODY.split())))  # takes the same number
    assert find(near, "http://a.example/2", BODY) is None


@pytest.mark.parametrize("restart", [False, True])
def test_old_documents_give_way_to_new_ones(db, restart):
    slots = 64 * BANDS
    near = SqliteNearDuplicates(db, slots)
    texts = [" ".join(random.Random(number).choices(BODY.split(), k=300)) for number in range(1000)]
    for number, text in enumerate(texts):
        store(db, near, f"http://a.example/{number}", text)
    if restart:
        near = SqliteNearDuplicates(db, slots)
    known = [find(near, "http://a.example/new", text) is not None for text in texts]
    assert sum(known[-20:]) >= 19
    assert sum(known[:500]) <= 5
