import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telusur.backends.tantivy.index import TantivyIndex
from telusur.index.contract import IndexItem
from telusur.models import Document, url_id_of
from telusur.search.engine import FURTHEST_OFFSET, languages_of, search

PAGES = {
    "cats": Document(title="Cats", text="Cats hunt mice at night.", language="en"),
    "dogs": Document(title="Dogs", text="Dogs and cats may be friends.", language="en"),
    "hamlet": Document(
        title="Hamlet", text="To be, or not to be.", language="en", date="1603-01-01"
    ),
    "katzen": Document(title="Katzen", text="Die Katze jagt die Maus.", language="de"),
    "kedi": Document(title="Kedi", text="IŞIK altında bir kedi.", language="tr"),
    "kucing": Document(title="Kucing", text="Permainan kucing di pasar.", language="id"),
}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    opened = TantivyIndex(tmp_path_factory.mktemp("index"))
    opened.replace(
        IndexItem(url_id_of(name), f"https://{name}.example/", page, f"{name}.example", 5.0)
        for name, page in PAGES.items()
    )
    opened.commit()
    yield opened
    opened.close()


def sites_of(results):
    return [hit.site.removesuffix(".example") for hit in results.hits]


@pytest.mark.parametrize(
    ("text", "sites"),
    [
        ("cat friends", ["dogs", "cats"]),
        ("hunting mice", ["cats"]),
        ("katzen", ["katzen"]),
        ("ışık", ["kedi"]),
        ("main", ["kucing"]),
        ("to be or not to be", ["hamlet", "dogs"]),
        ('"not to be"', ["hamlet"]),
        ('"be not to"', []),
        ("cats -dogs", ["cats"]),
        ("kedi OR kucing", ["kedi", "kucing"]),
        ("title:cats", ["cats"]),
        ("cats site:dogs.example", ["dogs"]),
        ("lang:de", ["katzen"]),
        ("hamlet lang:de", []),
    ],
)
def test_searching(index, text, sites):
    assert sorted(sites_of(search(index, text))) == sorted(sites)


def test_documents_with_all_words_come_first(index):
    assert sites_of(search(index, "cat friends")) == ["dogs", "cats"]
    assert sites_of(search(index, "to be or not to be")) == ["hamlet", "dogs"]


def test_a_hit_shows_everything_about_it(index):
    results = search(index, "being hamlet", limit=3)
    assert (results.query, results.total, results.page, results.limit) == ("being hamlet", 1, 1, 3)
    hit = results.hits[0]
    assert (hit.url, hit.title, hit.site) == ("https://hamlet.example/", "Hamlet", "hamlet.example")
    assert (hit.language, hit.date, hit.fetched_at) == ("en", "1603-01-01", 5.0)
    assert hit.score > 0
    assert hit.snippet == "To be, or not to be."


def test_marks_show_what_matches(index):
    hit = search(index, "hunting cat lang:en").hits[0]
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["Cats", "hunt"]


def test_pages_follow_each_other(index):
    first, second = (search(index, "cats", page=page, limit=1) for page in (1, 2))
    assert sites_of(first) + sites_of(second) == ["cats", "dogs"]
    assert second.page == 2
    assert search(index, "cats", page=3, limit=1).hits == ()


def test_pages_too_deep_are_empty_and_cheap(index):
    results = search(index, "cats", page=FURTHEST_OFFSET, limit=100)
    assert (results.total, results.hits) == (2, ())


def test_rare_languages_do_not_split_the_words_of_a_query():
    class Counted:
        def languages(self):
            return {"en": 980, "": 15, "tr": 5}

    assert languages_of(Counted()) == ("en", "")


def test_the_clock_is_told(index):
    ticks = iter([10.0, 10.5])
    assert search(index, "cats", clock=lambda: next(ticks)).seconds == 0.5


@pytest.mark.parametrize(
    "text",
    ["", "\x00", '"' * 99, "-" * 99, "OR " * 99, "a" * 100_000, "the " * 25_000, "שלום 🙂 مرحبا",
     "site: lang: title:", 'site:"', "(((", "^~*?[]{}\\/", "\ud800", "title:" * 500],
)  # fmt: skip
def test_odd_queries_have_an_answer(index, text):
    assert search(index, text).total >= 0


@given(st.text(max_size=200))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_query_has_an_answer(index, text):
    results = search(index, text)
    assert len(results.hits) <= results.total
