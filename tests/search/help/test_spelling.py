import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telusur.models import Document
from telusur.search.help.spelling import LARGE_COLLECTION, correct, did_you_mean
from telusur.search.query.near_words import near_words
from telusur.search.query.syntax import parse

TEXTS = [
    "Information retrieval and search engines",
    "A search engine finds information in a database",
    "The information of libraries; every library retrieves",
    "Searching receives answers",
    "Kütüphane Işık",
]


@pytest.fixture
def words(view_of):
    return view_of(*(Document(text=text, language="en") for text in TEXTS))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("infromation", "information"),
        ("informaton", "information"),
        ("informatiion", "information"),
        ("imformation", "information"),
        ("nformation", "information"),
        ("xinformation", "information"),
        ("ifnormation", "information"),
        ("infomatoin", "information"),
        ("recieves", "receives"),
        ("searchengine", "search engine"),
        ("data base", "database"),
        ("infor mation", "information"),
        ("kutüphane", "kütüphane"),
        ("SAERCH -engin", "search -engin"),
        ('"serch enginne" OR libary', '"search engine" OR library'),
        ("title:serch site:serch", "title:search site:serch"),
        ("e-serch", "e-search"),
    ],
)
def test_errors_are_put_right(words, typed, meant):
    assert did_you_mean(parse(typed), ("en",), words) == meant


@pytest.mark.parametrize(
    "typed",
    ["information", "retrieving engines", "xylophone", "serch*", "serch~", "42", "i2formation",
     "検索 検策", "en", "", "-serch", "x" * 5000, "search " * 500],
)  # fmt: skip
def test_what_is_known_or_unlike_anything_stays(words, typed):
    assert did_you_mean(parse(typed), ("en",), words) == ""


def test_the_frequent_word_is_meant(view_of):
    words = view_of(Document(text="cart"), *(Document(text="card") for _ in range(3)))
    assert correct(["carx"], words) == ["card"]


def test_a_rare_word_of_a_large_collection_may_be_an_error(view_of):
    right = [Document(text="they receive it", language="en")] * LARGE_COLLECTION
    words = view_of(*right, Document(text="they recieve it", language="en"))
    assert did_you_mean(parse("recieve"), ("en",), words) == "receive"
    assert did_you_mean(parse("receive"), ("en",), words) == ""


def test_words_at_a_distance(words):
    assert {near.text for near in near_words("engine", 1, words)} == {"engines"}
    found = {near.text: near.distance for near in near_words("serach", 2, words)}
    assert found == {"search": 1}


def test_words_are_corrected_in_a_list(words):
    assert correct(["the", "serchengine", "libary"], words, ("en",)) == [
        "the",
        "serchengine",
        "library",
    ]
    assert correct([], words) == []


def test_an_empty_collection_corrects_nothing(view_of):
    assert did_you_mean(parse("infromation data base"), ("",), view_of()) == ""


@given(st.text(max_size=60))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_query_may_be_corrected(words, text):
    assert isinstance(did_you_mean(parse(text), ("en", "tr"), words), str)


@pytest.mark.parametrize(
    "typed",
    ["before:infromation", "aftre:2024", "infromation:infromation", "http://infromation.example/x"],
)
def test_what_was_meant_for_a_filter_or_an_address_is_left_alone(words, typed):
    assert did_you_mean(parse(typed), ["en"], words) == ""
    mixed = did_you_mean(parse(f"{typed} saerch"), ["en"], words)
    assert mixed == f"{typed} search"
