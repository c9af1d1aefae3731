import pytest

from telusur.index.query import Query, Words
from telusur.models import Document
from telusur.search.vector_space import rank_by_cosine


def ask(view, *words):
    query = Query(wanted=tuple(Words(((word,),)) for word in words))
    ranking = rank_by_cosine(view, query, 10)
    entries = view.entries(ranking.candidates)
    return [(entry.url[-1], entry.score) for entry in entries]


def test_a_document_of_nothing_but_the_words_has_cosine_one(view_of):
    texts = ("cat dog", "cat", "cat dog hen cow pig", "cow", "hen")
    ranked = ask(view_of(*(Document(text=text, language="en") for text in texts)), "cat", "dog")
    assert [name for name, _ in ranked] == ["0", "2", "1"]
    assert ranked[0][1] == pytest.approx(0.96, abs=0.04)
    assert all(0 < score <= 1.0001 for _, score in ranked)


def test_a_text_that_is_all_one_word_counts_it_by_its_logarithm(view_of):
    view = view_of(
        Document(text="cat " * 50 + "dog " * 50, language="en"),
        Document(text="cat dog", language="en"),
        Document(text="hen", language="en"),
    )
    (_, first), (_, second) = ask(view, "cat", "dog")
    assert first == pytest.approx(second)
