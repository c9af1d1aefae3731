"""`--semantic`, as a user types it."""

import json

import pytest

import telusur as library
from telusur.encoders.by_name import ENCODERS, get_encoder
from tests.pipeline.indexing.test_meaning import TinyEncoder


@pytest.fixture(autouse=True)
def collection(tmp_path, monkeypatch):
    monkeypatch.setitem(ENCODERS, "static", TinyEncoder)
    get_encoder.cache_clear()
    with library.open(tmp_path / "c") as opened:
        opened.add(
            library.Document(url=f"https://a.example/{text[-5]}", text=text, language="en")
            for text in ("One car.", "An automobile.", "Some broth.")
        )
    yield
    get_encoder.cache_clear()


def total(telusur, *arguments):
    return json.loads(telusur("search", *arguments, "--in", "c", "--json").out)["total"]


def test_semantic_stands_alone_or_has_a_model(telusur):
    assert total(telusur, "car") == 1
    assert total(telusur, "--semantic", "car") == 2
    assert total(telusur, "car", "--semantic") == 2
    assert total(telusur, "--semantic", "static", "car") == 2
    assert total(telusur, "--semantic=static", "car") == 2


def test_a_collection_is_set_to_it(telusur):
    ran = telusur("index", "--semantic", "static", "--in", "c")
    assert ran.out.endswith("c: semantic search is on (3 documents encoded).\n")
    assert total(telusur, "car") == 2
    assert total(telusur, "car", "--semantic", "off") == 1
    assert telusur("index", "--semantic", "off", "--in", "c").out.endswith(
        "semantic search is off.\n"
    )
    assert total(telusur, "car") == 1


def test_an_unknown_model_is_told_in_a_sentence(telusur):
    ran = telusur("search", "car", "--semantic=dense", "--in", "c")
    assert (ran.code, ran.out) == (2, "")
    assert "model 'dense' is not known; try static, transformer." in ran.err
