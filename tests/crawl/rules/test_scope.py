import pytest

from telusur.crawl.rules.scope import Scope, extension_of
from telusur.errors import UsageError
from telusur.settings import CrawlSettings

START = "http://www.example.com/docs/intro.html"


def judge(url, away=1, start=(START,), **settings):
    return Scope(start, CrawlSettings(**settings)).judge(url, away)


@pytest.mark.parametrize(
    ("scope", "url", "reason"),
    [
        ("site", "http://www.example.com/a", None),
        ("site", "https://shop.example.com:8443/a", None),
        ("site", "http://example.org/", "scope: other site"),
        ("site", "http://notexample.com/", "scope: other site"),
        ("host", "http://www.example.com/a", None),
        ("host", "https://www.example.com/a", None),
        ("host", "http://shop.example.com/a", "scope: other host"),
        ("host", "http://www.example.com:8080/a", "scope: other host"),
        ("prefix", "http://www.example.com/docs/", None),
        ("prefix", "http://www.example.com/docs/a/b?c=/d", None),
        ("prefix", "http://www.example.com/docs", "scope: outside the start URL's directory"),
        ("prefix", "http://www.example.com/?/docs/", "scope: outside the start URL's directory"),
        ("prefix", "http://other.example/docs/", "scope: outside the start URL's directory"),
        ("any", "http://other.example/", None),
    ],
)
def test_scope(scope, url, reason):
    assert judge(url, scope=scope) == reason


def test_addresses_with_other_ports_are_other_sites():
    start = ["http://127.0.0.1:8801/"]
    assert judge("http://127.0.0.1:8801/a", start=start) is None
    assert judge("http://127.0.0.1:8802/a", start=start) == "scope: other site"


def test_every_start_url_counts():
    start = [f"http://s{number}.example/a/{number}/" for number in range(5000)]
    for scope in ("site", "host", "prefix"):
        near = Scope(start, CrawlSettings(scope=scope))
        assert near.judge("http://s4999.example/a/4999/b", 1) is None
        assert near.judge("http://s5000.example/a/5000/b", 1).startswith("scope: ")


def test_a_start_url_is_always_in_scope():
    start = ["http://a.example/picture.jpg#top"]
    url = "http://a.example/picture.jpg"
    assert judge(url, 9, start, depth=0, exclude=("picture",), include=("x",)) is None


def test_depth_is_judged_last():
    assert judge("http://www.example.com/a", 3, depth=3) is None
    assert judge("http://www.example.com/a", 4, depth=3) == "depth"
    assert judge("http://www.example.com/a.zip", 4, depth=3) == "content type: .zip"
    assert judge("http://example.org/a.zip", 4, depth=3) == "scope: other site"


def test_include_and_exclude():
    patterns = {"include": ("/news/", r"\?id=\d+$"), "exclude": ("print",)}
    assert judge("http://www.example.com/news/a", **patterns) is None
    assert judge("http://www.example.com/x?id=12", **patterns) is None
    assert judge("http://www.example.com/news/print", **patterns) == "excluded: pattern print"
    assert judge("http://www.example.com/x", **patterns) == "excluded: no include pattern matches"


@pytest.mark.parametrize("setting", ["include", "exclude"])
def test_a_bad_pattern_is_named(setting):
    with pytest.raises(UsageError, match=rf"--{setting}: '\(' is not a regular expression"):
        judge(START, **{setting: ("(",)})


def test_a_start_url_that_cannot_be_fetched_is_named():
    with pytest.raises(UsageError, match=r"'ftp://a.example/' is not a URL that can be fetched"):
        judge(START, start=["ftp://a.example/"])


@pytest.mark.parametrize(
    ("url", "extension"),
    [
        ("http://a.example/b/c.JPG?x=1", "jpg"),
        ("http://a.example/archive.tar.gz", "gz"),
        ("http://a.example/page?file=x.zip", ""),
        ("http://a.example/", ""),
        ("http://a.zip/", ""),
        ("http://a.example/v1.0/page", ""),
        ("http://a.example/wiki/File:Lighthouse.jpg", ""),
        ("http://a.example/a.sentence like this", ""),
    ],
)
def test_extension_of(url, extension):
    assert extension_of(url) == extension


def test_extensions_are_the_users_to_choose():
    assert judge("http://www.example.com/a.pdf") == "content type: .pdf"
    assert judge("http://www.example.com/a.PDF", follow_extension=(".pdf",)) is None
    assert judge("http://www.example.com/a.php", skip_extension=("PHP",)) == "content type: .php"


def test_links_to_files_of_a_wanted_type_are_followed():
    pdf, zipped = "http://www.example.com/a.pdf", "http://www.example.com/a.zip"
    wanted = {"content_type": ("text/html", "application/pdf")}
    assert judge(pdf, **wanted) is None
    assert judge(zipped, **wanted) == "content type: .zip"
    assert judge(pdf, **wanted, skip_extension=("pdf",)) == "content type: .pdf"


def test_a_scope_with_other_limits_judges_by_them_and_this_one_stays():
    scope = Scope([START], CrawlSettings(depth=3))
    assert scope.with_limits(3, "site") is scope
    other = scope.with_limits(1, "any")
    assert (scope.number, other.number) == (0, 1)
    assert (scope.judge("http://www.example.com/a", 2), other.judge(START, 9)) == (None, None)
    assert other.judge("http://www.example.com/a", 2) == "depth"
    assert other.judge("http://example.org/", 1) is None


def test_what_waits_is_judged_by_changed_limits_alone():
    scope = Scope([START], CrawlSettings(depth=3))
    assert scope.objection("http://other.example/", 9) is None
    nearer = scope.with_limits(2, "site")
    assert nearer.objection("http://other.example/", 2) is None, "of an earlier crawl"
    assert nearer.objection("http://www.example.com/a", 3) == "depth"
    assert nearer.objection(START, 3) is None
    narrower = nearer.with_limits(2, "host")
    assert narrower.objection("http://shop.example.com/", 2) == "scope: other host"
    assert narrower.objection("http://www.example.com/a", 3) == "depth"
    nowhere = Scope([], CrawlSettings()).with_limits(None, "host")
    assert nowhere.objection("http://shop.example.com/", 2) is None, "no start URL is near it"
