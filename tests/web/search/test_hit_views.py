from telusur.models import Explanation, Hit, SearchResults
from telusur.search.request import SearchRequest
from telusur.web.search import hit_views
from telusur.web.search.searching import FoundHits


def found(query, total=0, **wishes):
    wanted = SearchRequest(query, **wishes)
    return FoundHits(wanted, SearchResults(query, total, (), wanted.page, wanted.limit, as_of=7.5))


def test_a_hit_without_title_shows_its_url():
    assert hit_views.view_hit(Hit("https://e.example/", " ", "", 1.0), found("x")).title == (
        "https://e.example/"
    )


def test_a_hit_that_is_no_web_address_leads_to_its_stored_copy_only():
    view = hit_views.view_hit(Hit("javascript:alert(1)", "t", "", 1.0), found("x"))
    assert view.href is None
    assert view.stored_url == "/copy?url=javascript%3Aalert%281%29&q=x"


def test_more_from_a_site_is_offered_once():
    hit = Hit("https://e.example/", "t", "", 1.0, site="e.example")
    assert hit_views.view_hit(hit, found("tea")).site_url == "/search?q=tea+site%3Ae.example"
    assert hit_views.view_hit(hit, found("tea site:e.example")).site_url is None


def test_pages_around_the_one_being_shown():
    paging = hit_views.view_paging(found("q", total=95, page=6, limit=10))
    assert [number for number, _ in paging.numbers] == [4, 5, 6, 7, 8]
    assert dict(paging.numbers)[6] is None
    assert paging.previous_url == "/search?q=q&page=5&as_of=7.500"
    assert paging.next_url == "/search?q=q&page=7&as_of=7.500"


def test_the_last_page_has_no_next():
    paging = hit_views.view_paging(found("q", total=95, page=10, limit=10))
    assert [number for number, _ in paging.numbers] == [6, 7, 8, 9, 10]
    assert paging.next_url is None


def test_a_single_page():
    paging = hit_views.view_paging(found("q", total=10, page=1, limit=10))
    assert paging == hit_views.Paging(None, [(1, None)], None)


def test_a_sum_of_one_thing_is_that_thing():
    leaf = Explanation(2.5, "word")
    bare = Explanation(2.5, "sum of", (Explanation(2.5, "sum of", (leaf,)),))
    told = Explanation(5.0, "score: the product of", (bare, Explanation(2.0, "twice")))
    tidied = hit_views.tidy_tree(told)
    assert tidied.details == (leaf, Explanation(2.0, "twice"))
    two = Explanation(5.0, "sum of", (leaf, leaf))
    assert hit_views.tidy_tree(two) == two


def test_each_hit_leads_to_its_score_on_the_same_page_as_of_the_same_time():
    hits = tuple(Hit(f"https://e.example/{n}", "t", "", 1.0) for n in range(2))
    wanted = SearchRequest("tea", page=2)
    shown = hit_views.view_hits(
        FoundHits(wanted, SearchResults("tea", 12, hits, 2, 10, as_of=7.0)), 2
    )
    assert [view.why_url for view in shown] == [
        "/search?q=tea&page=2&as_of=7.000&why=1#hit-1",
        "/search?q=tea&page=2&as_of=7.000&why=2#hit-2",
    ]
    assert [view.is_explained for view in shown] == [False, True]
