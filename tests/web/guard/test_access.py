"""Who may see the workbench, who may act in it, and which forms are refused."""

import base64
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request

from telusur.shelf import Shelf
from telusur.web.guard.access import Access
from telusur.web.guard.guesses import Guesses
from telusur.web.server import is_loopback
from tests.web.conftest import run_workbench
from tests.web.guard.test_rate import Clock

FORM = {"urls": "http://127.0.0.1:9/", "name": "made", "allow_private": "on"}


@pytest.fixture
def shelf(tmp_path):
    with Shelf(tmp_path) as shelf:
        yield shelf


@pytest.fixture
def visitor(shelf, show):
    """Somebody on a server that anybody may use."""
    return show(None, crawls=shelf).visit()


# Forms of strangers


def test_a_form_without_its_token_does_nothing_and_loses_nothing(visitor, shelf):
    visitor.get("/crawls/new")
    visitor.token = "0" * 64
    answer = visitor.send("/crawls/new", FORM)
    assert answer.status == 403
    assert "reload its page and send it again" in answer.text
    assert "http://127.0.0.1:9/</textarea>" in answer.text
    assert shelf.names() == []


def test_a_token_is_bound_to_the_cookie_it_came_with(visitor, shelf):
    visitor.get("/crawls/new")
    another = visitor.workbench.visit()
    another.get("/crawls/new")
    another.token = visitor.token
    assert another.send("/crawls/new", FORM).status == 403
    another.cookies.clear()
    assert another.send("/crawls/check.json", FORM).status == 403
    assert shelf.names() == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "none"}, 403),
        ({"Sec_Fetch_Site": "same-origin", "Origin": "null"}, 200),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://{host}"}, 200),
        ({}, 200),
    ],
)
def test_browsers_say_where_a_form_comes_from(visitor, headers, status):
    visitor.get("/crawls/new")
    host = visitor.workbench.url.removeprefix("http://")
    named = {name: value.format(host=host) for name, value in headers.items()}
    answer = visitor.send("/crawls/check.json", FORM, **named)
    assert answer.status == status
    assert ("Another site sent this form" in answer.text) == (status == 403)


def test_the_cookie_is_out_of_reach_of_scripts_and_strangers(visitor):
    answer = visitor.get("/crawls/new")
    cookie = answer.headers["set-cookie"]
    assert "; HttpOnly; SameSite=Strict" in cookie
    assert "; Path=/" in cookie
    assert "set-cookie" not in visitor.get("/crawls/new").headers, "it is kept"
    assert answer.headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        ("x=1", "text/plain", 415),
        ("x=1", "multipart/form-data; boundary=b", 415),
        ("&".join(f"f{n}=1" for n in range(300)), "application/x-www-form-urlencoded", 400),
        ("urls=" + "a" * 2_100_000, "application/x-www-form-urlencoded", 413),
        ("%ff%00=%zz&=&&;", "application/x-www-form-urlencoded", 403),
    ],
)
def test_odd_forms_are_refused(visitor, body, kind, status):
    visitor.get("/crawls/new")
    answer = visitor.get("/crawls/check.json", "POST", body=body, Content_Type=kind)
    assert answer.status == status
    assert answer.json["ok"] is False


@pytest.mark.parametrize("path", ["/crawls/new", "/crawls", "/search"])
def test_wrong_methods_are_told_the_right_ones(visitor, path):
    answer = visitor.get(path, "DELETE", Accept="application/json")
    assert answer.status == 405
    assert "supports only" in answer.json["error"]


# Read-only


def test_a_read_only_server_has_no_crawls(demo, show):
    shelf = Shelf(demo.directory)
    name = shelf.names()[0]
    running = show(shelf.open(name), crawls=shelf, access=Access(read_only=True))
    assert running.get("/status.json").json["read_only"] is True
    text = running.get("/").text
    assert "/crawls" not in text
    for path in ("/crawls", "/crawls/new", f"/crawls/{name}", f"/crawls/{name}.json"):
        assert running.get(path).status == 404, path
    visitor = running.visit()
    for path in ("/crawls/new", f"/crawls/{name}/steer", "/crawls/check.json"):
        assert visitor.send(path, FORM).status == 404
    assert not [path for path in running.get("/openapi.json").json["paths"] if "crawl" in path]


def test_a_server_that_acts_says_so(demo, show):
    shelf = Shelf(demo.directory)
    running = show(shelf.open(shelf.names()[0]), crawls=shelf)
    assert running.get("/status.json").json["read_only"] is False
    assert 'href="/crawls"' in running.get("/").text


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("127.8.9.1", True),
     ("0.0.0.0", False), ("", False), ("::", False), ("192.168.1.5", False), ("a..b", False)],
)  # fmt: skip
def test_which_addresses_only_this_machine_reaches(host, expected):
    assert is_loopback(host) is expected


@pytest.mark.slow
def test_open_to_others_without_a_password_it_only_reads(telusur_serve):
    said, status = telusur_serve("--host", "0.0.0.0")
    assert "this server is read-only" in said
    assert status["read_only"] is True
    said, status = telusur_serve()
    assert "read-only" not in said
    assert status["read_only"] is False


@pytest.fixture
def telusur_serve(demo):
    """A function that starts `telusur serve` with more flags, and asks it for its status."""
    import json
    import re
    import urllib.request

    def run(*flags):
        command = [sys.executable, "-m", "telusur.cli", "serve", "--in", str(demo.directory)]
        with subprocess.Popen(
            [*command, "--port", "0", *flags], stderr=subprocess.PIPE, text=True
        ) as process:
            said = ""
            while not (url := re.search(r"http://\S+", said)):
                line = process.stderr.readline()
                assert line, said
                said += line
            with urllib.request.urlopen(url[0] + "status.json", timeout=100) as response:
                status = json.load(response)
            process.terminate()
        return said, status

    return run


# Passwords


@pytest.fixture(scope="module")
def locked(demo):
    access = Access(password="open sesame")
    shelf = Shelf(demo.directory)
    with run_workbench(shelf.open(shelf.names()[0]), crawls=shelf, access=access) as running:
        yield running


def basic(password):
    return "Basic " + base64.b64encode(f"me:{password}".encode()).decode()


def test_a_stranger_is_led_to_the_login(locked):
    answer = locked.get("/search?q=a+b", Accept="text/html")
    assert answer.status == 303
    assert answer.headers["location"] == "/login?next=%2Fsearch%3Fq%3Da%2Bb"
    page = locked.visit().get("/login").text
    assert 'type="password"' in page
    assert "<nav" in page
    assert "Collection <bdi" not in page
    assert 'name="q"' not in page
    for path in ("/search.json?q=a", "/status.json", "/crawls.json"):
        answer = locked.get(path)
        assert (answer.status, answer.json["ok"]) == (401, False), path
    assert locked.get("/crawls/x/events").status == 401
    assert locked.get("/status.json", Host="evil.example").status == 421
    assert locked.get("/static/css/base.css").status == 200
    assert locked.get("/crawls/new", "POST", Accept="text/html").status == 401


def test_the_password_lets_in_and_leads_on(locked):
    visitor = locked.visit()
    visitor.get("/login?next=/sites")
    wrong = visitor.send("/login", {"password": "open barley", "next": "/sites"})
    assert wrong.status == 403
    assert "Wrong password." in wrong.text
    answer = visitor.send("/login", {"password": "open sesame", "next": "/sites"})
    assert (answer.status, answer.headers["location"]) == (303, "/sites")
    assert "; HttpOnly; SameSite=Lax" in answer.headers["set-cookie"]
    assert visitor.get("/sites").status == 200
    assert "Log out" in visitor.get("/").text
    visitor.get("/logout")
    assert visitor.send("/logout", {}).status == 303
    assert visitor.get("/sites").status == 303


@pytest.mark.parametrize("goal", ["//evil.example/", "https://evil.example/", "/\\evil.example"])
def test_the_login_leads_nowhere_else(show, shelf, goal):
    visitor = show(None, crawls=shelf, access=Access(password="p")).visit()
    visitor.get("/login")
    answer = visitor.send("/login", {"password": "p", "next": goal})
    assert answer.headers["location"] == "/"


def test_programs_send_the_password_by_http_basic(locked):
    assert locked.get("/status.json", Authorization=basic("open sesame")).status == 200
    assert locked.get("/status.json", Authorization=basic("no")).status == 401
    assert locked.get("/status.json", Authorization="Basic %%%").status == 401


def test_forged_cookies_let_nobody_in(show, shelf):
    running = show(None, crawls=shelf, access=Access(password="p"))
    name = f"telusur_login_{urlsplit(running.url).port}"
    for value in ("", "x", "..", Access(password="p").sessions.begin(), "p"):
        visitor = running.visit()
        visitor.cookies[name] = value
        assert visitor.get("/crawls.json", Accept="application/json").status == 401


def test_guessing_is_slowed_down(show, shelf):
    visitor = show(None, crawls=shelf, access=Access(password="p")).visit()
    visitor.get("/login")
    statuses = [visitor.send("/login", {"password": "wrong"}).status for _ in range(12)]
    assert statuses[:5] == [403] * 5
    assert 429 in statuses
    assert "Retry-After".lower() in visitor.send("/login", {"password": "p"}).headers


# Proxies


def test_a_proxy_names_who_is_let_in(show, shelf):
    running = show(None, crawls=shelf, access=Access(trust_header="X-Remote-User"))
    assert running.get("/crawls.json").status == 403
    assert running.get("/crawls.json", X_Remote_User=" ").status == 403
    assert running.get("/crawls.json", X_Remote_User="ann").status == 200
    visitor = running.visit()
    visitor.get("/crawls/new", X_Remote_User="ann")
    outside = {"Origin": "https://search.example", "X_Forwarded_Host": "search.example"}
    answer = visitor.send("/crawls/check.json", FORM, X_Remote_User="ann", **outside)
    assert answer.status == 200


def test_a_header_counts_from_the_proxy_alone():
    def came_from(host):
        headers = [(b"x-remote-user", b"ann")]
        return Request({"type": "http", "headers": headers, "client": (host, 5)})

    def admitted(access):
        hosts = ("10.0.0.7", "127.0.0.1", "10.0.0.8", "10.1.2.3", "nonsense")
        return [host for host in hosts if access.judge(came_from(host)).is_admitted]

    assert admitted(Access(trust_header="x-remote-user")) == ["127.0.0.1"]
    named = Access(trust_header="x-remote-user", proxies=("10.0.0.7", "10.1.0.0/16"))
    assert admitted(named) == ["10.0.0.7", "10.1.2.3"], "those that are named, and no others"


@pytest.mark.parametrize("flags", [(), ("--trust-proxy", "127.0.0.1")])
def test_a_proxy_that_names_the_visitor_may_name_the_user_as_well(show, shelf, flags):
    access = Access(trust_header="X-Remote-User", proxies=flags[1:])
    running = show(None, crawls=shelf, access=access)
    told = {"X_Remote_User": "ann", "X_Forwarded_For": "203.0.113.9"}
    assert running.get("/crawls.json", **told).status == 200
    assert running.get("/crawls.json", X_Forwarded_For="127.0.0.1").status == 403


def wrong_passwords(running, number, **headers):
    filled = [
        {name: value.format(n) for name, value in headers.items()} for n in range(1, number + 1)
    ]
    return [
        running.get("/status.json", Authorization=basic("no"), **more).status for more in filled
    ]


def test_a_stranger_cannot_hide_behind_forwarded_headers(show, shelf):
    running = show(None, crawls=shelf, access=Access(password="open sesame"))
    statuses = wrong_passwords(running, 30, X_Forwarded_For="198.51.100.{}")
    assert 429 in statuses
    limited = show(None, crawls=shelf, rate_limit=0.1)
    answers = [
        limited.get("/collections.json", X_Forwarded_For=f"198.51.100.{n}").status for n in range(3)
    ]
    assert 429 in answers


def test_a_named_proxy_tells_who_is_asking(show, shelf):
    access = Access(password="open sesame", proxies=("127.0.0.1", "10.0.0.0/8"))
    running = show(None, crawls=shelf, access=access)
    # What stands before the visitor's address was written by the visitor.
    from_one = "192.0.2.{}, 203.0.113.9, 10.1.1.1"
    statuses = wrong_passwords(running, 12, X_Forwarded_For=from_one)
    assert statuses[:5] == [401] * 5
    assert 429 in statuses
    other = running.get("/status.json", Authorization=basic("no"), X_Forwarded_For="203.0.113.10")
    assert other.status == 401, "another visitor is not held up"
    visitor = running.visit()
    visitor.get("/login", X_Forwarded_For="203.0.113.11")
    answer = visitor.send(
        "/login", {"password": "open sesame"},
        X_Forwarded_For="203.0.113.11", X_Forwarded_Proto="https",
    )  # fmt: skip
    assert "; Secure" in answer.headers["set-cookie"]


def test_forwarded_schemes_of_strangers_do_not_count(show, shelf):
    answer = show(None, crawls=shelf).get("/crawls/new", X_Forwarded_Proto="https")
    assert "Secure" not in answer.headers["set-cookie"]


# Guesses


def test_right_passwords_spend_no_guesses(show, shelf):
    running = show(None, crawls=shelf, access=Access(password="open sesame"))
    right = {
        running.get("/collections.json", Authorization=basic("open sesame")).status
        for _ in range(20)
    }
    assert right == {200}


def test_all_addresses_together_have_so_many_guesses():
    clock = Clock()
    guesses = Guesses(clock)
    guesses.was_right("owner")
    taken = 0
    for stranger in map("stranger {}".format, range(1000)):
        if not guesses.wait(stranger):
            guesses.was_wrong(stranger)
            taken += 1
    assert taken == 50
    assert guesses.wait("somebody new") > 0
    assert guesses.wait("owner") == 0, "where the right one was given before, strangers count not"
    clock.now += 1
    assert guesses.wait("somebody new") == 0


def test_one_address_cannot_lock_out_the_others():
    guesses = Guesses(Clock())
    for _ in range(1000):
        if not guesses.wait("one"):
            guesses.was_wrong("one")
    assert guesses.wait("one") > 0
    assert guesses.wait("owner") == 0


def test_addresses_that_had_the_right_one_cannot_lock_out_strangers():
    guesses, taken = Guesses(Clock()), 0
    for known in map("known {}".format, range(50)):
        guesses.was_right(known)
        while not guesses.wait(known):
            guesses.was_wrong(known)
            taken += 1
    assert taken == 250, "each has guesses of its own"
    assert guesses.wait("somebody new") == 0


def test_a_copy_of_the_cookie_ends_with_the_login(locked):
    visitor = locked.visit()
    visitor.get("/login")
    visitor.send("/login", {"password": "open sesame"})
    copy = locked.visit()
    copy.cookies.update(visitor.cookies)
    assert copy.get("/sites").status == 200
    visitor.get("/logout")
    visitor.send("/logout", {})
    assert copy.get("/sites").status == 303


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--password", "1234567"), "--password: fewer than 8 characters"),
        pytest.param(("--key", "secret"), "--key: use at least 16 letters", marks=pytest.mark.slow),
        (("--key", "with a blank in it, and long"), "--key: use at least 16 letters"),
        (("--trust-proxy", "proxy.example"), "--trust-proxy: 'proxy.example' is not an IP address"),
    ],
)
def test_secrets_that_are_none_are_refused(demo, flags, words):
    command = [sys.executable, "-m", "telusur.cli", "serve", "--in", str(demo.directory)]
    done = subprocess.run(
        [*command, "--port", "0", *flags], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
