"""A search for files goes on a little at a time, and is not begun anew by everybody who looks."""

import threading

import pytest

import telusur
from telusur.reports import file_search
from telusur.reports.file_search import LEAST_SECONDS, REST, FileSearch, FileSearches
from telusur.reports.site_files import FoundFile, Looked


class Pages:
    """A hundred pages with a file each; to read one takes a second."""

    def __init__(self, number=100):
        self.now = 0.0
        self.number = number
        self.is_closed = False

    def clock(self):
        return self.now

    def steps(self):
        try:
            for at in range(1, self.number + 1):
                self.now += 1.0
                yield FoundFile(f"http://a.example/{at}.pdf", "linked")
                yield Looked(at, self.number)
        finally:
            self.is_closed = True

    def search(self, most=1000):
        return FileSearch(self.steps(), most, self.clock)


def test_each_visit_goes_on_where_the_last_one_was():
    search = Pages().search()
    assert len(search.work(10.0)) == 10
    assert (search.is_over, search.is_whole) == (False, False)
    assert len(search.work(10.0)) == 20
    assert search.looked == Looked(20, 100) or search.looked == Looked(19, 100)
    assert len(search.work(1000.0)) == 100
    assert (search.is_over, search.is_whole, search.looked) == (True, True, Looked(100, 100))
    assert len(search.work(10.0)) == 100, "what was found stays"


def test_there_may_be_more_than_is_kept():
    pages = Pages()
    search = pages.search(most=5)
    assert len(search.work(1000.0)) == 5
    assert (search.is_over, search.is_whole) == (True, False)
    assert pages.is_closed, "the rest is not read"


def test_what_was_found_is_shown_again_for_a_while():
    pages = Pages()
    searches = FileSearches(pages.clock)
    first = searches.get("pdf", pages.search)
    first.work(1000.0)
    assert searches.get("pdf", pages.search) is first
    pages.now += REST * 100
    assert searches.get("pdf", pages.search) is first
    pages.now += 1.0
    assert searches.get("pdf", pages.search) is not first
    quick = Pages(number=0)
    searches = FileSearches(quick.clock)
    first = searches.get("pdf", quick.search)
    assert first.work(1.0) == []
    quick.now += LEAST_SECONDS
    assert searches.get("pdf", quick.search) is first


def test_of_many_searches_the_oldest_are_given_up():
    all_pages = [Pages() for _ in range(3)]
    searches = FileSearches(lambda: 0.0, most=2)
    for number, pages in enumerate(all_pages):
        searches.get(number, pages.search).work(5.0)
    assert [pages.is_closed for pages in all_pages] == [True, False, False]


def test_a_search_that_nobody_asks_for_lets_go_of_the_database(monkeypatch):
    waiting = []

    class Timer(threading.Timer):
        def start(self):
            waiting.append(self)

    monkeypatch.setattr(file_search.threading, "Timer", Timer)
    pages = Pages()
    searches = FileSearches(pages.clock)
    search = searches.get("pdf", pages.search)
    search.work(5.0)
    search.work(5.0)
    assert len(waiting) == 2
    assert waiting[0].finished.is_set(), "whoever asks again keeps it going"
    waiting[-1].function()
    assert pages.is_closed
    assert searches.get("pdf", pages.search) is not search


def test_several_visitors_share_one_search():
    pages = Pages()
    search = pages.search()
    threads = [threading.Thread(target=search.work, args=(20.0,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    urls = [file.url for file in search.work(1000.0)]
    assert len(urls) == len(set(urls)) == 100


@pytest.mark.parametrize("kind", ["image", "pdf"])
def test_steps_lead_from_nothing_to_all_pages(demo, kind):
    with telusur.open(demo.directory) as collection:
        steps = list(collection.walk_files(kind))
        looked = [step for step in steps if isinstance(step, Looked)]
        assert looked[-1].at == looked[-1].of
        assert [step.at for step in looked] == sorted({step.at for step in looked})
        assert len(looked) > 500
        files = [step for step in steps if isinstance(step, FoundFile)]
        assert files == list(collection.files(kind))
