"""What the engine makes of a ranking: static rank, sites, pages, facets, explanations."""

import numpy as np
import pytest

from telusur.backends.tantivy.index import TantivyIndex
from telusur.index.contract import IndexItem, number_of
from telusur.index.standing import STANDING, Standings
from telusur.models import Document, url_id_of
from telusur.search import engine
from telusur.search.engine import search
from telusur.search.request import SearchRequest
from telusur.search.show.hits import Sources


def make_item(name, site="a.example", fetched_at=5.0, **fields):
    document = Document(**{"text": "the cat", "language": "en", **fields})
    return IndexItem(url_id_of(name), f"https://{site}/{name}", document, site, fetched_at)


@pytest.fixture
def index(tmp_path):
    opened = TantivyIndex(tmp_path)
    yield opened
    opened.close()


def fill(index, *items):
    index.replace(items)
    index.commit()


def names_of(results):
    return [hit.url.rsplit("/", 1)[1] for hit in results.hits]


def test_of_two_pages_that_say_the_same_the_one_with_links_comes_first(index):
    fill(index, make_item("one"), make_item("two"))
    for popular in ("one", "two"):
        table = np.array([(number_of(url_id_of(popular)), 3.0, 9, 1, 0)], STANDING)
        results = search(index, "cat", sources=Sources(Standings.of(table)))
        assert names_of(results)[0] == popular


def test_words_near_each_other_come_before_words_far_apart(index):
    far = "black " + "and other words of all kinds " * 5 + " cat"
    near = "and other words of all kinds " * 5 + " black cat"
    fill(index, make_item("far", text=far), make_item("near", text=near))
    assert names_of(search(index, "black cat")) == ["near", "far"]


def test_three_pages_of_a_site_and_then_the_others(index):
    many = [make_item(f"m{n}", "many.example", title="Cat") for n in range(6)]
    fill(index, *many, make_item("x", "x.example"), make_item("y", "y.example"))
    hits = search(index, "cat").hits
    assert [hit.site[0] for hit in hits] == list("mmmxymmm")
    assert [hit.more_from_site for hit in hits] == [0, 0, 3, 0, 0, 0, 0, 0]
    folded = search(index, SearchRequest("cat", group="site")).hits
    assert [hit.site[0] for hit in folded] == list("mmmxy")
    free = search(index, SearchRequest("cat", per_site=0)).hits
    assert [hit.site[0] for hit in free[:6]] == list("mmmmmm")


def test_pages_of_hits_join_without_gaps_across_what_is_ranked_again(index, monkeypatch):
    monkeypatch.setattr(engine, "RERANKED", 20)
    fill(index, *(make_item(f"p{n}", f"{n % 4}.example", text="cat " * (n + 1)) for n in range(50)))
    pages = [names_of(search(index, "cat", page, 7)) for page in range(1, 9)]
    assert sorted(name for page in pages for name in page) == sorted(f"p{n}" for n in range(50))
    assert pages[0] == names_of(search(index, "cat", 1, 50))[:7]


def test_further_pages_leave_out_what_came_later(index):
    fill(index, *(make_item(f"p{n}", fetched_at=10.0 + n) for n in range(5)))
    results = search(index, SearchRequest("cat", as_of=12.0))
    assert sorted(names_of(results)) == ["p0", "p1", "p2"]
    assert results.total == 3


def test_facets_count_all_that_matches(index):
    fill(index, *(make_item(f"p{n}", date=f"202{n % 2}-05-01") for n in range(6)))
    results = search(index, SearchRequest("cat", limit=1, facets=("year", "site")))
    assert [(facet.value, facet.count) for facet in results.facets["year"]] == [
        ("2020", 3),
        ("2021", 3),
    ]
    assert results.facets["site"][0].count == 6


@pytest.mark.parametrize("model", ["bm25f", "tfidf"])
@pytest.mark.parametrize(
    "query",
    ["cat", "cat cat one", "black cat", '"black cat" one', "cat OR dog -hen", "bla* cat",
     "(cat AND black) one", "url:one cat", "blakc~ cat lang:en"],
)  # fmt: skip
def test_the_leaves_of_the_explanation_add_up_to_the_score(index, model, query):
    fill(
        index, make_item("one", text="A black cat, one black cat."),
        make_item("two", text="dog"), make_item("three", text="hen cat"),
    )  # fmt: skip
    table = np.array([(number_of(url_id_of("one")), 3.0, 9, 1, 0)], STANDING)
    sources = Sources(Standings.of(table))
    wanted = SearchRequest(query, explain=True, model=model)
    hit = next(hit for hit in search(index, wanted, sources=sources).hits if "/one" in hit.url)
    tree = hit.explanation
    assert tree.value == hit.score
    assert not any(leaf.details for leaf in tree.details)
    assert sum(leaf.value for leaf in tree.details) == pytest.approx(hit.score, rel=1e-4)
    told = [leaf.description for leaf in tree.details]
    assert len(told) == len(set(told))


def test_pages_that_say_the_same_are_named(index):
    fill(index, make_item("one"))
    sources = Sources(find_copies=lambda urls: {url: (f"{url}?print",) for url in urls})
    (hit,) = search(index, "cat", sources=sources).hits
    assert hit.duplicates == ("https://a.example/one?print",)
