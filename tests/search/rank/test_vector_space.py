import math
import random
from collections import Counter

import pytest

from telusur.index.query import Query, Words
from telusur.language.analysis import terms
from telusur.models import Document
from telusur.search.rank.vector_space import rank_by_cosine


def ask(view, *words):
    query = Query(wanted=tuple(Words(((word,),)) for word in words))
    ranking = rank_by_cosine(view, query)
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


def brute_force(texts, words):
    """The cosine of every text that has one of the words, straight from the book: lnc.ltc."""
    counted = [Counter(terms(text, "en")) for text in texts]
    rarity = {
        word: math.log(len(texts) / sum(word in counts for counts in counted)) for word in words
    }
    query_length = math.sqrt(sum(value**2 for value in rarity.values()))
    found = {}
    for number, counts in enumerate(counted):
        weights = {word: 1 + math.log(count) for word, count in counts.items()}
        length = math.sqrt(sum(value**2 for value in weights.values()))
        dot = sum(rarity[word] * weights.get(word, 0.0) for word in words)
        if any(word in counts for word in words):
            found[number] = dot / length / query_length
    return found


def test_every_document_that_matches_has_the_cosine_of_the_book(view_of):
    """More documents than are ranked again by anything else, in titles and in texts."""
    chance = random.Random(3)
    vocabulary = [f"w{letter}{other}" for letter in "abcde" for other in "vwxyz"]
    pages = [
        (chance.choice(vocabulary), " ".join(chance.choices(vocabulary, k=chance.randint(1, 40))))
        for _ in range(400)
    ]
    view = view_of(*(Document(title=title, text=text, language="en") for title, text in pages))
    words = (vocabulary[3], vocabulary[11])
    expected = brute_force([" ".join(page) for page in pages], words)
    query = Query(wanted=tuple(Words(((word,),)) for word in words))
    ranking = rank_by_cosine(view, query)
    assert ranking.total == len(ranking.candidates) == len(expected) > 150
    entries = view.entries(ranking.candidates)
    measured = {int(entry.url.rpartition("/")[2]): entry.score for entry in entries}
    assert measured == pytest.approx(expected)
    in_order = sorted(expected.values(), reverse=True)
    assert [entry.score for entry in entries] == pytest.approx(in_order)
