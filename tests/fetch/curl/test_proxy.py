"""Requests through real proxies: the way they take, and what the gate still refuses."""

import pytest

import telusur
from telusur.crawl.hosts.terms import Wire
from telusur.errors import UsageError
from telusur.fetch.curl.handle import Trust, check_proxy
from tests.fetch.curl.test_client import fetch
from tests.proxies import proxying
from tests.secure_sites import AUTHORITY, serving_securely
from tests.sites import page, serving


def through(proxy, url, **settings):
    return fetch(url, wire=Wire(proxy=proxy), allow_private=False, **settings)


def test_a_name_goes_to_the_proxy_which_may_be_in_a_private_network():
    with serving({"/a": page("A")}) as site, proxying() as (proxy, asked):
        url = site.url("/a").replace("127.0.0.1", "far.example")
        result = through(proxy, url, headers=[("X-Extra", "1")])
        assert site.requests[0].headers["X-Extra"] == "1"
    assert (result.status, result.address) == (200, "")
    assert [line for line, _ in asked] == [f"GET {url} HTTP/1.1"]


def test_socks_leaves_the_name_to_the_proxy():
    with serving({"/": page("A")}) as site, proxying("socks5") as (proxy, asked):
        result = through(proxy, site.url("/").replace("127.0.0.1", "far.example"))
    assert result.status == 200
    assert asked == [(3, "far.example")]


def test_tls_goes_through_the_proxy_unread():
    with serving_securely() as url, proxying() as (proxy, asked):
        result = fetch(
            url, wire=Wire(proxy=proxy), headers=[("X-Secret", "1")], trust=Trust(AUTHORITY)
        )
    assert (result.status, result.status_line) == (200, "HTTP/1.1 200 OK")
    [(line, headers)] = asked
    assert line.startswith("CONNECT localhost:")
    assert not [header for header in headers if "X-Secret" in header]


@pytest.mark.parametrize(
    "name",
    [
        *("127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "localhost", "a.localhost"),
        *("localhost.", "a.localhost.", "192.0.0.192", "metadata.google.internal", "intranet"),
    ],
)
def test_private_addresses_and_localhost_are_refused_with_a_proxy_too(name):
    with proxying() as (proxy, asked):
        result = through(proxy, f"http://{name}:81/")
    assert (result.status, result.reason) == (None, f"private address: {name.strip('[]')}")
    assert asked == []


def test_private_addresses_are_asked_for_when_allowed():
    with serving({"/": page("A")}) as site, proxying() as (proxy, _):
        assert fetch(site.url("/"), wire=Wire(proxy=proxy)).status == 200


def test_a_proxy_that_refuses_or_is_not_there_has_a_reason():
    with proxying(refuses=True) as (proxy, _):
        result = through(proxy, "https://far.example/")
    assert (result.status, result.reason) == (None, f"network: the proxy {proxy} refused")
    reason = through(proxy, "http://far.example/").reason
    assert reason == f"network: no connection to the proxy {proxy}"
    missing = f"http://{'a' * 64}.invalid:80"
    assert through(missing, "http://far.example/").reason == f"network: no such proxy, {missing}"


def test_a_proxy_that_is_not_there_is_named_without_its_password():
    with proxying() as (proxy, _):
        pass
    secret = proxy.replace("://", "://me:hunter2@")
    reason = through(secret, "http://far.example/").reason
    assert reason == f"network: no connection to the proxy {proxy}"


@pytest.mark.parametrize("variable", ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"])
def test_proxies_of_the_environment_are_not_used(monkeypatch, variable):
    with serving({"/": page("A")}) as site, proxying() as (proxy, asked):
        monkeypatch.setenv(variable, proxy)
        assert fetch(site.url("/")).status == 200
    assert asked == []


def test_no_proxy_of_the_environment_does_not_lead_around_the_proxy(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with serving({"/": page("A")}) as site, proxying() as (proxy, asked):
        assert fetch(site.url("/"), wire=Wire(proxy=proxy)).status == 200
    assert len(asked) == 1


def test_a_whole_crawl_goes_through_the_proxy_except_hosts_that_have_none(tmp_path):
    pages = {"/": page("Home", links=["/1"]), "/1": page("One")}
    with serving(pages) as site, serving(pages) as near, proxying() as (proxy, asked):
        near_url = near.url("/").replace("127.0.0.1", "near.localhost")
        with telusur.open(tmp_path / "c") as collection:
            collection.crawl(
                [site.url("/"), near_url], allow_private=True, delay=0, index=False, proxy=proxy,
                host={"near.localhost": {"proxy": ""}},
            )  # fmt: skip
            assert collection.counts().done == 4
        targets = {line.split(" ")[1] for line, _ in asked}
    assert targets == {site.url("/robots.txt"), site.url("/"), site.url("/1")}


@pytest.mark.parametrize("text", ["proxy", "ftp://a:1", "http://", "http://a:x", "socks5://a b:1"])
def test_what_is_no_proxy_is_named_in_one_sentence(text):
    with pytest.raises(UsageError, match=r"--proxy: .* is not a proxy; write it as"):
        check_proxy(text, "--proxy")


def test_the_password_of_a_proxy_is_not_shown():
    with pytest.raises(UsageError) as error:
        check_proxy("ftp://me:secret@a:1", "--proxy")
    assert "secret" not in str(error.value)
