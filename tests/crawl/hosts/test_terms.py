import pytest

from telusur.crawl.host_terms import TermsBook
from telusur.errors import UsageError
from telusur.settings import CrawlSettings, HostSettings, make_settings


def book(tables, start_urls=(), **settings):
    checked = make_settings(CrawlSettings, ("{name}", {**settings, "host": tables}))
    return TermsBook(checked, start_urls)


def test_a_host_without_a_table_has_the_settings_of_the_crawl():
    terms = book({}, delay=2, per_host=3, timeout=5).terms_for("http://example.org")
    assert (terms.delay, terms.per_host, terms.wire.timeout, terms.wire.proxy) == (2, 3, 5, "")


@pytest.mark.parametrize(
    ("host", "delay"),
    [
        ("https://example.org", 1),
        ("http://example.org:8080", 2),
        ("https://www.example.org", 3),
        ("https://a.b.example.org", 3),
        ("https://shop.example.org", 4),
        ("https://example.com", 5),
    ],
)
def test_the_most_specific_table_counts(host, delay):
    tables = {
        "*": {"delay": 5},
        "*.example.org": {"delay": 3},
        "Example.org": {"delay": 1},
        "example.org:8080": {"delay": 2},
        "shop.example.org": {"delay": 4},
    }
    assert book(tables, delay=9).terms_for(host).delay == delay


def test_what_a_table_leaves_out_comes_from_the_wider_one():
    tables = {"*.example.org": {"delay": 3, "timeout": 7}, "a.example.org": {"delay": 0}}
    terms = book(tables).terms_for("http://a.example.org")
    assert (terms.delay, terms.wire.timeout) == (0, 7)


def test_a_host_may_go_without_the_proxy_of_the_others():
    terms = book({"near.example": {"proxy": ""}}, proxy="http://proxy.example:3128")
    assert terms.terms_for("http://near.example").wire.proxy == ""
    assert terms.terms_for("http://far.example").wire.proxy == "http://proxy.example:3128"


def test_headers_of_a_table_go_to_its_host_and_replace_those_of_the_same_name():
    general = ["Authorization: general", "Accept-Language: de"]
    tables = {"a.example": {"header": ["authorization: own", "X-A: 1"]}}
    terms = book(tables, ["http://a.example/", "http://b.example/"], header=general)
    own = (("authorization", "own"), ("X-A", "1"), ("Accept-Language", "de"))
    assert terms.terms_for("http://a.example").headers == own
    assert len(terms.terms_for("http://b.example").headers) == 2
    assert terms.terms_for("http://c.example").headers == (("Accept-Language", "de"),)


def test_a_header_that_is_none_is_named():
    with pytest.raises(UsageError, match=r'\[host."a.example"\] header: \'oops\' is not a header'):
        book({"a.example": {"header": ["oops"]}})


def test_tables_may_be_given_as_records():
    checked = CrawlSettings(host={"a.example": HostSettings(delay=4.0)})
    assert TermsBook(checked).terms_for("http://a.example").delay == 4
