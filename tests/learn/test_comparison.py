import pytest

from telusur.errors import UsageError
from telusur.learn.comparison import cross_validate, table_of_the_source
from telusur.learn.engines import ENGINES, NamedEngine
from telusur.learn.pages.source_pages import prepare_page
from tests.learn.made_up_sites import made_up_pages


@pytest.fixture(scope="module")
def pages():
    return [prepare_page(page) for page in made_up_pages(sites=4, pages=3)]


class Spy:
    """Learns nothing, and remembers what it was shown."""

    seen: list[tuple[set[str], str]]

    def fit(self, pages):
        self._known = {page.id for page in pages}

    def label(self, page):
        Spy.seen.append((self._known, page.id))
        return page.truth


@pytest.fixture
def spy(monkeypatch):
    Spy.seen = []
    monkeypatch.setitem(ENGINES, "spy", NamedEngine(Spy, "for this test"))
    return Spy


def sites(ids):
    return {one.partition("/")[0] for one in ids}


@pytest.mark.parametrize("by", ["site", "page"])
def test_every_page_is_asked_about_once_by_an_engine_that_has_not_seen_it(spy, pages, by):
    told = []
    scores = cross_validate("spy", pages, by=by, folds=3, watch=lambda *step: told.append(step))
    assert sorted(asked for _, asked in spy.seen) == sorted(page.id for page in pages)
    for known, asked in spy.seen:
        assert asked not in known
        assert (sites([asked]) <= sites(known)) is (by == "page")
    assert scores.pages == 12
    assert scores.blocks["content"].f1 == scores.words["title"].f1 == 1
    assert told == [(f"spy, by {by}", fold, 3) for fold in range(3)]


@pytest.mark.slow
def test_the_tables_have_all_engines_that_can_be_asked(spy, pages):
    tables = table_of_the_source(pages, folds=2, engines=("clusters", "network-css", "spy"))
    assert list(tables.new_sites) == ["network-css", "spy"]
    assert list(tables.known_sites) == ["clusters", "network-css", "spy"]
    assert tables.known_sites["network-css"].blocks["content"].f1 > 0.8


def test_engines_that_need_the_site_are_not_asked_about_new_ones(pages):
    with pytest.raises(UsageError, match="clusters learns from other pages of the same site"):
        cross_validate("clusters", pages)
    with pytest.raises(UsageError, match="'word' is neither site nor page"):
        cross_validate("svm", pages, by="word")
