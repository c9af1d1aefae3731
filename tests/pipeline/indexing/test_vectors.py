"""Vectors that follow the collection by themselves, with a model that fits on a page."""

import subprocess
import sys

import pytest

import telusur as library
from telusur.backends import open_store
from telusur.encoders import by_name as encoders
from telusur.errors import UsageError
from telusur.pipeline.indexing.meaning import Meanings
from telusur.pipeline.indexing.vectors import VectorWork
from telusur.pipeline.plan.plan import make_plan
from telusur.settings import CrawlSettings
from tests.pipeline.indexing.test_meaning import TinyEncoder


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(encoders.ENCODERS, "static", type("Static", (TinyEncoder,), STATIC))
    encoders.get_encoder.cache_clear()
    yield
    encoders.get_encoder.cache_clear()


STATIC = {"name": "static"}


@pytest.fixture
def directory(tmp_path):
    with library.open(tmp_path / "c") as collection:
        collection.add(pages(0, 10))
    return tmp_path / "c"


def pages(first, last):
    return [
        library.Document(url=f"https://a.example/{n}", text=f"Car {n}.", language="en")
        for n in range(first, last)
    ]


def unread(directory, model="static"):
    return Meanings(open_store(directory)).store(model).count_unread()


def test_nobody_gets_vectors_who_never_asked_for_them(directory):
    VectorWork(open_store(directory), "auto").finish(60)
    VectorWork(open_store(directory), "never").finish(60)
    assert not (directory / "meaning").exists()


def test_vectors_that_are_there_are_kept_level(directory):
    with library.open(directory) as collection:
        collection.search("car", semantic=True)
        collection.add(pages(10, 20))
        assert unread(directory) == 10
        VectorWork(open_store(directory), "never").finish(60)
        assert unread(directory) == 10
        VectorWork(open_store(directory), "auto").work(60)
        assert unread(directory) == 0
        collection.add(pages(20, 30))
        collection.index()
    assert unread(directory) == 0


def test_a_collection_that_is_set_to_a_model_gets_its_vectors(tmp_path):
    with library.open(tmp_path / "c") as collection:
        collection.put_semantic("static")  # before anything is there
        collection.add(pages(0, 3))
    VectorWork(open_store(tmp_path / "c"), "auto").work(60)
    assert unread(tmp_path / "c") == 0


def test_asking_for_vectors_changes_no_search(directory):
    with library.open(directory) as collection:
        collection.index(vectors="always")
        assert unread(directory) == 0
        assert collection.search("vehicle").total == 0
        assert collection.search("vehicle", semantic=True).total == 10


def test_it_keeps_to_its_time_and_pays_back_what_took_longer(directory):
    now = 0.0

    def clock():
        nonlocal now
        now += 0.1  # each look at the clock costs that much
        return now

    work = VectorWork(open_store(directory), "always", clock)
    work.work(0.35)
    left = unread(directory)
    assert 0 < left < 10
    work.work(0.01)
    assert unread(directory) == left
    work.work(60)
    assert unread(directory) == 0


def test_the_end_of_a_crawl_waits_for_vectors_only_if_they_were_asked_for(directory):
    with library.open(directory) as collection:
        collection.search("car", semantic=True)
        collection.add(pages(10, 20))
    VectorWork(open_store(directory), "auto").finish(0.0)
    assert unread(directory) == 10
    VectorWork(open_store(directory), "always").finish(0.0)
    assert unread(directory) == 0


def test_a_model_that_cannot_be_read_does_not_stop_the_index(directory, monkeypatch, caplog):
    def broken():
        raise ValueError("no such table")

    monkeypatch.setitem(encoders.ENCODERS, "static", broken)
    encoders.get_encoder.cache_clear()
    VectorWork(open_store(directory), "always").finish(60)
    assert "cannot be read (no such table)" in caplog.text


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [({"index": False}, "leave out --no-index"), ({}, "pip install wordllama")],
)
def test_what_cannot_be_made_is_told_before_anything_is_touched(monkeypatch, wishes, sentence):
    monkeypatch.setattr(encoders, "_place_of", lambda package: None)
    monkeypatch.setattr(encoders, "ENCODERS", {"static": encoders._make_static})
    with pytest.raises(UsageError, match=sentence):
        make_plan(["https://a.example/"], CrawlSettings(vectors="always", **wishes))


def test_the_indexer_of_a_crawl_makes_them(directory):
    """In a process of its own, by the real model."""
    command = [sys.executable, "-m", "telusur.pipeline.indexing.indexer", str(directory), "always"]
    subprocess.run(command, input=b"finish\n", check=True)
    encoders.get_encoder.cache_clear()
    encoders.ENCODERS["static"] = encoders._make_static  # put back by the fixture
    assert unread(directory) == 0
    assert (directory / "meaning" / "static.json").exists()
