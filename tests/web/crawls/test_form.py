"""No form, no GET and no collection of somebody else makes the workbench run a Python file."""

import json
import sqlite3
import time

import pytest

import telusur
from telusur.errors import UsageError
from telusur.settings import CrawlSettings
from telusur.settings.reading import settings_of
from telusur.shelf import FILE_SETTINGS, Shelf
from telusur.web.crawls.form import _read_urls, fill_from, read_wish, suggest_name
from tests.sites import page, serving
from tests.web.conftest import crawl_aside, run_workbench

URLS = "http://example.invalid/"


@pytest.fixture
def shelf(tmp_path):
    (tmp_path / "shelf").mkdir()
    with Shelf(tmp_path / "shelf") as shelf:
        yield shelf


@pytest.fixture
def visitor(shelf):
    with run_workbench(None, crawls=shelf) as running:
        yield running.visit()


@pytest.fixture
def evil(tmp_path):
    """A strategy that leaves a trace when it is run."""
    return write_evil(tmp_path / "evil.py", tmp_path / "trace")


def write_evil(path, trace):
    path.write_text(
        f"import pathlib; pathlib.Path({str(trace)!r}).write_text('ran')\n"
        "from telusur.crawl.strategies import Strategy\n"
        "class Mine(Strategy):\n"
        "    def score(self, links, page):\n"
        "        return [1.0 for _ in links]\n"
    )
    return path, trace


def make_gift(directory, settings, start_urls=(URLS,)):
    """Make a collection whose last crawl has these settings, as a stranger might."""
    telusur.open(directory).close()
    with sqlite3.connect(directory / "collection.db") as connection:
        connection.execute(
            "INSERT INTO crawls (started_at, ended_at, outcome, settings, start_urls)"
            " VALUES (?, ?, 'done', ?, ?)",
            (time.time(), time.time(), settings, json.dumps(start_urls)),
        )
    connection.close()


# Four ways in


def test_the_check_of_a_form_runs_no_file(visitor, evil):
    path, trace = evil
    visitor.get("/crawls/new")
    found = visitor.send("/crawls/check.json", {"urls": URLS, "strategy": str(path)}).json
    assert not trace.exists()
    assert "choose one of" in found["problems"]["strategy"]
    assert found["is_valid"] is False


def test_the_form_itself_takes_no_file_whatever_the_shelf_would_say(shelf, evil):
    path, _ = evil
    for given in (str(path), "./evil.py", "evil.py", "labels/a.html", "/etc/passwd"):
        wish = read_wish({"urls": URLS, "strategy": given}, shelf)
        assert "choose one of" in wish.problems["strategy"], given
        assert wish.settings.strategy == shelf.usual.strategy
    assert read_wish({"urls": URLS, "strategy": "depth-first"}, shelf).is_valid


def test_a_form_without_its_token_runs_no_file_and_is_not_even_checked(visitor, evil, shelf):
    path, trace = evil
    visitor.get("/crawls/new")
    checked = []
    shelf.check = lambda *given: checked.append(given)
    for fields in ({"strategy": str(path)}, {"pages": "3"}):
        visitor.token = ""
        assert visitor.send("/crawls/new", {"urls": URLS, **fields}).status == 403
    assert not trace.exists()
    assert checked == []


def test_a_page_that_was_crawled_and_labelled_is_not_run(visitor, shelf, tmp_path):
    trace = tmp_path / "trace"
    polyglot = (
        '"""<html><body><h1>Owls</h1><p>Owls hunt at night, and sleep by day.</p></body></html>'
        f'"""\nopen({str(trace)!r}, "w").write("ran")\n'
    )
    with serving({"/robots.txt": "", "/": polyglot}) as site:
        crawl_aside(tmp_path / "shelf" / "owls", site.url(), render="never")
        visitor.get("/crawls/new")
        for number in range(5):
            fields = {"url": site.url(), f"label-{number}": "title"}
            visitor.send("/in/owls/page/label", fields)
    kept = list((tmp_path / "shelf" / "owls" / "labels").glob("*.html"))
    assert len(kept) == 1
    assert "open(" in kept[0].read_text()
    found = visitor.send("/crawls/check.json", {"urls": URLS, "strategy": str(kept[0])}).json
    assert not trace.exists()
    assert list(found["problems"]) == ["strategy"]


def test_a_get_runs_no_file_that_a_collection_names(visitor, tmp_path):
    gift = tmp_path / "shelf" / "gift"
    make_gift(gift, "{}")
    path, trace = write_evil(gift / "notes.py", tmp_path / "trace")
    settings = {name: str(path) for name in FILE_SETTINGS} | {"like": [str(path)], "depth": 3}
    make_gift(gift, json.dumps(settings))
    answer = visitor.get("/crawls/new?name=gift", Sec_Fetch_Site="cross-site")
    assert answer.status == 200
    assert 'name="depth" value="3"' in answer.text, "the rest is filled in"
    assert not trace.exists()
    assert "notes.py" not in answer.text
    told = visitor.get("/crawls/gift")
    assert told.status == 200
    command = told.text.partition('<code id="command"')[2].partition("</code>")[0]
    assert "--depth 3" in command
    assert "notes.py" not in command, "nobody shall paste a command that runs a stranger's file"
    assert not trace.exists()


def test_a_form_is_no_way_to_look_into_files(visitor):
    visitor.get("/crawls/new")
    sentences = set()
    for path in ("/etc/passwd", "/etc/hostname", "/nowhere/at/all", "/etc/shadow.py"):
        found = visitor.send("/crawls/check.json", {"urls": URLS, "strategy": path}).json
        sentences.add(found["problems"]["strategy"].replace(path, ""))
    assert len(sentences) == 1, "what is there and what is not sounds the same"


# What names a file comes from whoever started the server


def test_every_setting_that_names_a_file_is_known():
    named = {row.name for row in settings_of(CrawlSettings) if row.metavar in ("FILE", "DIR")}
    assert named | {"like", "strategy"} == set(FILE_SETTINGS)


@pytest.mark.parametrize("name", FILE_SETTINGS)
def test_a_shelf_takes_no_files_but_its_own(shelf, evil, name):
    path, trace = evil
    value = (str(path),) if name == "like" else str(path)
    settings = CrawlSettings(**{name: value})
    for act in (lambda: shelf.check([URLS], settings), lambda: shelf.start("x", [URLS], settings)):
        with pytest.raises(UsageError, match=f"--{name.replace('_', '-')}: "):
            act()
    assert not trace.exists()
    assert shelf.names() == []


def test_the_files_of_whoever_started_the_server_stay(tmp_path, evil):
    path, trace = evil
    usual = CrawlSettings(strategy=str(path))
    (tmp_path / "shelf2").mkdir()
    with Shelf(tmp_path / "shelf2", usual) as shelf:
        shelf.check([URLS], usual)
    assert trace.read_text() == "ran"


@pytest.mark.parametrize(
    "settings",
    ["[]", "7", "null", '{"pages": {"a": 1}, "include": [[1]], "topic": 5, "scope": "moon"}',
     '{"delay": NaN, "per_host": -1, "seconds": Infinity, "allow_private": "x", "host": 3}',
     '{"header": "x", "tune": null, "strategy": ["a"], "like": 3, "proxy": {}}'],
)  # fmt: skip
def test_settings_of_a_stranger_that_make_no_sense_are_left_out(visitor, tmp_path, settings):
    make_gift(tmp_path / "shelf" / "gift", settings)
    for path in ("/crawls/new?name=gift", "/crawls/gift", "/crawls/gift.json", "/crawls"):
        assert visitor.get(path).status == 200, path


def test_the_form_of_an_earlier_crawl():
    given = fill_from((URLS,), {"depth": 3, "strategy": "depth-first", "topic": "owls"}, "gift")
    assert (given["depth"], given["strategy"], given["topic"]) == ("3", "depth-first", "owls")
    assert "strategy" not in fill_from((URLS,), {"strategy": "./mine.py"}, "gift")


def test_a_page_that_was_good_before_can_be_crawled_again(visitor, shelf, tmp_path):
    with serving({"/robots.txt": "", "/": page("Home")}) as site:
        crawl_aside(tmp_path / "shelf" / "mine", site.url(), strategy="depth-first")
        text = visitor.get("/crawls/new?name=mine").text
    assert 'value="depth-first" checked' in text
    assert f"{site.url()}</textarea>" in text


def test_start_urls_of_the_form_need_no_scheme():
    problems = {}
    typed = "localhost:8080\n192.168.1.5:8000 example.org/news"
    assert _read_urls(typed, problems) == tuple(typed.split())
    assert problems == {}
    _read_urls("example.org notes.txt", problems)
    assert problems["urls"].startswith("'notes.txt' is not a web address")
    assert suggest_name(("localhost:8080",)) == "localhost-8080"
