from telusur.models import Counts, Document, Hit, SearchResults, State, Story
from telusur.search.request import SearchRequest
from telusur.web import views
from telusur.web.searching import Found


def make_story(**values):
    told = {"url": "u", "state": State.DONE, "reason": "", "depth": 0, "parent": None}
    return Story(**told | {"anchor": "", "changed_at": 0.0} | values)


def found(query, total=0, **wishes):
    wanted = SearchRequest(query, **wishes)
    return Found(wanted, SearchResults(query, total, (), wanted.page, wanted.limit, as_of=7.5))


def test_a_hit_without_title_shows_its_url():
    assert views.view_hit(Hit("https://e.example/", " ", "", 1.0), found("x")).title == (
        "https://e.example/"
    )


def test_a_hit_that_is_no_web_address_leads_to_its_stored_copy_only():
    view = views.view_hit(Hit("javascript:alert(1)", "t", "", 1.0), found("x"))
    assert view.href is None
    assert view.stored_url == "/copy?url=javascript%3Aalert%281%29&q=x"


def test_more_from_a_site_is_offered_once():
    hit = Hit("https://e.example/", "t", "", 1.0, site="e.example")
    assert views.view_hit(hit, found("tea")).site_url == "/search?q=tea+site%3Ae.example"
    assert views.view_hit(hit, found("tea site:e.example")).site_url is None


def test_the_states_fill_one_bar():
    shares = views.share_states(Counts(waiting=20, leased=5, done=50, failed=20, skipped=5))
    assert [(share.name, share.number) for share in shares] == [
        ("done", 50), ("failed", 20), ("skipped", 5), ("waiting", 25),
    ]  # fmt: skip
    assert [(share.start, share.width) for share in shares] == [
        (0, 500), (500, 200), (700, 50), (750, 250),
    ]  # fmt: skip


def test_an_empty_collection_has_empty_bars():
    assert {share.width for share in views.share_states(Counts())} == {0}
    assert views.share_sites([]) == []


def test_sites_are_measured_against_the_largest():
    shares = views.share_sites([("a.example", 1000), ("b.example", 250), ("c.example", 1)])
    assert [share.width for share in shares] == [1000, 250, 4]


def test_a_site_keeps_its_colour():
    assert views.hue_of("example.org") == views.hue_of("example.org")
    assert {views.hue_of(f"{n}.example") for n in range(200)} == set(range(views.SITE_HUES))


def test_pages_around_the_one_being_shown():
    paging = views.view_paging(found("q", total=95, page=6, limit=10))
    assert [number for number, _ in paging.numbers] == [4, 5, 6, 7, 8]
    assert dict(paging.numbers)[6] is None
    assert paging.previous_url == "/search?q=q&page=5&as_of=7.500"
    assert paging.next_url == "/search?q=q&page=7&as_of=7.500"


def test_the_last_page_has_no_next():
    paging = views.view_paging(found("q", total=95, page=10, limit=10))
    assert [number for number, _ in paging.numbers] == [6, 7, 8, 9, 10]
    assert paging.next_url is None


def test_a_single_page():
    paging = views.view_paging(found("q", total=10, page=1, limit=10))
    assert paging == views.Paging(None, [(1, None)], None)


def test_the_heading_of_a_page_is_the_best_we_have():
    story = make_story(title="From the story")
    assert views.title_of("u", Document(title="From the page"), story) == "From the page"
    assert views.title_of("u", Document(title=""), story) == "From the story"
    assert views.title_of("u", None, make_story()) == "u"


def test_a_parent_is_shown_readably_and_linked_exactly():
    view = views.view_story(make_story(parent="https://e.example/\u202e"))
    assert view.parent == "https://e.example/"
    assert view.parent_url == "/page?url=https%3A%2F%2Fe.example%2F%E2%80%AE"
