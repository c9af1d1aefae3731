"""Crawls started, watched and steered over HTTP: real crawls in processes of their own."""

import http.client
import json
import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from telusur.crawl.limits import CHANGEABLE
from telusur.shelf import Shelf
from tests.sites import page, serving
from tests.web.conftest import Workbench, run_workbench

SECONDS = 90


def wait_for(condition, what):
    deadline = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited for {what}"
        time.sleep(0.1)
    return found


@pytest.fixture(scope="module")
def endless():
    """A site without end, slow enough to be steered."""
    with serving(
        {"/robots.txt": ""}, otherwise=lambda path: page(path, links=[f"{path}a", f"{path}b"])
    ) as site:
        yield site


@pytest.fixture(scope="module")
def small():
    """A site of four pages, one of them missing."""
    home = page("Home", links=["/a", "/b", "/gone"])
    with serving({"/robots.txt": "", "/": home, "/a": page("A"), "/b": page("B")}) as site:
        yield site


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    directory = tmp_path_factory.mktemp("shelf")
    with Shelf(directory) as shelf:
        yield shelf
        for name in shelf.names():
            shelf.open(name).stop()


@pytest.fixture(scope="module")
def visitor(shelf):
    with run_workbench(None, crawls=shelf) as running:
        yield running.visit()


def start(visitor, site, **more):
    visitor.get("/crawls/new")
    fields = {"urls": site.url(), "allow_private": "on", "delay": "0.02"} | more
    return visitor.send("/crawls/new", fields)


def status_of(visitor, name):
    return visitor.get(f"/crawls/{name}.json").json["status"]


def ended(visitor, name):
    return wait_for(lambda: (now := status_of(visitor, name))["state"] == "idle" and now, name)


@pytest.fixture(scope="module")
def done(visitor, small):
    """A crawl that was started by the form and has ended."""
    answer = start(visitor, small, name="small", pages="50", depth="3")
    assert (answer.status, answer.headers["location"]) == (303, "/crawls/small")
    return ended(visitor, "small")


def test_an_empty_directory_offers_to_begin(tmp_path, show):
    running = show(None, crawls=Shelf(tmp_path))
    assert "/crawls/new" in running.get("/").text
    assert "No crawls yet" in running.get("/crawls").text
    assert running.get("/search?q=x").status == 404
    assert running.get("/collections.json").json == {
        "ok": True, "collections": [], "unreadable": [], "read_only": False,
    }  # fmt: skip


def test_a_crawl_started_by_the_form_finds_everything(visitor, done):
    assert (done["reason"], done["done"], done["failed"]) == ("done", 3, 1)
    text = visitor.get("/crawls/small").text
    assert "The last crawl finished; no URLs are left." in text
    assert "telusur crawl http://127.0.0.1" in text
    assert "--pages 50 --depth 3" in text
    assert "data-events" not in text, "nothing to follow any more"


def test_what_it_was_told_is_repeated(visitor, small, done):
    text = visitor.get("/crawls/small").text
    assert f"<bdi>{small.url()}</bdi>" in text
    assert "<dt>Depth</dt><dd><bdi>3</bdi></dd>" in text
    again = visitor.get("/crawls/new?name=small").text
    assert f"{small.url()}</textarea>" in again
    assert 'name="depth" value="3"' in again


def test_a_page_of_another_site_is_told_no_token(visitor):
    bench = visitor.workbench
    for sender in ("cross-site", "same-site"):
        answer = bench.get("/crawls/new.json", Sec_Fetch_Site=sender)
        assert (answer.json["token"], "set-cookie" in answer.headers) == ("", False)
    own = bench.get("/crawls/new.json", Sec_Fetch_Site="same-origin")
    assert own.json["token"]
    assert "SameSite=Strict" in own.headers["set-cookie"]
    assert own.headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in own.headers
    assert own.headers["cross-origin-resource-policy"] == "same-origin"


def test_errors_lead_to_their_urls(visitor, small, done):
    text = visitor.get("/crawls/small").text
    assert "/crawls/small/urls?state=failed&amp;reason=http+404" in text
    listed = visitor.get("/crawls/small/urls?state=failed&reason=http+404").text
    assert small.url("/gone") in listed
    found = visitor.get("/crawls/small/urls.json?state=failed&reason=http+404").json
    assert [one["url"] for one in found["urls"]] == [small.url("/gone")]
    assert found["next_url"] is None
    assert visitor.get("/crawls/small/urls.json?state=failed&reason=other").json["urls"] == []
    assert visitor.get("/crawls/small/urls?state=odd").status == 400


def test_lists_of_urls_are_paged(visitor, done, monkeypatch):
    monkeypatch.setattr("telusur.web.crawls.pages.URLS_LISTED", 2)
    seen, path = [], "/crawls/small/urls.json?state=done"
    while path:
        part = visitor.get(path).json
        seen += [one["url"] for one in part["urls"]]
        path = part["next_url"]
    assert len(seen) == len(set(seen)) == 3
    assert "Next" in visitor.get("/crawls/small/urls?state=done").text


def test_its_collection_is_searched_below_its_name(visitor, done):
    assert visitor.get("/in/small").headers["location"] == "/in/small/"
    text = visitor.get("/in/small/").text
    assert 'action="/in/small/search"' in text
    assert 'href="/in/small/sites"' in text
    assert 'href="/crawls"' in text
    hits = visitor.get("/in/small/search.json?q=home").json
    assert hits["total"] == 1
    hit = visitor.get("/in/small/search?q=home").text
    assert "/in/small/copy?url=" in hit
    assert visitor.get("/in/nowhere/").status == 404
    assert "small" in visitor.get("/").text


def test_every_page_and_its_twin(visitor, done):
    for path, twin in (
        ("/", "/collections.json"), ("/crawls", "/crawls.json"),
        ("/crawls/new", "/crawls/new.json"),
        ("/crawls/small", "/crawls/small.json"), ("/crawls/small/urls", "/crawls/small/urls.json"),
        ("/in/small/about", "/in/small/-/versions.json"), ("/api", "/openapi.json"),
    ):  # fmt: skip
        answer = visitor.get(path)
        assert answer.status == 200, path
        assert f'<link rel="alternate" href="{twin}' in answer.text
        assert visitor.get(twin).status == 200
    assert visitor.get("/crawls/nowhere").status == 404
    assert visitor.get("/crawls/nowhere.json").status == 404
    paths = visitor.get("/openapi.json").json["paths"]
    steer = paths["/crawls/{name}/steer"]["post"]["requestBody"]["content"]
    fields = steer["application/x-www-form-urlencoded"]["schema"]["properties"]
    assert set(fields) == {"token", "do", *CHANGEABLE}


def test_the_form_comes_back_with_sentences_at_its_fields_and_nothing_lost(visitor, shelf):
    answer = start(
        visitor, visitor_site(), urls="not-a-url\nhttps://fine.example/", pages="many",
        strategy="best-first", name="../away", topic="owls & co",
    )  # fmt: skip
    assert answer.status == 400
    assert "&#39;not-a-url&#39; is not a web address" in answer.text
    assert "Pages: &#39;many&#39; is not a whole number." in answer.text
    assert "cannot be the name of a collection" in answer.text
    assert 'name="pages" value="many"' in answer.text
    assert "not-a-url\nhttps://fine.example/</textarea>" in answer.text
    assert 'value="owls &amp; co"' in answer.text
    assert 'value="best-first" checked' in answer.text
    assert shelf.names() in ([], ["small"])


def visitor_site():
    class Nowhere:
        def url(self):
            return ""

    return Nowhere()


def test_the_form_is_checked_while_somebody_types(visitor):
    visitor.get("/crawls/new")
    given = {"urls": "www.example.org/a", "pages": "100", "delay": "2", "strategy": "depth-first"}
    found = visitor.send("/crawls/check.json", given).json
    assert (found["is_valid"], found["name"], found["urls"]) == (True, "example.org", 1)
    assert found["command"].endswith("example.org --pages 100 --strategy depth-first --delay 2")
    found = visitor.send("/crawls/check.json", given | {"strategy": "best-first"}).json
    assert list(found["problems"]) == ["strategy"]
    assert found["problems"]["strategy"] == (
        "“Strategy” best-first needs words to look for: add “Topic”."
    )
    found = visitor.send("/crawls/check.json", {"urls": ""}).json
    assert found["problems"] == {"urls": "Enter at least one start URL."}


def test_many_start_urls_are_named_by_a_file(visitor):
    visitor.get("/crawls/new")
    many = "\n".join(f"https://example.org/{number}" for number in range(3000))
    found = visitor.send("/crawls/check.json", {"urls": many}).json
    assert (found["is_valid"], found["urls"]) == (True, 3000)
    assert "--urls-from urls.txt" in found["command"]


def test_the_form_explains_itself(visitor):
    text = visitor.get("/crawls/new").text
    for words in ("Stop after this many pages", "breadth-first", "All links, wherever they lead",
                  "1, longer for slow servers", "telusur crawl"):  # fmt: skip
        assert words in text
    fields = {row["name"]: row for row in visitor.get("/crawls/new.json").json["fields"]}
    assert fields["render"]["default"] == "auto"
    assert set(fields["strategy"]["choices"]) >= {"breadth-first", "depth-first", "best-first"}


def test_a_running_crawl_is_watched_and_steered(visitor, endless):
    assert start(visitor, endless, name="endless", delay="0.05").status == 303
    text = visitor.get("/crawls/endless").text
    assert 'data-events="/crawls/endless/events"' in text
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript>' in text
    wait_for(lambda: status_of(visitor, "endless")["pages"] > 3, "pages")
    assert visitor.send("/crawls/endless/steer", {"do": "pause"}).status == 303
    assert status_of(visitor, "endless")["state"] == "paused"
    paused = visitor.get("/crawls/endless").text
    assert "Paused on request. Started" in paused
    assert "telusur pause" not in paused
    assert "Resume" in visitor.get("/crawls/endless").text
    assert visitor.send("/crawls/endless/steer", {"do": "resume"}).status == 303
    told = visitor.send(
        "/crawls/endless/steer",
        {"do": "limits", "pages": "90000", "depth": "7", "scope": "any", "seconds": "",
         "delay": "0.1"},
        Accept="application/json",
    ).json  # fmt: skip
    assert told["limits"]["pages"] == 90000
    assert (told["limits"]["depth"], told["limits"]["scope"]) == (7, "any")
    assert 'name="pages" inputmode="numeric" value="90000"' in visitor.get("/crawls/endless").text
    wrong = visitor.send("/crawls/endless/steer", {"do": "limits", "pages": "-1"})
    assert wrong.status == 400
    assert "--pages" not in wrong.text.partition("As a command")[0]
    at_its_field = (
        'id="limit-pages-problem" role="alert">Pages: -1 is too small; the least is 1.</p>'
    )
    assert at_its_field in wrong.text
    assert 'aria-invalid="true" aria-describedby="limit-pages-problem"' in wrong.text
    assert 'value="-1"' in wrong.text
    assert visitor.send("/crawls/endless/steer", {"do": "dance"}).status == 400
    busy = start(visitor, endless, name="endless")
    assert busy.status == 400
    assert "A crawl of endless is running" in busy.text


def test_limits_of_a_crawl_that_has_ended_are_not_changed_in_silence(visitor, done):
    answer = visitor.send("/crawls/small/steer", {"do": "limits", "pages": "7"})
    assert answer.status == 400
    assert "The crawl has ended, so its limits were not changed." in answer.text
    assert "Change limits" not in answer.text


def read_events(visitor, path, least, is_enough=lambda found: True):
    place = urlsplit(visitor.workbench.url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=SECONDS)
    connection.request("GET", path)
    response = connection.getresponse()
    assert response.getheader("content-type").startswith("text/event-stream")
    found, kind = [], ""
    while len(found) < least or not is_enough(found):
        line = response.readline().decode().rstrip("\n")
        if line.startswith("event: "):
            kind = line.removeprefix("event: ")
        elif line.startswith("data: "):
            found.append((kind, json.loads(line.removeprefix("data: "))))
    connection.close()
    return found


def test_events_carry_the_parts_of_the_page(visitor, done, endless):
    def has_grown(found):
        return found[0][1]["parts"]["numbers"] != found[-1][1]["parts"]["numbers"]

    events = read_events(visitor, "/crawls/endless/events", 3, has_grown)
    assert {kind for kind, _ in events} == {"crawl"}
    assert {news["state"] for _, news in events} == {"running"}
    first, last = events[0][1]["parts"], events[-1][1]["parts"]
    assert set(first) == {"state", "numbers", "charts", "sites", "errors", "answers", "last"}
    assert "Pages/s" in last["numbers"]
    assert endless.origin.removeprefix("http://") in last["sites"]
    ending = read_events(visitor, "/crawls/small/events", 2)
    assert [kind for kind, _ in ending] == ["crawl", "end"]
    assert "http 404" in ending[0][1]["parts"]["errors"]


def test_two_crawls_run_at_once_and_outlive_the_server(visitor, shelf, endless, done):
    assert start(visitor, endless, name="second").status == 303
    listed = {row["name"]: row["status"] for row in visitor.get("/crawls.json").json["crawls"]}
    assert [listed[name]["state"] for name in ("endless", "second", "small")] == [
        "running", "running", "idle",
    ]  # fmt: skip
    assert listed["endless"]["pid"] != listed["second"]["pid"]
    text = visitor.get("/crawls").text
    assert text.count('class="chip state-done">running') == 2
    with run_workbench(None, crawls=Shelf(shelf.open("second").directory.parent)) as another:
        again = another.visit()
        assert status_of(again, "second")["pid"] == listed["second"]["pid"]
        assert len(again.get("/crawls/endless.json").json["samples"]) >= 1
        again.get("/crawls/second")
        for name in ("second", "endless"):
            assert again.send(f"/crawls/{name}/steer", {"do": "stop"}).status == 303
        for name in ("second", "endless"):
            assert ended(again, name)["reason"] == "interrupted"
        assert "Time span: " in again.get("/crawls/endless").text, "the charts are still there"
        stopped = again.send("/crawls/second/steer", {"do": "pause"}, Accept="application/json")
        assert stopped.status == 409
    wait_for(lambda: not is_alive(listed["second"]["pid"]), "the end of the process")


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@contextmanager
def served(directory):
    """`telusur serve` as a process of its own."""
    command = [sys.executable, "-m", "telusur.cli", "serve", "--in", str(directory), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            plain, keyed = process.stderr.readline(), process.stderr.readline()
            url, key = re.search(r"http://[\d.:]+", plain)[0], keyed.strip().partition("key=")[2]
            yield process, Workbench(url, key).visit()
        finally:
            process.kill()


@pytest.mark.slow
def test_a_killed_server_leaves_its_crawl_running(tmp_path, endless):
    with served(tmp_path) as (process, visitor):
        assert start(visitor, endless, name="lasting", delay="0.1").status == 303
        pid = status_of(visitor, "lasting")["pid"]
        process.kill()
        process.wait()
    assert is_alive(pid)
    with served(tmp_path) as (_, visitor):
        found = status_of(visitor, "lasting")
        assert (found["state"], found["pid"]) == ("running", pid)
        visitor.get("/crawls/lasting")
        assert visitor.send("/crawls/lasting/steer", {"do": "stop"}).status == 303
        assert ended(visitor, "lasting")["reason"] == "interrupted"


@pytest.mark.slow
def test_a_server_of_one_collection_crawls_into_it(demo_copy, demo_web, show):
    with Shelf(demo_copy) as shelf:
        name = shelf.names()[0]
        visitor = show(shelf.open(name), crawls=shelf).visit()
        form = visitor.get("/crawls/new").text
        assert 'name="name"' not in form
        assert 'name="q"' in form, "its search box is on every page"
        url = demo_web.origins["docs"]
        fields = {"urls": url, "pages": "600", "allow_private": "on", "delay": "0"}
        answer = visitor.send("/crawls/new", fields)
        assert answer.headers["location"] == f"/crawls/{name}"
        assert ended(visitor, name)["reason"] in ("pages", "done")
        assert visitor.get("/search.json?q=lighthouse").json["total"] > 0


def test_a_program_acts_with_the_token_of_a_json_answer(visitor, endless):
    bench = visitor.workbench
    program = bench.visit()
    given = program.get("/crawls/new.json").json
    assert given["fields"][0]["name"] == "scope"
    program.token = given["token"]
    fields = {"urls": endless.url(), "name": "by-program", "allow_private": "on", "delay": "0.2"}
    as_json = {"Accept": "application/json"}
    stranger = bench.visit()
    stranger.token = program.token
    assert stranger.send("/crawls/new", fields, **as_json).status == 403, "a token without cookie"
    other = bench.visit()
    other.get("/crawls/new.json")
    other.token = program.token
    assert other.send("/crawls/new", fields, **as_json).status == 403, "with another's cookie"
    started = program.send("/crawls/new", fields, **as_json).json
    assert (started["ok"], started["name"]) == (True, "by-program")
    told = program.get("/crawls/by-program.json").json
    assert told["token"] == program.token
    stopped = program.send("/crawls/by-program/steer", {"do": "stop"}, **as_json)
    assert stopped.json["state"] == "stopping"
