import pytest

from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.robots import Robots
from telusur.crawl.rules.scope import Scope
from telusur.crawl.rules.sitemaps import SitemapRules
from telusur.settings import CrawlSettings

HOST = "http://www.a.example"
NAMED = Robots.parse(b"Sitemap: /s.xml\nSitemap: http://static.a.example/t.xml\nSitemap: ftp://x/")


def sitemaps(robots=NAMED, host=HOST, **settings):
    made = CrawlSettings(**settings)
    start = ["http://www.a.example/docs/"]
    rules = SitemapRules(made, Discovery(Scope(start, made)), start)
    return {one.found.link.url: one.found.skip_reason for one in rules.of_host(host, robots)}


def test_those_that_robots_txt_names():
    assert sitemaps() == {f"{HOST}/s.xml": "", "http://static.a.example/t.xml": ""}
    assert sitemaps(Robots.parse(b"")) == {}


@pytest.mark.parametrize(
    "settings", [{"sitemaps": "never"}, {"depth": 3}, {"depth": 0, "sitemaps": "always"}]
)
def test_none_are_read(settings):
    assert sitemaps(**settings) == {}


def test_the_usual_place_is_that_of_a_start_host_which_names_none():
    assert sitemaps(sitemaps="always", depth=1).keys() == sitemaps().keys()
    assert sitemaps(Robots.allow_all(), sitemaps="always") == {f"{HOST}/sitemap.xml": ""}
    assert sitemaps(Robots.allow_all(), "http://static.a.example", sitemaps="always") == {}


@pytest.mark.parametrize("scope", ["host", "prefix"])
def test_one_out_of_scope_is_not_read_and_one_above_the_directory_is(scope):
    assert sitemaps(scope=scope) == {
        f"{HOST}/s.xml": "",
        "http://static.a.example/t.xml": "scope: other host",
    }


def test_patterns():
    assert sitemaps(include=("blog",))[f"{HOST}/s.xml"] == ""
    assert sitemaps(exclude=("s[.]xml",))[f"{HOST}/s.xml"].startswith("excluded")
