"""Search by meaning, with a model small enough to be written down here."""

import json
import shutil
import sqlite3
from contextlib import closing

import numpy as np
import pytest

import telusur as library
from telusur.encoders.by_name import ENCODERS, get_encoder
from telusur.errors import UsageError
from telusur.language.words import find_words

SENSES = {"car": 0, "automobile": 0, "vehicle": 0, "soup": 1, "broth": 1, "stew": 1, "owl": 2}


class TinyEncoder:
    """Knows seven words and three things; words it does not know mean nothing."""

    name = "tiny"
    version = "1"
    dimensions = 3
    weight = 0.4
    least_cosine = 0.3

    def encode(self, texts):
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in find_words(text.lower()):
                if word in SENSES:
                    vectors[row, SENSES[word]] += 1
        return vectors / np.maximum(np.sqrt((vectors**2).sum(axis=1, keepdims=True)), 1e-9)


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(ENCODERS, "tiny", TinyEncoder)
    get_encoder.cache_clear()
    yield
    get_encoder.cache_clear()


def page(name, text, site="a"):
    return library.Document(url=f"https://{site}.example/{name}", text=text, language="en")


@pytest.fixture
def collection(tmp_path):
    with library.open(tmp_path / "c") as opened:
        opened.add([
            page("car", "A car on the road."), page("auto", "An automobile in the garage."),
            page("soup", "Hot soup."), page("broth", "Cold broth.", "b"), page("owl", "The owl."),
        ])  # fmt: skip
        yield opened


def found(collection, query, **wishes):
    """Return what a reader finds who opens the collection now."""
    with library.open(collection.directory) as opened:
        hits = opened.search(query, semantic="tiny", **wishes).hits
    return [hit.url.rpartition("/")[2] for hit in hits]


def test_pages_are_found_that_mean_the_same_in_other_words(collection):
    assert [hit.url[-3:] for hit in collection.search("car").hits] == ["car"]
    assert found(collection, "car") == ["car", "auto"]
    assert sorted(found(collection, "stew")) == ["broth", "soup"]
    assert found(collection, "qwertz") == []


def test_filters_exclusions_and_requirements_count_for_both(collection):
    assert found(collection, "stew site:b.example") == ["broth"]
    assert found(collection, "car -garage") == ["car"]
    assert found(collection, '"in the garage" car') == ["auto"]
    assert found(collection, "soup AND hot") == ["soup"]
    assert sorted(found(collection, "lang:en")) == ["auto", "broth", "car", "owl", "soup"]


def test_the_total_counts_what_only_meaning_found_once(collection):
    assert collection.search("car", semantic="tiny").total == 2
    assert collection.search("car automobile", semantic="tiny").total == 2
    assert collection.search("stew owl", semantic="tiny").total == 3


def test_pages_of_hits_fit_together(collection):
    collection.add(page(f"n{n}", f"A car, number {n}.") for n in range(150))
    collection.add(page(f"v{n}", f"Vehicle {n}.") for n in range(30))
    whole = found(collection, "car", limit=200)
    assert len(whole) == len(set(whole)) == collection.search("car", semantic="tiny").total
    pages = [found(collection, "car", limit=25, page=n) for n in range(1, 9)]
    assert [name for part in pages for name in part] == whole


def test_the_explanation_names_both_places(collection):
    first = collection.search("car", semantic="tiny", explain=True).hits[0]
    assert first.explanation.value == pytest.approx(first.score)
    by_words, by_meaning = (part.description for part in first.explanation.details)
    assert by_words.startswith("place 1 by words (")
    assert by_meaning.split(" (")[1].startswith("1.000), 0.4 /")


def test_vectors_follow_the_collection(collection):
    assert sorted(found(collection, "vehicle")) == ["auto", "car"]
    collection.add([page("car", "An owl after all."), page("new", "A vehicle.")])
    assert set(found(collection, "automobile")) == {"auto", "new"}
    assert set(found(collection, "owl")) == {"owl", "car"}


def test_what_left_the_index_is_not_found(collection, tmp_path):
    assert len(found(collection, "broth")) == 2
    with closing(sqlite3.connect(tmp_path / "c" / "collection.db")) as db, db:
        db.execute(
            "UPDATE documents SET not_indexed = 'noindex', seq = 100 WHERE url LIKE '%/soup'"
        )
    collection.index()
    assert found(collection, "broth") == ["broth"]
    rows = json.loads((tmp_path / "c" / "meaning" / "tiny.json").read_text())["rows"]
    assert rows == 6


def test_vectors_that_are_missing_or_of_a_later_state_are_made_again(collection, tmp_path):
    assert len(found(collection, "car")) == 2
    shutil.rmtree(tmp_path / "c" / "meaning")
    assert len(found(collection, "car")) == 2
    with closing(sqlite3.connect(tmp_path / "c" / "collection.db")) as db, db:
        db.execute("DELETE FROM documents WHERE url LIKE '%/owl'")  # a power cut, numbers go back
    collection.index()
    assert len(found(collection, "car")) == 2


def test_a_collection_is_set_to_a_model_and_back(collection, tmp_path):
    assert collection.put_semantic("tiny") == 5
    with library.open(tmp_path / "c") as again:
        assert again.search("car").total == 2
        assert again.search("car", semantic=True).total == 2
        assert again.search("car", semantic=False).total == 1
    collection.put_semantic("")
    assert collection.search("car").total == 1


def test_where_the_model_of_a_collection_is_not_installed_words_are_searched(
    collection, monkeypatch
):
    collection.put_semantic("tiny")
    monkeypatch.delitem(ENCODERS, "tiny")
    get_encoder.cache_clear()
    with library.open(collection.directory) as again:
        assert again.search("car").total == 1
        with pytest.raises(UsageError, match="model 'tiny' is not known"):
            again.search("car", semantic="tiny")


def test_while_another_process_reads_what_there_is_counts(collection, tmp_path):
    from telusur.backends.files.vectors import VectorFile

    assert len(found(collection, "car")) == 2
    with VectorFile(tmp_path / "c" / "meaning", "tiny", "1", 3).writing():
        collection.add([page("new", "A vehicle.")])
        assert len(found(collection, "car")) == 2
    assert len(found(collection, "car")) == 3
