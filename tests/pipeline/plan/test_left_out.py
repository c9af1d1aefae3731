"""Secrets of a crawl: where they are sent, and that nothing keeps, shows or tells them."""

import gzip
import json
import sqlite3
import threading
import time
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

import telusur
from telusur.backends.sqlite.crawls import SqliteCrawls
from telusur.cli import run
from telusur.errors import UsageError
from telusur.pipeline.control.crawl_command import command_line
from telusur.settings import CrawlSettings
from telusur.settings.reading import make_settings
from telusur.shelf import Shelf
from tests.proxies import proxying
from tests.sites import Answer, page, serving

SECRETS = (b"S3CRET-TOKEN", b"S3CRET-KEY", b"S3CRET-COOKIE", b"S3CRET-PASSWORD")
HEADERS = [
    "Authorization: Bearer S3CRET-TOKEN", "X-Api-Key: S3CRET-KEY", "Cookie: sid=S3CRET-COOKIE",
    "Accept-Language: de",
]  # fmt: skip
FAST = {"allow_private": True, "delay": 0, "render": "never", "index": False}
SITE = {"/": page("Home", links=["/a", "/b"]), "/a": page("A"), "/b": page("B")}


def bytes_of(directory):
    """Return all bytes of a directory, unpacked where they are packed."""
    for path in directory.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            yield path.name, gzip.decompress(data) if path.name.endswith(".gz") else data


def leaks(directory):
    return [
        (name, secret) for name, data in bytes_of(directory) for secret in SECRETS if secret in data
    ]


def crawl(directory, urls, **settings):
    with telusur.open(directory) as collection:
        return collection.crawl(urls, **FAST | settings)


def test_what_a_crawl_was_given_in_confidence_is_sent_and_stands_in_no_file(tmp_path):
    with serving(SITE) as site, proxying() as (proxy, asked):
        hidden = proxy.replace("http://", "http://me:S3CRET-PASSWORD@")
        crawl(tmp_path / "c", [site.url("/")], header=HEADERS, proxy=hidden)
        sent = next(request.headers for request in site.requests if request.path == "/a")
    assert sent["Authorization"] == "Bearer S3CRET-TOKEN"
    assert (sent["X-Api-Key"], sent["Cookie"]) == ("S3CRET-KEY", "sid=S3CRET-COOKIE")
    assert asked
    assert leaks(tmp_path / "c") == []
    last = SqliteCrawls(tmp_path / "c").last_run()
    assert last.settings["header"] == [
        "Authorization: [left out]", "X-Api-Key: [left out]", "Cookie: [left out]",
        "Accept-Language: de",
    ]  # fmt: skip
    assert last.settings["proxy"].startswith("http://[left out]@127.0.0.1:")


def test_request_records_say_that_something_was_left_out_and_answers_stay_as_they_came(tmp_path):
    secret = {"Set-Cookie": "theirs=S3CRET-KEY"}
    with serving({"/": Answer(page("Home"), headers=secret)}) as site:
        crawl(tmp_path / "c", [site.url("/")], header=HEADERS, user_agent="Mine/1")
    [path] = (tmp_path / "c" / "archive").iterdir()
    with path.open("rb") as file:
        records = {
            record.rec_type: record
            for record in _read(file)
            if record.rec_headers.get_header("WARC-Target-URI") == site.url("/")
        }
    request, response = records["request"].http_headers, records["response"].http_headers
    assert request.get_header("Authorization") == "[left out]"
    assert request.get_header("Accept-Language") == "de"
    assert request.get_header("User-Agent") == "Mine/1"
    assert response.get_header("Set-Cookie") == "theirs=S3CRET-KEY"


def _read(file):
    return [record for record in ArchiveIterator(file) if record.content_stream().read() or True]


def test_secrets_of_host_tables_are_left_out_too(tmp_path):
    with serving(SITE) as site:
        tables = {site.origin: {"header": HEADERS, "proxy": "http://me:S3CRET-PASSWORD@[::1]:1"}}
        with pytest.raises(UsageError):  # the proxy of this host is not there
            crawl(tmp_path / "c", [], host=tables)
        crawl(tmp_path / "c", [site.url("/")], host=tables)
    assert leaks(tmp_path / "c") == []


def test_a_crawl_that_goes_on_without_its_secret_is_told_which(tmp_path):
    with serving(SITE) as site:
        go = lambda **more: crawl(tmp_path / "c", [site.url("/")], **more)  # noqa: E731
        go(header=HEADERS, pages=1)
        asked = len(site.requests)
        with pytest.raises(
            UsageError, match="the header Authorization, which is not stored"
        ) as told:
            go()
        assert "--header 'Authorization:' to continue without it" in str(told.value)
        with pytest.raises(UsageError, match="the header X-Api-Key"):
            crawl(tmp_path / "c", [], header=HEADERS[:1])
        assert len(site.requests) == asked, "nothing was asked for without it"
        go(header=HEADERS)
        assert {request.headers.get("X-Api-Key") for request in site.requests[1:]} == {"S3CRET-KEY"}
        with pytest.raises(UsageError, match="the value of Authorization is not kept"):
            go(header=["Authorization: [left out]"])
        go(header=["Authorization:", "X-Api-Key:", "cookie:"])
        go()


def test_a_header_that_is_left_out_on_purpose_is_not_sent(tmp_path):
    with serving(SITE) as site:
        crawl(tmp_path / "c", [site.url("/")], header=HEADERS, pages=1)
        count = len(site.requests)
        crawl(tmp_path / "c", [], header=["Authorization:", "X-Api-Key:", "Cookie:"])
        later = site.requests[count:]
    assert later
    assert not any(
        {"Authorization", "X-Api-Key", "Cookie"} & request.headers.keys() for request in later
    )


def test_another_host_in_the_same_collection_needs_no_secret_of_the_first(tmp_path):
    with serving(SITE) as site, serving(SITE, address="127.0.0.2") as other:
        crawl(tmp_path / "c", [site.url("/")], header=HEADERS)
        crawl(tmp_path / "c", [other.url("/")])
        assert "/b" in other.paths()


def test_the_password_of_a_proxy_and_a_table_are_asked_for_again(tmp_path):
    with serving(SITE) as site, proxying() as (proxy, _):
        hidden = proxy.replace("http://", "http://me:S3CRET-PASSWORD@")
        crawl(tmp_path / "c", [site.url("/")], proxy=hidden, pages=1)
        with pytest.raises(
            UsageError, match=r"the password of the proxy.*--proxy http://NAME:PASS"
        ):
            crawl(tmp_path / "c", [])
        crawl(tmp_path / "c", [], proxy="", pages=2)
        tables = {site.origin: {"header": ["X-Api-Key: S3CRET-KEY"]}}
        crawl(tmp_path / "c", [], host=tables, pages=2)
        with pytest.raises(UsageError, match=r'X-Api-Key.*give it again, \[host."http'):
            crawl(tmp_path / "c", [])
    assert leaks(tmp_path / "c") == []


def test_cookies_that_are_missing_are_said(tmp_path, caplog):
    jar = tmp_path / "cookies.txt"
    jar.write_text(
        "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tS3CRET-COOKIE\n"
    )
    with serving(SITE) as site:
        crawl(tmp_path / "c", [site.url("/")], cookies=str(jar), pages=1)
        crawl(tmp_path / "c", [])
    assert "The last crawl was given --cookies" in caplog.text
    assert leaks(tmp_path / "c") == []


def put_in_clear(directory):
    """Write into a collection what older versions wrote."""
    db = sqlite3.connect(directory / "collection.db")
    with db:
        for row, text in db.execute("SELECT id, settings FROM crawls").fetchall():
            told = json.loads(text) | {"header": HEADERS}
            told["host"] = {"a.example": {"header": HEADERS, "proxy": "http://u:S3CRET-PASSWORD@p"}}
            db.execute("UPDATE crawls SET settings = ? WHERE id = ?", (json.dumps(told), row))
    db.close()


def test_secrets_of_older_collections_are_not_shown_and_taken_out_when_written(tmp_path):
    with serving(SITE) as site:
        crawl(tmp_path / "c", [site.url("/")], index=False)
    put_in_clear(tmp_path / "c")
    assert leaks(tmp_path / "c")
    shown = json.dumps(SqliteCrawls(tmp_path / "c").last_run().settings)
    assert "S3CRET" not in shown
    assert "Authorization: [left out]" in shown
    with telusur.open(tmp_path / "c") as collection:
        collection.mark("http://a.example/", True)
    assert leaks(tmp_path / "c") == []


def test_commands_that_are_shown_have_no_secrets():
    wish = {"header": HEADERS, "proxy": "http://me:S3CRET-PASSWORD@proxy.example:1"}
    settings = make_settings(CrawlSettings, ("{name}", wish))
    shown = command_line("c", ["http://a.example/"], settings, CrawlSettings())
    assert "S3CRET" not in shown
    assert "--header 'Authorization: [left out]'" in shown
    assert "--header 'Accept-Language: de'" in shown


def test_a_crawl_of_the_workbench_is_given_secrets_where_ps_does_not_show_them(tmp_path):
    looked = threading.Event()

    def home(path):
        looked.wait(60)
        return SITE["/"]

    with serving(SITE | {"/": home}) as site, Shelf(tmp_path) as shelf:
        settings = make_settings(CrawlSettings, ("{name}", FAST | {"header": HEADERS}))
        pid = shelf.start("c", [site.url("/")], settings)
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
        looked.set()
        while shelf.open("c").is_crawling():
            time.sleep(0.05)
        sent = next(request.headers for request in site.requests if request.path == "/")
    assert b"--delay" in words
    assert b"S3CRET" not in words
    assert sent["X-Api-Key"] == "S3CRET-KEY"
    assert leaks(tmp_path / "c") == []


def test_a_crawl_of_the_workbench_is_not_given_what_opens_the_workbench(tmp_path, monkeypatch):
    monkeypatch.setenv("TELUSUR_KEY", "S3CRET-KEY")
    monkeypatch.setenv("TELUSUR_PASSWORD", "S3CRET-PASSWORD")
    looked = threading.Event()

    def home(path):
        looked.wait(60)
        return SITE["/"]

    with serving(SITE | {"/": home}) as site, Shelf(tmp_path) as shelf:
        pid = shelf.start("c", [site.url("/")], make_settings(CrawlSettings, ("{name}", FAST)))
        given = Path(f"/proc/{pid}/environ").read_bytes()
        looked.set()
        while shelf.open("c").is_crawling():
            time.sleep(0.05)
    assert b"PATH=" in given
    assert b"S3CRET" not in given


def test_no_command_tells_a_secret(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    flags = [word for header in HEADERS for word in ("--header", header)]
    with serving(SITE) as site:
        url = site.url("/")
        words = ["crawl", url, "--to", "c", "--allow-private", "--delay", "0", "--no-index"]
        assert run([*words, "--json", *flags]) == 0
        first = capsys.readouterr()
        assert run(words) == 2
        second = capsys.readouterr()
    assert second.err.count("\n") == 1
    for command in ("status", "verify", "export", "stop"):
        run([command, "--in", "c"])
    run(["why", url, "--in", "c", "--json"])
    last = capsys.readouterr()
    assert "S3CRET" not in "".join((*first, *second, *last))
