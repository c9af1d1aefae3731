from telusur.crawl.discovery import Discovery
from telusur.crawl.scope import Scope
from telusur.models import Link
from telusur.settings import CrawlSettings


def found_on(page, hrefs, **settings):
    scope = Scope(["http://example.org/"], CrawlSettings(**settings))
    return Discovery(scope).found_on(page, [Link(href) for href in hrefs], depth=1)


def test_each_target_is_found_once_and_never_the_page_itself():
    found = found_on(
        "http://example.org/a",
        ["http://example.org/b", "http://EXAMPLE.org:80/b#x", "http://example.org/a?utm_source=x"],
    )
    assert [f.link.url for f in found] == ["http://example.org/b"]
    assert (found[0].host, found[0].site) == ("http://example.org", "example.org")


def test_what_may_not_be_followed_carries_its_reason():
    inside, outside, deep = found_on(
        "http://example.org/",
        ["http://example.org/b", "http://other.net/", "http://example.org/x/x/x/x/x"],
    )
    assert inside.skip_reason == ""
    assert outside.skip_reason.startswith("scope")
    assert deep.skip_reason.startswith("trap")


def test_a_bare_address():
    discovery = Discovery(Scope(["http://example.org/"], CrawlSettings()))
    assert (
        discovery.found_by_address("http://example.org/x#y", 0).link.url == "http://example.org/x"
    )
    assert discovery.found_by_address("file:///etc/passwd", 0) is None
    assert discovery.found_by_address("", 0) is None
