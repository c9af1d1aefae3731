from telusur.models import Counts, Document, State, Story
from telusur.web.frame import views
from telusur.web.frame.site_colours import NO_HUES


def make_story(**values):
    told = {"url": "u", "state": State.DONE, "reason": "", "depth": 0, "parent": None}
    return Story(**told | {"anchor": "", "changed_at": 0.0} | values)


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
    assert views.share_sites([], NO_HUES) == []


def test_sites_are_measured_against_the_largest():
    shares = views.share_sites([("a.example", 1000), ("b.example", 250), ("c.example", 1)], NO_HUES)
    assert [share.width for share in shares] == [1000, 250, 4]


def test_the_heading_of_a_page_is_the_best_we_have():
    story = make_story(title="From the story")
    assert views.title_of("u", Document(title="From the page"), story) == "From the page"
    assert views.title_of("u", Document(title=""), story) == "From the story"
    assert views.title_of("u", None, make_story()) == "u"


def test_a_parent_is_shown_readably_and_linked_exactly():
    view = views.view_story(make_story(parent="https://e.example/\u202e"))
    assert view.parent == "https://e.example/"
    assert view.parent_url == "/page?url=https%3A%2F%2Fe.example%2F%E2%80%AE"
