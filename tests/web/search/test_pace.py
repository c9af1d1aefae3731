import threading

import pytest

from telusur.models import SearchResults
from telusur.search.request import SearchRequest
from telusur.web.search.pace import QUICK_SECONDS, SearchPace, is_plain


class Clock:
    """A clock that the work moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def take(pace, clock, seconds, times=1):
    for _ in range(times):
        pace.measure(lambda: setattr(clock, "now", clock.now + seconds))


def test_searches_are_quick_when_they_have_been_for_a_while():
    pace = SearchPace(clock := Clock())
    take(pace, clock, 0.001)
    assert not pace.is_quick
    take(pace, clock, 0.001, times=20)
    assert pace.is_quick


def test_a_slow_one_ends_it():
    pace = SearchPace(clock := Clock())
    take(pace, clock, 0.001, times=30)
    take(pace, clock, 10 * QUICK_SECONDS)
    assert not pace.is_quick


def test_a_search_that_fails_is_measured_too():
    pace = SearchPace(clock := Clock())
    take(pace, clock, 0.001, times=30)

    def fail():
        clock.now += 1
        raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011
        pace.measure(fail)
    assert not pace.is_quick


@pytest.mark.parametrize(
    "request_",
    [
        SearchRequest("librar*"),
        SearchRequest("colour~2"),
        SearchRequest("word " * 100),
        SearchRequest("owl", page=11),
        SearchRequest("owl", group="topic"),
        SearchRequest("owl", model="tfidf"),
        SearchRequest("owl", explain=True),
        SearchRequest("owl", semantic=True),
    ],
)
def test_what_may_take_long_is_not_plain(request_):
    assert is_plain(SearchRequest('"night owls" -mice site:example.org', page=2, per_site=0))
    assert not is_plain(request_)


class Quick:
    """A collection that remembers in which thread it was asked."""

    name = "quick"

    def __init__(self):
        self.threads = []

    def answer(self, request):
        self.threads.append(threading.get_ident())
        return SearchResults(request.query, 0, (), request.page, request.limit)

    def site_order(self):
        return ()


def test_quick_searches_are_answered_where_requests_are_read_and_others_in_a_thread(show):
    collection = Quick()
    running = show(collection)
    for _ in range(40):
        assert running.get("/search.json?q=owl").status == 200
    loop = collection.threads[-1]
    assert loop not in collection.threads[:5]
    running.get("/search.json?q=owl*")
    assert collection.threads[-1] != loop
    running.get("/search.json?q=owl&facets=site")  # not yet known to be quick
    assert collection.threads[-1] != loop
    running.get("/search.json?q=owl")
    assert collection.threads[-1] == loop
