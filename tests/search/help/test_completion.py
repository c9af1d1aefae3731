import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telusur.models import Document
from telusur.search.help.completion import Suggestion, complete, split_last_word, suggest

PAGES = [
    Document(
        title="Information retrieval", text="Information retrieval is a science.", language="en"
    ),
    Document(
        title="Libraries", text="The information retrieval of libraries informs.", language="en"
    ),
    Document(
        title="Routes", text="Information on roads, and information resources.", language="en"
    ),
    Document(title="検索エンジン", text="検索エンジンを作る。", language="ja"),
    Document(title="Infinite cats", text="Cats without end.", language="en"),
]


@pytest.fixture
def view(view_of):
    return view_of(*PAGES)


def texts(suggestions):
    return [suggestion.text for suggestion in suggestions]


def test_words_begin_as_typed_the_most_frequent_first(view):
    assert texts(complete("r", view, 5, ("en",))) == ["retrieval", "resources", "roads", "routes"]
    assert texts(complete("Libr", view, 5, ("en",))) == ["libraries"]


def test_of_the_forms_of_a_word_the_most_frequent_is_named(view):
    assert complete("info", view, 5, ("en",)) == [Suggestion("information", "word", 3)]


def test_stop_words_are_not_named(view):
    assert complete("th", view, 5, ("en",)) == []


def test_the_word_that_follows_most_often_comes_first(view):
    found = suggest("some information r", view, ("en",))
    assert texts(found)[:2] == ["some information retrieval", "some information resources"]
    assert [(one.kind, one.documents) for one in found[:2]] == [("phrase", 2), ("phrase", 1)]


def test_titles_are_suggested_with_their_address(view):
    assert Suggestion("Infinite cats", "title", 1, "https://a.example/4") in suggest(
        "inf", view, ("en",)
    )
    assert suggest("cats infin", view, ("en",))[-1].text == "Infinite cats"


def test_scripts_without_spaces(view):
    assert "検索エンジン" in texts(suggest("検索", view, ("ja",)))


def test_no_more_than_asked_for_and_nothing_twice(view):
    assert len(suggest("inf", view, ("en",), limit=2)) == 2
    found = texts(suggest("i", view, ("en",)))
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    "typed", ["", "information ", "site:", "site:exa", '"', "zzz", "🙂", "(", "\ud800"]
)
def test_where_no_word_is_being_typed_nothing_is_suggested(view, typed):
    assert suggest(typed, view, ("en",)) == ()


def test_the_last_word_is_the_one_being_typed():
    assert split_last_word('cats "big do') == ('cats "big ', "do")
    assert split_last_word("cats -do") == ("cats -", "do")
    assert split_last_word("cats ") == ("cats ", "")


@given(st.text(max_size=40))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_anything_may_be_typed(view, typed):
    assert all(suggestion.text for suggestion in suggest(typed, view, ("en", "ja")))
