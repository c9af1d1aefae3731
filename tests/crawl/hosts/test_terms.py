import pytest

from telusur.crawl.hosts.terms import TermsBook, most_per_address
from telusur.errors import UsageError
from telusur.settings import CrawlSettings, HostSettings
from telusur.settings.reading import make_settings


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
    terms = book(tables, ["https://a.example/", "http://b.example/"], header=general)
    own = (("authorization", "own"), ("X-A", "1"), ("Accept-Language", "de"))
    assert terms.terms_for("https://a.example").headers == own
    assert len(terms.terms_for("http://b.example").headers) == 2
    assert terms.terms_for("http://c.example").headers == (("Accept-Language", "de"),)


@pytest.mark.parametrize(
    ("table", "sent_to"),
    [
        ("a.example", {"https://a.example"}),
        ("a.example:8443", {"https://a.example:8443"}),
        ("*.example", {"https://a.example"}),
        ("*", {"https://a.example"}),
        ("http://a.example", {"http://a.example"}),
        ("https://a.example", {"https://a.example"}),
        ("http://a.example:81", {"http://a.example:81"}),
        ("HTTP://*.example", {"http://a.example"}),
    ],
)
def test_credentials_of_a_table_go_over_https_and_to_its_port_unless_it_says_http(table, sent_to):
    terms = book({table: {"header": ["Authorization: T", "Accept-Language: de"]}})
    hosts = [f"{scheme}://a.example{port}" for scheme in ("http", "https")
             for port in ("", ":81", ":8443")]  # fmt: skip
    sent = {host for host in hosts if ("Authorization", "T") in terms.terms_for(host).headers}
    assert sent == sent_to


def test_what_is_no_secret_goes_wherever_the_table_speaks_of():
    terms = book({"a.example": {"header": ["Accept-Language: de"], "delay": 4}})
    for host in ("http://a.example", "http://a.example:81", "https://a.example"):
        assert terms.terms_for(host).headers == (("Accept-Language", "de"),)
        assert terms.terms_for(host).delay == 4


def test_a_start_url_that_would_not_get_its_credentials_is_one_sentence():
    terms = book({"a.example": {"header": ["Authorization: T"]}})
    terms.check_start("https://a.example/")
    with pytest.raises(
        UsageError, match=r'Authorization is sent only over https .* \[host."http://a.ex'
    ):
        terms.check_start("http://a.example/")


def test_the_value_of_what_is_no_header_is_not_repeated():
    for text in (
        "Authorization Bearer-S3CRET",
        "Auth orization: S3CRET",
        "A: S3CRET\r\nB: 1",
        "A: é",
    ):
        with pytest.raises(UsageError, match=r"is not a header|has a control character") as error:
            book({}, header=[text])
        assert "S3CRET" not in str(error.value)


def test_a_header_that_is_none_is_named():
    with pytest.raises(UsageError, match=r'\[host."a.example"\] header: \'oops\' is not a header'):
        book({"a.example": {"header": ["oops"]}})


def test_tables_may_be_given_as_records():
    checked = CrawlSettings(host={"a.example": HostSettings(delay=4.0)})
    assert TermsBook(checked).terms_for("http://a.example").delay == 4


def test_the_limit_of_an_address_is_for_the_public_internet_unless_given():
    assert most_per_address(CrawlSettings()) == 8
    assert most_per_address(CrawlSettings(allow_private=True)) is None
    assert most_per_address(CrawlSettings(allow_private=True, per_address=2)) == 2
