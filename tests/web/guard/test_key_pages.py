"""Acting needs the key that `telusur serve` prints; reading on loopback needs nothing."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager
from urllib.parse import unquote, urlencode, urlsplit

import pytest
from playwright.sync_api import expect

from telusur.shelf import Shelf
from telusur.web.guard.access import Access
from tests.sites import page, serving
from tests.web.conftest import Workbench, crawl_aside

TYPED = {
    "urls": "http://127.0.0.1:9/a\nhttp://127.0.0.1:9/b", "name": "made", "allow_private": "on",
    "topic": 'owls & "co" <b>', "pages": "7",
}  # fmt: skip
SENTENCE = "This needs the key that the server printed when it started"


@pytest.fixture
def shelf(tmp_path):
    with Shelf(tmp_path) as shelf:
        yield shelf
        for name in shelf.names():
            shelf.open(name).stop()


@pytest.fixture
def bench(shelf, show):
    return show(None, crawls=shelf)


@pytest.fixture
def stranger(bench):
    return bench.visit_without_key()


# Without the key


def test_reading_needs_no_key(stranger):
    for path in ("/", "/crawls", "/crawls/new", "/collections.json", "/crawls.json", "/api"):
        assert stranger.get(path).status == 200, path


@pytest.mark.parametrize("path", ["/crawls/new", "/crawls/check.json", "/crawls/x/steer"])
def test_acting_needs_the_key_in_html_and_json(stranger, shelf, path):
    stranger.get("/crawls/new")
    answer = stranger.send(path, TYPED, Accept="application/json")
    assert (answer.status, answer.json["ok"]) == (403, False)
    assert SENTENCE in answer.json["error"]
    assert "Authorization: Bearer KEY" in answer.json["error"]
    if not path.endswith(".json"):
        answer = stranger.send(path, TYPED)
        assert answer.status == 403
        assert "printed when it started; what you typed is kept." in answer.text
    assert shelf.names() == []


def test_labels_and_marks_need_the_key(demo, show):
    with Shelf(demo.directory) as shelf:
        running = show(shelf.open(shelf.names()[0]), crawls=shelf)
        stranger, url = running.visit_without_key(), demo.url("docs")
        stranger.get("/crawls/new")
        for path in ("/page/mark", "/page/label"):
            fields = {"url": url, "said": "good", "label-0": "title"}
            assert stranger.send(path, fields).status == 403, path
        text = stranger.get("/page?" + urlencode({"url": url})).text
        assert re.search(r'name="said" value="good" disabled', text)
        assert "Enter the key</a> to mark pages" in text
        text = stranger.get("/page/blocks?" + urlencode({"url": url})).text
        assert "Save labels" not in text
        assert "Enter the key</a> to correct labels" in text
        assert shelf.open(shelf.names()[0]).mark_of(url) is None
        text = running.visit().get("/page?" + urlencode({"url": url})).text
        assert not re.search(r'name="said" value="good" disabled', text)


def test_nothing_that_was_typed_is_lost_once_the_key_is_given(bench, stranger, shelf):
    stranger.get("/crawls/new")
    answer = stranger.send("/crawls/new", TYPED)
    kept = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', answer.text, re.DOTALL))
    assert kept["topic"] == "owls &amp; &#34;co&#34; &lt;b&gt;"
    assert (kept["urls"], kept["pages"]) == (TYPED["urls"], "7")
    form = TYPED | {"next": kept["next"], "resend": kept["resend"]}
    wrong = stranger.send("/key", form | {"key": "x" * 32})
    assert wrong.status == 403
    assert "This is not the key of this server." in wrong.text
    assert 'name="pages" value="7"' in wrong.text
    right = stranger.send("/key", form | {"key": bench.key_url})
    assert (right.status, right.headers["location"]) == (307, "/crawls/new")
    assert stranger.send("/crawls/new", form | {"key": bench.key}).status == 303
    assert shelf.names() == ["made"]


# With the key


def test_the_address_with_the_key_leads_to_the_same_without_it(bench, stranger):
    answer = stranger.get(f"/crawls/new?urls=x%26y&key={bench.key}&name=a+b")
    assert answer.status == 303
    assert answer.headers["location"] == "/crawls/new?urls=x%26y&name=a+b"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    assert "; HttpOnly; SameSite=Lax" in answer.headers["set-cookie"]
    assert bench.key not in answer.headers["set-cookie"]
    text = stranger.get("/crawls/new").text
    assert "enter the key" not in text.lower()
    assert "Log out" in text
    again = bench.visit_without_key()
    assert again.get(f"/?key={bench.key}").status == 303, "it is good for more than once"
    assert again.send("/key", {"next": "/"}).status == 403, "and no form does without its token"


def test_a_wrong_key_asks_for_the_right_one(bench, stranger):
    answer = stranger.get("/sites?key=wrong&k%65y=wrong&q=1")
    assert answer.headers["location"] == "/key?next=%2Fsites%3Fq%3D1&wrong=1"
    asked = stranger.get(answer.headers["location"])
    assert asked.status == 403
    assert "This is not the key of this server." in asked.text
    right = stranger.send("/key", {"key": bench.key, "next": "/crawls"})
    assert (right.status, right.headers["location"]) == (303, "/crawls")
    assert stranger.get("/key?next=/crawls").headers["location"] == "/crawls"


@pytest.mark.parametrize("path", ["//evil.example/?key={}", "/key?next=//evil.example/&key={}"])
def test_the_key_leads_nowhere_else(bench, stranger, path):
    for key in (bench.key, "wrong"):
        goal = stranger.get(path.format(key)).headers["location"]
        assert not unquote(goal.partition("next=")[2] or goal).startswith("//")


def test_logging_out_takes_the_key_back(bench, shelf):
    owner = bench.visit()
    owner.get("/crawls/new")
    copy = bench.visit_without_key()
    copy.cookies.update(owner.cookies)
    owner.send("/logout", {})
    for visitor in (owner, copy):
        visitor.token = owner.token
        assert visitor.send("/crawls/new", TYPED).status == 403
    assert shelf.names() == []


def post(bench, path, fields, **headers):
    kind = "application/x-www-form-urlencoded"
    return bench.get(path, "POST", urlencode(fields), Content_Type=kind, **headers)


def test_a_program_sends_the_key_in_a_header(bench, shelf):
    bearer = {"Authorization": f"Bearer {bench.key}", "Accept": "application/json"}
    assert post(bench, "/crawls/check.json", TYPED, **bearer).json["is_valid"] is True
    for wrong in ("Bearer x", "Bearer", f"Basic {bench.key}", bench.key, "Bearer \u00fc"):
        assert post(bench, "/crawls/new", TYPED, **bearer | {"Authorization": wrong}).status == 403
    assert shelf.names() == []
    assert post(bench, "/crawls/new", TYPED, **bearer).json["name"] == "made"
    stopped = post(bench, "/crawls/made/steer", {"do": "stop"}, **bearer)
    assert stopped.status in (200, 409)
    foreign = post(bench, "/crawls/new", TYPED, **bearer, Origin="https://evil.example")
    assert foreign.status == 403


def test_with_a_password_the_key_is_another_way_in(show, shelf):
    access = Access(password="open sesame")
    running = show(None, crawls=shelf, access=access)
    assert running.get("/status.json").status == 401
    bearer = {"Authorization": f"Bearer {access.key}"}
    assert running.get("/collections.json", **bearer).status == 200
    assert post(running, "/crawls/check.json", TYPED, **bearer).status == 200
    visitor = running.visit_without_key()
    assert visitor.get(f"/crawls?key={access.key}").headers["location"] == "/crawls"
    assert visitor.get("/crawls").status == 200
    other = running.visit_without_key()
    other.get("/login")
    other.send("/login", {"password": "open sesame"})
    assert "enter the key" not in other.get("/crawls/new").text, "the password is enough"
    assert other.send("/crawls/check.json", TYPED).status == 200


def test_open_to_all_asks_for_no_key(show, shelf):
    running = show(None, crawls=shelf, access=Access(open_to_all=True))
    visitor = running.visit_without_key()
    assert "key" not in visitor.get("/crawls/new").text.replace("keyword", "").lower()
    assert visitor.send("/crawls/check.json", TYPED).status == 200
    assert visitor.get("/key").status == 404
    assert visitor.get("/crawls?key=old").headers["location"] == "/crawls"


def test_open_to_all_does_not_open_what_asks_for_a_password(show, shelf):
    running = show(None, crawls=shelf, access=Access(open_to_all=True, password="open sesame"))
    assert running.get("/collections.json").status == 401
    assert post(running, "/crawls/check.json", TYPED).status == 401


# What readers see holds no secrets


@pytest.mark.slow
def test_readers_see_no_credentials_of_a_crawl(bench, tmp_path):
    secrets = ["Authorization: Bearer SECRET-TOKEN", "X-Api-Key: SECRET-KEY", "Cookie: a=SECRET"]
    pages = {"/robots.txt": "", "/": page("Home")}
    with serving(pages) as site:
        tables = {site.origin: {"header": ["X-Other: SECRET"], "delay": 0}}
        crawl_aside(tmp_path / "mine", site.url(), header=[*secrets, "DNT: 1"], host=tables)
    for path in ("/crawls/mine", "/crawls/mine.json", "/crawls/new?name=mine"):
        answer = bench.get(path)
        assert answer.status == 200
        assert "SECRET" not in answer.text, path
    assert bench.get("/crawls/mine.json").json["run"]["settings"]["header"] == [
        "Authorization: [left out]", "X-Api-Key: [left out]", "Cookie: [left out]", "DNT: 1",
    ]  # fmt: skip
    assert "The command leaves out --header." in bench.get("/crawls/mine").text


# `telusur serve`; what `telusur demo` prints and opens is in cli/test_signals.py


@contextmanager
def running_command(*arguments, lines, env=None):
    """Start a command, and stop it in the end; yields what it says until two addresses came."""
    command = [sys.executable, "-m", "telusur.cli", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as process:
        # What it does not say within a minute it will not say.
        patience = threading.Timer(60, process.kill)
        patience.start()
        try:
            said = ""
            while said.count("http://127.0.0.1") < lines:
                line = process.stderr.readline()
                assert line, said
                said += line
            patience.cancel()
            yield said, process
        finally:
            patience.cancel()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)


def addresses_in(said):
    return re.findall(r"http://127\.0\.0\.1:\d+/\S*", said)


def test_serve_prints_a_plain_address_and_one_with_the_key(tmp_path):
    with running_command("serve", "--in", str(tmp_path), "--port", "0", lines=2) as (said, _):
        plain, keyed = addresses_in(said)
        assert re.fullmatch(re.escape(plain) + r"\?key=[\w-]{32}", keyed)
        with urllib.request.urlopen(plain, timeout=20) as response:
            assert response.status == 200
        bench = Workbench(plain.rstrip("/"), keyed.partition("key=")[2])
        owner = bench.visit()
        assert "Log out" in owner.get("/").text
        assert bench.visit_without_key().send("/crawls/check.json", TYPED).status == 403


@pytest.mark.slow
def test_a_key_of_ones_own(tmp_path):
    env = os.environ | {"TELUSUR_KEY": "my-own-key-0123456789"}
    arguments = ("serve", "--in", str(tmp_path), "--port", "0")
    with running_command(*arguments, lines=2, env=env) as (said, _):
        assert addresses_in(said)[1].endswith("/?key=my-own-key-0123456789")


# In a real browser


def test_a_form_filled_without_the_key_goes_on_when_it_is_entered(bench, shelf, open_tab):
    tab = open_tab(java_script_enabled=False)
    page = tab.page
    page.goto(f"{bench.url}/crawls/new")
    expect(page.get_by_text("what you type is kept")).to_be_visible()
    page.get_by_label("Start URLs").fill("http://127.0.0.1:9/a\nhttp://127.0.0.1:9/b")
    page.get_by_label("Collection").fill("typed")
    page.get_by_label("Topic", exact=True).fill("owls")
    page.get_by_role("button", name="Start the crawl").click()
    expect(page.get_by_role("heading", name="Enter the key")).to_be_visible()
    page.get_by_label("Key", exact=True).fill("not this one")
    page.get_by_role("button", name="Enter and continue").click()
    expect(page.get_by_text("This is not the key of this server.")).to_be_visible()
    page.get_by_label("Key", exact=True).fill(bench.key)
    page.get_by_role("button", name="Enter and continue").click()
    # The form warns once; nothing that was typed is lost by that either.
    expect(page.get_by_text("are at private addresses and will not be fetched")).to_be_visible()
    page.get_by_role("button", name="Start the crawl").click()
    page.wait_for_url("**/crawls/typed")
    assert shelf.names() == ["typed"]
    run = shelf.snapshot("typed").run
    assert run.start_urls == ("http://127.0.0.1:9/a", "http://127.0.0.1:9/b")
    assert run.settings["topic"] == "owls"
    refused = ("403 (Forbidden)", "400 (Bad Request)")
    assert all(any(words in told for words in refused) for told in tab.complaints)
    tab.complaints.clear()


def test_the_key_does_not_stay_in_the_address_bar(bench, open_tab):
    page = open_tab().page
    page.goto(bench.key_url)
    assert page.url == f"{bench.url}/"
    page.get_by_role("link", name="Log out").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Enter the key")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 1440])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_the_page_of_the_key_fits_and_names_its_field(bench, open_tab, width, colours):
    page = open_tab(viewport={"width": width, "height": 700}, color_scheme=colours).page
    page.goto(f"{bench.url}/key?next=/crawls")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.get_by_label("Key", exact=True)).to_be_focused()


def test_a_request_without_the_key_is_refused_before_its_body_is_read(bench):
    place = urlsplit(bench.url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    connection.putrequest("POST", "/crawls/check.json")
    connection.putheader("Content-Type", "application/x-www-form-urlencoded")
    connection.putheader("Content-Length", "2000000")
    connection.endheaders()  # and no body
    response = connection.getresponse()
    assert response.status == 403
    assert SENTENCE in json.load(response)["error"]
    connection.close()
