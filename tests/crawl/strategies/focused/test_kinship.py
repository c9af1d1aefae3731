import numpy as np
import pytest

from telusur.crawl.strategies import Setup
from telusur.crawl.strategies.by_name import make_strategy
from telusur.crawl.strategies.focused import kinship
from telusur.crawl.strategies.focused.kinship import CHANCE, Kinship
from telusur.crawl.strategies.focused.strategy import Focused
from telusur.crawl.topic import PageText, Topic
from telusur.models import Document, Link

PLANES = {"engine": 0, "axe": 0, "button": 0, "boat": 1, "the": 0}


class FewWords:
    """Vectors of two directions; counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts):
        self.asked += texts
        vectors = np.zeros((len(texts), 2), np.float32)
        for row, text in enumerate(texts):
            if text in PLANES:
                vectors[row, PLANES[text]] = 1.0
        return vectors


def test_words_that_mean_something_near_the_topic_make_a_text_near():
    near = Kinship(FewWords(), "engine").of(["Axe", "Boat", "Axe button", "zebra", ""], "en")
    assert near.tolist() == pytest.approx([1.0, CHANCE, 2 / np.sqrt(2), CHANCE, CHANCE])


def test_a_stop_word_says_nothing():
    assert Kinship(FewWords(), "engine").of(["the"], "en") == pytest.approx([CHANCE])


def test_a_word_is_looked_up_once():
    vectors = FewWords()
    near = Kinship(vectors, "engine")
    near.of(["axe boat", "axe"], "en")
    near.of(["axe boat", "boat axe"], "en")
    assert sorted(vectors.asked) == ["axe", "boat", "engine"]


def test_it_forgets_before_it_remembers_too_much(monkeypatch):
    monkeypatch.setattr(kinship, "MOST_WORDS", 3)
    near = Kinship(FewWords(), "engine")
    for number in range(20):
        texts = ["axe", f"axe {'abcdefghijklmnopqrstuvwxyz'[number] * 3}"]
        assert near.of(texts, "en")[0] == pytest.approx(1.0)


def test_without_vectors_all_texts_are_alike():
    assert Kinship(None, "engine").of(["axe", "boat"], "en").tolist() == [0.0, 0.0]


def test_a_link_is_scored_by_what_its_words_mean():
    strategy = make_strategy(Focused, Setup(Topic("engine"), vectors=FewWords()))
    document = Document(text="A list.", language="en")
    links = [Link("http://a/1", "Axe"), Link("http://a/2", "Boat")]
    sight = strategy.look(PageText(document), links)
    assert sight.kin[0] > sight.kin[1]
