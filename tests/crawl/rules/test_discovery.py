from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.scope import Scope
from telusur.models import Link
from telusur.settings import CrawlSettings


def found_on(page, hrefs, **settings):
    scope = Scope(["http://example.org/"], CrawlSettings(**settings))
    return Discovery(scope).found_on(page, [Link(href) for href in hrefs], depth=1)


def discovery(**settings):
    return Discovery(Scope(["http://example.org/"], CrawlSettings()), **settings)


def test_each_target_is_found_once_and_never_the_page_itself():
    found = found_on(
        "http://example.org/a",
        [
            "http://example.org/b",
            "http://example.org/b?utm_source=x",
            "http://example.org/a?gclid=x",
        ],
    )
    assert [link.url for link in found.links] == ["http://example.org/b"]
    assert found.targets == [found.fresh[0].url_id]
    assert (found.fresh[0].host, found.fresh[0].site) == ("http://example.org", "example.org")


def test_what_may_not_be_followed_carries_its_reason():
    inside, outside, deep = found_on(
        "http://example.org/",
        ["http://example.org/b", "http://other.net/", "http://example.org/x/x/x/x/x"],
    ).fresh
    assert inside.skip_reason == ""
    assert outside.skip_reason.startswith("scope")
    assert deep.skip_reason.startswith("trap")


def fresh(discovery, page, depth):
    links = [Link("http://example.org/b")]
    return [found.link.url for found in discovery.found_on(page, links, depth).fresh]


def test_a_link_is_fresh_once_and_again_when_it_is_found_nearer():
    shared = discovery()
    assert fresh(shared, "http://example.org/", 5) == ["http://example.org/b"]
    assert fresh(shared, "http://example.org/c", 5) == []
    assert fresh(shared, "http://example.org/d", 6) == []
    assert fresh(shared, "http://example.org/e", 4) == ["http://example.org/b"]


def test_a_link_that_is_not_fresh_is_still_a_link_of_its_page():
    shared = discovery()
    links = [Link("http://example.org/b", "B")]
    shared.found_on("http://example.org/", links, 1)
    again = shared.found_on("http://example.org/c", links, 1)
    assert (again.links, len(again.targets), again.fresh) == (links, 1, [])


def test_a_strategy_that_counts_links_is_told_of_each():
    counting = discovery(repeats=True)
    assert fresh(counting, "http://example.org/", 1) == ["http://example.org/b"]
    assert fresh(counting, "http://example.org/c", 2) == ["http://example.org/b"]


def test_a_bare_address():
    discovery = Discovery(Scope(["http://example.org/"], CrawlSettings()))
    assert (
        discovery.found_by_address("http://example.org/x#y", 0).link.url == "http://example.org/x"
    )
    assert discovery.found_by_address("file:///etc/passwd", 0) is None
    assert discovery.found_by_address("", 0) is None


def test_links_told_before_are_named_when_a_strategy_counts_them():
    discovery = Discovery(Scope(["http://example.org/"], CrawlSettings()), sees_again=True)
    links = [
        Link("http://example.org/a"),
        Link("http://elsewhere.test/"),
        Link("http://example.org/b"),
    ]
    first = discovery.found_on("http://example.org/1", links[:2], depth=1)
    assert (len(first.fresh), first.again) == (2, [])
    second = discovery.found_on("http://example.org/2", links, depth=1)
    assert [found.link.url for found in second.fresh] == ["http://example.org/b"]
    assert second.again == [0], "what may not be followed is not counted"


def test_links_are_judged_anew_when_the_scope_changes():
    finder = discovery()
    hrefs = ("http://example.org/b", "http://other.net/", "http://example.org/c.pdf")
    before = finder.found_on("http://example.org/", [Link(href) for href in hrefs], depth=2).fresh
    refused = before[0]._replace(skip_reason="hooks: follow() said no")
    finder.go_by(finder.scope.with_limits(1, "any"))
    now = [finder.judge_again(found, 2).skip_reason for found in (*before, refused)]
    assert now == ["depth", "depth", "content type: .pdf", "hooks: follow() said no"]
    again = finder.found_on("http://example.org/", [Link(href) for href in hrefs], depth=1).fresh
    assert [found.skip_reason for found in again] == ["", "", "content type: .pdf"]
