from contextlib import closing

import pytest

import telusur
from telusur.backends import open_store
from telusur.backends.embedded.places import INDEX
from telusur.backends.tantivy.position import POSITION, read_position
from telusur.pipeline.indexing import indexer
from telusur.pipeline.indexing.indexer import catch_up


def add(directory, *texts):
    documents = [
        telusur.Document(url=f"http://a.example/{text.split()[0]}", title=text, text=text)
        for text in texts
    ]
    with telusur.open(directory) as collection:
        collection.add(documents)


def search(directory, words):
    with telusur.open(directory) as collection:
        return sorted(hit.title for hit in collection.search(words).hits)


def follow(directory):
    store = open_store(directory)
    with closing(store.index()) as index:
        return catch_up(store, index)


def test_a_document_that_changes_is_replaced(tmp_path):
    add(tmp_path, "one about boats", "two about boats")
    add(tmp_path, "one about trains")
    assert search(tmp_path, "boats") == ["two about boats"]
    assert search(tmp_path, "trains") == ["one about trains"]
    assert follow(tmp_path) == 0


def test_own_fields_must_fit_into_json(tmp_path):
    odd = telusur.Document(url="http://a.example/odd", fields={"when": object()})
    with telusur.open(tmp_path) as collection:
        with pytest.raises(telusur.UsageError, match="odd: its fields cannot be stored as JSON"):
            collection.add([odd])
        odd.fields = {"a": [1, None, "x\ud800"]}
        assert collection.add([odd]) == 1
        assert collection.document(odd.url).fields == odd.fields


def test_a_lost_position_repeats_work_and_doubles_nothing(tmp_path):
    add(tmp_path, "one about boats", "two about boats")
    (tmp_path / INDEX / POSITION).unlink()
    assert follow(tmp_path) == 2
    assert search(tmp_path, "boats") == ["one about boats", "two about boats"]


def test_a_position_ahead_of_the_catalogue_is_corrected(tmp_path):
    """After a power cut the catalogue may have lost its last second, and the index not."""
    add(tmp_path, "one about boats")
    (tmp_path / INDEX / POSITION).write_text('{"seq": 99}')
    add(tmp_path, "two about boats")
    assert search(tmp_path, "boats") == ["one about boats", "two about boats"]
    assert read_position(tmp_path / INDEX) == "2"


def test_large_documents_are_taken_a_few_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(indexer, "BATCH_CHARACTERS", 10)
    add(tmp_path, *(f"n{number} about boats" for number in range(5)))
    assert len(search(tmp_path, "boats")) == 5
