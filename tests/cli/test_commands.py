"""Every command as a user runs it: answer on stdout, talk on stderr, exit codes 0, 1, 2."""

import json
import socket
import sqlite3
from contextlib import closing

import pytest

import telusur as telusur_library
from telusur.cli import COMMANDS
from telusur.document_table import EXPORTED
from telusur.errors import UsageError
from telusur.version import __version__
from tests.sites import page, serving

FAST = ("--allow-private", "--delay", "0")


def test_version_and_help(telusur):
    assert telusur("--version").out == f"telusur {__version__}\n"
    overview = telusur("--help")
    assert overview.code == 0
    for command, line in COMMANDS.items():
        assert f"{command} " in overview.out
        shown = telusur(command, "--help")
        assert shown.code == 0
        assert line.split(",")[0].rstrip(".") in " ".join(shown.out.split())


def test_crawl_says_what_it_did_and_goes_on_where_it_stopped(telusur):
    pages = {"/": page("Home", links=["/a"]), "/a": page("A", links=["/b"]), "/b": page("B")}
    with serving(pages) as site:
        first = telusur("crawl", site.url(), "--to", "c", "--pages", "1", *FAST)
        assert first.code == 0
        assert first.out.startswith("1 page (")
        assert "1 document in c; 1 URLs waiting" in first.out
        assert "The page limit is reached." in first.err
        again = telusur("crawl", site.url(), "--to", "c", "--pages", "2", *FAST)
        assert "2 documents in c; 1 URLs waiting" in again.out
        without_url = telusur("crawl", "--to", "c", *FAST)
        assert "3 documents in c; 0 URLs waiting, 0 failed, 0 skipped" in without_url.out
        assert site.paths() == ["/", "/a", "/b"]


def test_crawl_as_json_ends_with_a_summary(telusur):
    with serving({"/": page("Home", links=["/gone"])}) as site:
        ran = telusur("crawl", site.url(), "--to", "c", "--json", *FAST)
    records = [json.loads(line) for line in ran.out.splitlines()]
    assert [record["type"] for record in records[:-1]] == ["progress"] * (len(records) - 1)
    summary = records[-1]
    assert summary["type"] == "summary"
    assert (summary["outcome"], summary["fetched"], summary["documents"]) == ("done", 2, 1)
    assert summary["failures"] == {"http 404": 1}


def test_a_crawl_that_brings_nothing_exits_1_and_guesses_why(telusur):
    with serving({"/": page("Home")}) as site:
        ran = telusur("crawl", site.url(), "--to", "c")
    assert ran.code == 1
    assert "add --allow-private" in ran.err


def test_start_urls_from_a_file_and_the_environment(telusur, tmp_path, monkeypatch):
    with serving({}, otherwise=page) as site:
        (tmp_path / "urls").write_text(f"# mine\n{site.url('/file')}\n\n")
        telusur("crawl", "--urls-from", "urls", "--to", "a", *FAST)
        assert site.paths() == ["/file"]
        monkeypatch.setenv("CRAWLER_START_URLS", f"{site.url('/x')},{site.url('/y')}")
        telusur("crawl", "--to", "b", *FAST)
        assert sorted(site.paths()) == ["/file", "/x", "/y"]


def test_env_file_and_toml_set_what_flags_do_not(telusur, tmp_path):
    links = [f"/{number}" for number in range(9)]
    with serving({"/": page("Home", links=links)}, otherwise=page) as site:
        (tmp_path / ".env").write_text(f"TELUSUR_TO=c\nexport TELUSUR_START_URLS='{site.url()}'\n")
        (tmp_path / "telusur.toml").write_text(
            "[crawl]\npages = 3\ndelay = 0\nallow_private = true\n"
        )
        telusur("crawl")
        assert len(site.paths()) == 3
        telusur("crawl", "--pages", "5")
        assert len(site.paths()) == 5


def test_search_for_people_and_for_programs(telusur, demo):
    ran = telusur("search", "lighthouse", "keeper", "--in", demo.directory, "--limit", 2)
    assert ran.code == 0
    assert ran.out.startswith(" 1. Lighthouse keeper's cottage")
    assert ran.err.startswith("1 to 2 of ")
    assert "\x1b" not in ran.out
    record = json.loads(
        telusur("search", "lighthouse keeper", "--in", demo.directory, "--json").out
    )
    assert record["type"] == "results"
    assert record["total"] >= len(record["hits"]) == 10
    hit = record["hits"][0]
    assert {"url", "title", "snippet", "score", "marks", "language"} <= set(hit)
    marked = [hit["snippet"][start:end].lower() for start, end in hit["marks"]]
    assert "keeper" in marked


def test_search_pages_follow_each_other(telusur, demo):
    def urls(page, limit):
        ran = telusur("search", "the", "harbour", "--in", demo.directory, "--json",
                      "--page", page, "--limit", limit)  # fmt: skip
        return [hit["url"] for hit in json.loads(ran.out)["hits"]]

    assert urls(1, 5) + urls(2, 5) == urls(1, 10)


def test_nothing_found_exits_1_and_says_so(telusur, demo):
    ran = telusur("search", "xyzzyplugh", "--in", demo.directory)
    assert (ran.code, ran.out) == (1, "")
    assert "Nothing found" in ran.err


def test_colour_only_when_asked_for_in_a_pipe(telusur, demo, monkeypatch):
    assert "\x1b[" in telusur("--color", "always", "search", "ferry", "--in", demo.directory).out
    assert "\x1b[" not in telusur("--color", "never", "search", "ferry", "--in", demo.directory).out


def test_why_tells_a_story(telusur, demo):
    url = demo.url("news", "/private/rota")
    ran = telusur("why", url, "--in", demo.directory)
    assert ran.code == 0
    assert "skipped (robots: Disallow: /private/)" in ran.out
    assert f"found on {demo.url('news')}" in ran.out
    story = json.loads(telusur("why", url, "--in", demo.directory, "--json").out)
    assert (story["state"], story["reason"]) == ("skipped", "robots: Disallow: /private/")
    unknown = telusur("why", "http://never.example/", "--in", demo.directory)
    assert (unknown.code, unknown.out) == (1, "")


def test_export_gives_every_page_in_fetch_order(telusur, demo):
    ran = telusur("export", "--in", demo.directory, "--format", "jsonl")
    pages = [json.loads(line) for line in ran.out.splitlines()]
    assert all(tuple(page) == EXPORTED for page in pages)
    promised = {"url", "status", "state", "reason", "depth", "parent", "fetched_at",
                "content_type", "size_bytes", "title", "text", "language", "html5", "description",
                "keywords", "download_seconds"}  # fmt: skip
    assert promised <= set(EXPORTED)
    assert any(page["download_seconds"] > 0 for page in pages)
    times = [page["fetched_at"] for page in pages]
    assert times[0] == min(times)
    assert pages[0]["depth"] == 0
    assert len({page["url"] for page in pages}) == len(pages) > 500
    types = {page["page_type"] for page in pages}
    assert {"article", "forum", "product"} <= types
    assert {page["page_type"] for page in pages if page["status"] == 404} == {""}
    assert all(page["fields"] == {} for page in pages)


def test_export_gives_chosen_fields_and_parts(telusur, demo):
    chosen = ("--fields", "url, title", "--parts", "links,tables")
    ran = telusur("export", "--in", demo.directory, "--format", "jsonl", *chosen)
    pages = [json.loads(line) for line in ran.out.splitlines()]
    assert {tuple(page) for page in pages} == {("url", "title", "links", "tables")}
    assert sum(len(page["links"] or ()) for page in pages) > len(pages) > 500
    assert any(page["tables"] for page in pages)


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        (("--fields", "titel"), "field 'titel' is not known; try url, status, "),
        (("--parts", "links,form"), "part 'form' is not known; try forms, tables, "),
    ],
)
def test_export_tells_of_names_that_it_does_not_know(telusur, demo, chosen, sentence):
    ran = telusur("export", "--in", demo.directory, "--format", "jsonl", *chosen)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert sentence in ran.err


def test_export_gives_every_url_with_its_state(telusur, demo):
    ran = telusur("export", "--in", demo.directory, "--format", "urls")
    urls = [json.loads(line) for line in ran.out.splitlines()]
    assert all(list(row) == ["url", "state", "reason"] for row in urls)
    assert {row["state"] for row in urls} == {"done", "failed", "skipped"}
    assert all(row["reason"] for row in urls if row["state"] != "done")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(telusur, shell):
    ran = telusur("completion", shell)
    assert ran.code == 0
    assert "_TELUSUR_COMPLETE" in ran.out


def test_index_settle_reindex_and_terms(telusur, demo):
    ran = telusur("index", "--settle", "--in", demo.directory)
    assert ran.code == 0
    assert "up to date and settled" in ran.out
    ran = telusur("terms", "lighthouses", "--in", demo.directory, "--limit", "1")
    assert ran.code == 0
    assert ran.out.startswith("lighthous (en")
    assert "IDF" in ran.out
    assert telusur("terms", "qwxyz", "--in", demo.directory).code == 1
    (url, *_) = [row["url"] for row in hits(telusur, demo, "lighthouse", "--limit", "1")]
    ran = telusur("terms", url, "--in", demo.directory, "--json", "--limit", "5")
    assert len([json.loads(line) for line in ran.out.splitlines()]) == 5
    ran = telusur("terms", "http://never.example/", "--in", demo.directory)
    assert (ran.code, "does not have this page" in ran.err) == (2, True)


def hits(telusur, demo, *words):
    return json.loads(telusur("search", *words, "--json", "--in", demo.directory).out)["hits"]


def test_search_explains_counts_and_groups(telusur, demo):
    ran = telusur(
        "search", "the lighthouse", "--in", demo.directory, "--explain", "--facets", "site,year"
    )
    assert "score: the sum of" in ran.out
    assert "distance from a start page: " in ran.out
    assert "site: " in ran.out
    grouped = hits(telusur, demo, "page", "--group", "site", "--per-site", "1", "--limit", "50")
    sites = [hit["site"] for hit in grouped]
    assert len(sites) == len(set(sites)) > 1
    assert any(hit["more_from_site"] for hit in grouped)
    assert hits(telusur, demo, "lighthouse", "--model", "tfidf")[0]["score"] < 2
    assert hits(telusur, demo, "lighthouse", "--as-of", "5") == []
    ran = telusur("search", "x", "--in", demo.directory, "--facets", "colour")
    assert (ran.code, "facet 'colour' is not known" in ran.err) == (2, True)


@pytest.mark.parametrize("arguments", [(), ("--color", "never")])
def test_telusur_alone_greets_with_its_help(telusur, arguments):
    ran = telusur(*arguments)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == telusur("--help").out + "\nNew here? Try `telusur demo`.\n"
    assert ran.out.startswith("Usage: telusur ")


def test_the_greeting_names_a_command_that_works_as_printed(telusur, monkeypatch):
    monkeypatch.setattr("telusur.cli.program.program", lambda: ".venv/bin/telusur")
    assert telusur().out.endswith("\nNew here? Try `.venv/bin/telusur demo`.\n")


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        (("status", "--in", "nowhere"), "`.venv/bin/telusur crawl URL --to nowhere`"),
        (("export", "--in", "nowhere"), "`.venv/bin/telusur export --help`"),
    ],
)
def test_errors_name_commands_that_work_as_printed(telusur, monkeypatch, arguments, command):
    monkeypatch.setattr("telusur.cli.program.program", lambda: ".venv/bin/telusur")
    ran = telusur(*arguments)
    assert (ran.code, command in ran.err) == (2, True), ran.err
    assert "`telusur " not in ran.err


def test_choices_of_a_missing_option_stand_in_one_sentence(telusur):
    ran = telusur("export", "--in", "c")
    sentence = "Missing option '--format'. Choose from: jsonl, urls."
    assert (ran.code, ran.err) == (2, f"telusur: {sentence} Try `telusur export --help`.\n")


def test_a_crawl_that_brought_nothing_says_why_and_offers_no_search(telusur):
    with serving({"/": page("Home")}) as site:
        ran = telusur("crawl", site.url("/gone"), "--to", "c", *FAST)
    assert ran.code == 1
    assert ran.out.startswith("1 page (")
    assert ran.err.splitlines() == [
        "  1 failed: http 404",
        f"Nothing was fetched: {site.url('/gone')} failed (http 404).",
    ]


def test_a_start_url_needs_no_scheme(telusur):
    with serving({"/": page("Home", "Welcome.")}) as site:
        typed = site.url("/").removeprefix("http://")
        ran = telusur("crawl", typed, "--to", "c", *FAST)
    assert ran.code == 0, ran.err
    assert ran.err.splitlines()[0] == f"{typed}: assuming http://{typed}"
    assert telusur("why", typed, "--in", "c").code == 0


def test_a_server_that_does_not_speak_https_is_told_of(telusur):
    """All requests go to a proxy that nobody runs."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        proxy = f"http://127.0.0.1:{taken.getsockname()[1]}"
    flags = ("--to", "c", "--proxy", proxy, "--patience", "0", *FAST)
    ran = telusur("crawl", "www.example.com/news", *flags)
    assert ran.code == 1
    lines = ran.err.splitlines()
    assert lines[0] == "www.example.com/news: assuming https://www.example.com/news"
    assert lines[-1] == "If the server speaks only http, write http://www.example.com/news"


def test_a_collection_goes_on_with_the_scheme_it_began_with(telusur, small_copy):
    with telusur_library.open(small_copy) as collection:
        known = collection.start_urls()[0]
        assert collection.start_urls([known.removeprefix("http://")]) == [known]
        assert collection.start_urls(["example.org"]) == ["https://example.org/"]
        with pytest.raises(UsageError, match="leave user name and password out"):
            collection.crawl(["http://me:secret@example.org/"])
    with closing(sqlite3.connect(small_copy / "collection.db")) as db, db:
        db.execute("UPDATE crawls SET start_urls = ?", (json.dumps(["http://example.org/"]),))
    with telusur_library.open(small_copy) as collection:
        assert collection.start_urls(["example.org"]) == ["http://example.org/"]
