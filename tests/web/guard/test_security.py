import pytest

from telusur.web.guard.security import LOOPBACK_NAMES, host_name, may_answer


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("localhost:8080", "localhost"),
        ("LocalHost.", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]:8080", "::1"),
        ("[::1]", "::1"),
        ("", ""),
    ],
)
def test_names_in_host_headers(host, name):
    assert host_name(host) == name


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8080", "[::1]:9"])
def test_loopback_is_answered(host):
    assert may_answer(host, LOOPBACK_NAMES)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.5"],
)
def test_strangers_are_not(host):
    assert not may_answer(host, LOOPBACK_NAMES, "127.0.0.1")


def test_the_address_the_connection_came_in_on_is_ours():
    assert may_answer("192.168.1.5:8080", LOOPBACK_NAMES, "192.168.1.5")
    assert may_answer("[fe80::1]:80", LOOPBACK_NAMES, "fe80:0::1")


def test_every_road_carries_the_headers(workbench):
    for path in ("/", "/search?q=clock", "/search.json?q=clock", "/nope", "/static/css/base.css"):
        headers = workbench.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["x-dns-prefetch-control"] == "off"
        assert "server" not in headers


@pytest.mark.parametrize("path", ["/", "/search?q=clock", "/search.json?q=clock", "/status.json"])
def test_a_rebound_name_learns_nothing(workbench, path):
    answer = workbench.get(path, Host="evil.example")
    assert answer.status == 421
    assert b"harbour" not in answer.body
    assert f"open it at http://localhost:{workbench.url.rpartition(':')[2]}/" in answer.text


def test_localhost_is_answered_under_both_names(workbench):
    for host in ("localhost", "LOCALHOST:1234", "[::1]:80"):
        assert workbench.get("/status.json", Host=host).status == 200
