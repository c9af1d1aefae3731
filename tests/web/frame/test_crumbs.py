import pytest

from telusur.web.frame.crumbs import Crumbs, read_crumbs


def test_host_and_path():
    assert read_crumbs("https://docs.example.org/a/b.html", "example.org") == Crumbs(
        "docs.", "example.org", ("a", "b.html")
    )


@pytest.mark.parametrize(
    ("url", "site", "host"),
    [
        ("http://127.0.0.1:8101/", "127.0.0.1:8101", ("", "127.0.0.1:8101")),
        ("http://news.example.org:81/", "example.org", ("news.", "example.org:81")),
        ("http://[::1]:81/", "[::1]:81", ("", "[::1]:81")),
        ("https://notexample.org/", "example.org", ("", "notexample.org")),
        ("https://example.org/", "", ("", "example.org")),
    ],
)
def test_hosts(url, site, host):
    crumbs = read_crumbs(url, site)
    assert (crumbs.before, crumbs.site) == host


def test_the_host_is_where_a_browser_would_go():
    assert read_crumbs("https://bank.example@evil.example/x").site == "evil.example"
    assert read_crumbs("https://bank.example\\@evil.example/x").site == "bank.example"


def test_look_alike_letters_are_told():
    assert read_crumbs("https://b\u0430nk.example/").site == "xn--bnk-6cd.example"


def test_steps_are_readable():
    assert read_crumbs("https://e.example/T%C3%BCrk%C3%A7e?q=%C4%B0").steps == ("Türkçe", "?q=İ")


def test_steps_turn_nothing_around():
    assert read_crumbs("https://e.example/%E2%80%AEgpj.exe").steps == ("gpj.exe",)


def test_long_paths_lose_their_middle():
    assert read_crumbs("https://e.example/a/b/c/d/e/f").steps == ("a", "…", "e", "f")


def test_long_steps_are_cut():
    assert len(read_crumbs("https://e.example/" + "x" * 5000).steps[0]) == 40


@pytest.mark.parametrize("url", ["javascript:alert(1)", "not a url", "", "doc://7"])
def test_what_is_no_web_address_is_shown_as_it_is(url):
    assert read_crumbs(url) == Crumbs("", url)
