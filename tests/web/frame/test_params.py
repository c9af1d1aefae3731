import pytest
from starlette.datastructures import QueryParams

from telusur.search.request import GROUPS, SearchRequest
from telusur.web.frame.params import BadRequestError, read_search, read_url, write_search


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
        ("q=" + "x" * 2001, "q is 2,001 characters long; the maximum is 2,000."),
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


def test_every_wish_has_the_name_of_the_library():
    asked = "q=tea&per_site=0&group=site&facets=site,+year,site&explain=1&model=tfidf&as_of=5.25"
    assert read_search(QueryParams(asked)) == SearchRequest(
        "tea", per_site=0, group="site", facets=("site", "year"), explain=True, model="tfidf",
        as_of=5.25,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("per_site=-1", "per_site must be from 0 to 1,000, not -1."),
        ("group=host", f"group must be {' or '.join(filter(None, GROUPS))}, not 'host'."),
        (
            "facets=site,colour",
            "facets may have site, language, type, topic, crawl, year, month, not 'colour'.",
        ),
        ("explain=perhaps", "explain must be true or false, not 'perhaps'."),
        ("model=magic", "model must be bm25f or tfidf, not 'magic'."),
        ("as_of=today", "as_of must be seconds since 1970, not 'today'."),
        ("as_of=nan", "as_of must be seconds since 1970, not 'nan'."),
        ("as_of=-5", "as_of must be seconds since 1970, not '-5'."),
    ],
)
def test_wishes_that_make_no_sense(asked, sentence):
    with pytest.raises(BadRequestError) as caught:
        read_search(QueryParams(asked))
    assert caught.value.sentences == (sentence,)


def test_a_search_is_written_as_it_was_read():
    asked = "q=a+b&page=2&per_site=0&facets=site,year&explain=true&as_of=1794850565.678"
    written = write_search(read_search(QueryParams(asked)))
    assert read_search(QueryParams(written)) == read_search(QueryParams(asked))
    assert write_search(SearchRequest("")) == {}
