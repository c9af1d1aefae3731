import pytest
from starlette.datastructures import QueryParams

from telusur.web.params import BadRequestError, SearchRequest, read_search, read_url


def test_all_of_it():
    wanted = read_search(QueryParams("q=tide+clock&page=3&limit=25"))
    assert wanted == SearchRequest("tide clock", 3, 25)


@pytest.mark.parametrize("asked", ["", "q=", "page=&limit="])
def test_defaults(asked):
    assert read_search(QueryParams(asked)) == SearchRequest("", 1, 10)


def test_control_characters_are_spaces():
    assert read_search(QueryParams({"q": "\x00tide\r\nclock\x7f"})).query == "tide clock"


def test_the_longest_query():
    assert len(read_search(QueryParams({"q": "x" * 2000})).query) == 2000


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("page=0", "page must be from 1 to 10,000, not 0."),
        ("page=-1", "page must be from 1 to 10,000, not -1."),
        ("page=two", "page must be a whole number from 1 to 10,000, not 'two'."),
        ("page=1.5", "page must be a whole number from 1 to 10,000, not '1.5'."),
        ("page=%D9%A3", "page must be a whole number from 1 to 10,000, not '٣'."),
        ("page=" + "9" * 18, f"page must be from 1 to 10,000, not {'9' * 18}."),
        ("limit=101", "limit must be from 1 to 100, not 101."),
        ("limit=0", "limit must be from 1 to 100, not 0."),
        ("q=" + "x" * 2001, "q is 2,001 characters long; the most is 2,000."),
    ],
)
def test_what_makes_no_sense(asked, sentence):
    with pytest.raises(BadRequestError) as caught:
        read_search(QueryParams(asked))
    assert caught.value.sentences == (sentence,)


def test_everything_wrong_is_told_at_once():
    with pytest.raises(BadRequestError) as caught:
        read_search(QueryParams("page=0&limit=x"))
    assert len(caught.value.sentences) == 2


@pytest.mark.parametrize("asked", ["", "url=", "url=" + "x" * 16_001])
def test_a_page_needs_a_url(asked):
    with pytest.raises(BadRequestError, match="url is"):
        read_url(QueryParams(asked))
