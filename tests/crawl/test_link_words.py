"""Words of pages and links as hashes: the same cosines as by the words themselves."""

import math
from collections import Counter

import pytest

from telusur.crawl.strategies.link_words import likenesses, page_likeness, which_are_about
from telusur.crawl.topic import PageText, Topic
from telusur.language.analysis import terms
from telusur.language.similarity import cosine
from telusur.models import Document, Link

TOPIC = Topic("owls night owls")
TEXTS = ["Owls", "", "the of", "An owl hunts by night, every night", "harbour", "night harbours"]


def by_words(text: str) -> float:
    counts = Counter(terms(text, "en"))
    return cosine({term: 1 + math.log(n) for term, n in counts.items()}, TOPIC.weights("en"))


def test_cosines_of_links_are_those_of_their_words():
    found = likenesses(TEXTS, TOPIC.weights("en"), "en")
    assert found == pytest.approx([by_words(text) for text in TEXTS])
    assert found[0] == pytest.approx(2 / math.sqrt(5))
    assert [value > 0 for value in found] == [True, False, False, True, False, True]
    assert likenesses([], TOPIC.weights("en"), "en") == []


def test_the_cosine_of_a_page_is_that_of_its_words():
    page = PageText(Document(title="Owls", text="An owl sleeps. " * 9 + "At night.", language="en"))
    assert page_likeness(page, TOPIC) == pytest.approx(by_words("Owls\n" + page.document.text))
    assert page_likeness(PageText(Document(text="Harbours.", language="en")), TOPIC) == 0.0


def test_a_link_is_about_the_topic_by_its_text_or_its_address():
    links = [
        Link("http://a.example/1", anchor="About owls"),
        Link("http://a.example/wp/Snowy_owl.htm", anchor="here"),
        Link("http://owl.example/wp/Harbour", anchor="Harbour"),
        Link("http://a.example/late%20night"),
    ]
    assert which_are_about(links, TOPIC.weights("en"), "en") == bytes([1, 1, 0, 1])
    assert which_are_about([], TOPIC.weights("en"), "en") == b""
