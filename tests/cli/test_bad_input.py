"""Bad input: one clear sentence on stderr, exit code 2, and nothing destroyed."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys

import pytest

from telusur.backends.files.lock import OwnerLock


def fails(ran, *words):
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith("telusur: ")
    assert ran.err.count("\n") == 1, "one line"
    for word in words:
        assert word in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["crawl", "--to", "c"], ["name at least one start URL"]),
        (["crawl", "http://a.example/"], ["--to DIR"]),
        (["crawl", "http://", "--to", "c"], ["'http://'", "not a web address"]),
        (["crawl", "mailto:a@b.c", "--to", "c"], ["not a web address"]),
        (["crawl", "http://a.example/", "--to", "c", "--pages", "-3"], ["--pages", "-3"]),
        (["crawl", "http://a.example/", "--to", "c", "--pages", "x"], ["--pages", "'x'"]),
        (["crawl", "http://a.example/", "--to", "c", "--delay", "-1"], ["--delay", "-1"]),
        (["crawl", "http://a.example/", "--to", "c", "--strategy", "zigzag"], ["breadth-first"]),
        (["crawl", "http://a.example/", "--to", "c", "--scope", "world"], ["site, host"]),
        (["crawl", "http://a.example/", "--to", "c", "--include", "["], ["include"]),
        (["crawl", "http://a.example/", "--to", "c", "--header", "x"], ["--header"]),
        (["crawl", "http://a.example/", "--to", "c", "--cookies", "none.txt"], ["none.txt"]),
        (["crawl", "--urls-from", "none.txt", "--to", "c"], ["none.txt", "No such file"]),
        (["crawl", "http://a.example/", "--to", "c", "--speed", "9"], ["--speed", "--help"]),
        (["search", "--in", "c"], ["WORDS"]),
        (["search", "words"], ["--in"]),
        (["search", "words", "--in", "nowhere"], ["nowhere", "no such directory"]),
        (["search", "words", "--in", "nowhere", "--page", "0"], ["--page"]),
        (["export", "--in", "nowhere", "--format", "csv"], ["'csv'", "jsonl"]),
        (["export", "--in", "nowhere", "--format", "urls", "--parts", "all"], ["--format jsonl"]),
        (["why", "http://a.example/", "--in", "nowhere"], ["no such directory"]),
        (["serve", "--in", "nowhere"], ["no such directory"]),
        (["serve", "--in", "nowhere", "--port", "-5"], ["--port"]),
        (["dance"], ["dance"]),
        (["serach", "x"], ["'serach'", "Did you mean search?"]),
        (["exprot"], ["Did you mean export?"]),
        (["crawl", "http://a.example/", "--to", "c", "--workers", "100000"], ["--workers", "256"]),
        (["crawl", "http://a.example/", "--to", "c", "--delay", "1e308"], ["--delay", "86,400"]),
    ],
)  # fmt: skip
def test_one_sentence_and_nothing_made(telusur, tmp_path, arguments, words):
    fails(telusur(*arguments), *words)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_is_not_a_collection_is_left_alone(telusur, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    for command in (
        ["search", "x", "--in", "mine"],
        ["why", "http://a.example/", "--in", "mine"],
        ["export", "--in", "mine", "--format", "urls"],
        ["serve", "--in", "mine"],
    ):
        fails(telusur(*command), "mine", "is not a collection")
    fails(telusur("crawl", "http://a.example/", "--to", "mine"), "mine", "other files")
    fails(telusur("crawl", "http://a.example/", "--to", "mine/letter.txt"), "this is a file")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter.txt"]


def test_a_collection_of_a_newer_version_is_left_alone(telusur, demo_copy):
    database = demo_copy / "collection.db"
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE meta SET value = 99 WHERE name = 'format'")
    connection.close()
    before = database.read_bytes()
    for command in (
        ["search", "x", "--in", demo_copy],
        ["crawl", "http://a.example/", "--to", demo_copy],
    ):
        fails(telusur(*command), "format 99", "upgrade")
    assert database.read_bytes() == before


def test_a_damaged_collection_is_named(telusur, demo_copy):
    (demo_copy / "collection.db").write_bytes(b"not a database" * 1000)
    fails(telusur("search", "x", "--in", demo_copy), "cannot be read")


def test_a_collection_that_is_being_written_is_left_to_its_owner(telusur, demo_copy):
    with OwnerLock(demo_copy):
        ran = telusur("crawl", "http://a.example/", "--to", demo_copy)
        fails(ran, f"process {os.getpid()} is writing")
        assert telusur("search", "ferry", "--in", demo_copy).code == 0


def test_a_port_in_use(telusur, demo):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        fails(telusur("serve", "--in", demo.directory, "--port", port), f"port {port} is in use")
        fails(telusur("demo", "--serve-only", "--web-port", port), str(port), "in use")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("telusur.toml", "[crawl]\npages = 'few'\n", ["telusur.toml", "[crawl] pages", "'few'"]),
        ("telusur.toml", "[crawl]\npace = 3\n", ["telusur.toml", "pace", "no such setting"]),
        ("telusur.toml", "crawl = 3\n", ["telusur.toml", "[crawl]"]),
        ("telusur.toml", "[crawl", ["telusur.toml"]),
        (".env", "TELUSUR_DEPTH=deep\n", [".env", "TELUSUR_DEPTH", "'deep'"]),
        (".env", "what is this\n", [".env", "line 1"]),
    ],
)
def test_mistakes_in_settings_files_are_named(telusur, tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    fails(telusur("crawl", "http://a.example/", "--to", "c"), *words)
    assert not (tmp_path / "c").exists()


def test_mistakes_in_the_environment_are_named(telusur, monkeypatch):
    monkeypatch.setenv("TELUSUR_PAGES", "-1")
    fails(telusur("crawl", "http://a.example/", "--to", "c"), "TELUSUR_PAGES", "-1")


def test_a_full_disk_ends_the_crawl_with_a_sentence_and_loses_nothing(tmp_path):
    """A real full disk: a file system of two megabytes, mounted in a namespace of our own."""
    if not shutil.which("unshare"):
        pytest.fail("this test needs `unshare`: apt-get install util-linux")
    script = tmp_path / "full_disk.sh"
    script.write_text(
        "mount -t tmpfs -o size=2m tmpfs $1 && cd $1 && shift || exit 99\n"
        '"$@"; code=$?\n'
        "rm -f ballast\n"
        "telusur=$1\n"
        "$telusur export --in c --format jsonl | wc -l\n"
        "exit $code\n"
    )
    mount = tmp_path / "disk"
    mount.mkdir()
    program = os.path.join(os.path.dirname(sys.executable), "telusur")
    from tests.sites import page, serving

    def endless(path):
        return page(path, os.urandom(20_000).hex(), [f"{path}a", f"{path}b"])

    with serving({"/robots.txt": ""}, otherwise=endless) as site:
        ran = subprocess.run(
            ["unshare", "--map-root-user", "--mount", "sh", str(script), str(mount), program,
             "crawl", site.url(), "--to", "c", "--allow-private", "--delay", "0", "--no-index",
             "--min-free-bytes", "0"],
            capture_output=True, text=True, timeout=100, check=False,
        )  # fmt: skip
    if ran.returncode == 99 or "unshare failed" in ran.stderr:
        pytest.fail(f"this machine lets nobody mount a small disk: {ran.stderr}")
    assert ran.returncode == 2, ran.stderr
    assert "the disk is full" in ran.stderr.splitlines()[-1]
    assert int(ran.stdout.splitlines()[-1]) > 3, "what was committed before is there"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", ["has no cookies"]),
        (b"# Netscape HTTP Cookie File\n\n", ["has no cookies"]),
        (b"# a comment\nthis is no cookie\n", ["line 2", "seven fields", "name, value"]),
        (bytes(range(256)), ["line 1", "not text"]),
        (b'{"cookies": []}', ["line 1"]),
        (b".a.example\tyes\t/\tFALSE\t0\tn\tv\n", ["line 1", "TRUE or FALSE"]),
        (b".a.example\tTRUE\t/\tFALSE\tsoon\tn\tv\n", ["line 1", "time of expiry"]),
        (b"Set-Cookie: a=b\n", ["line 1", "domain"]),
        (b".a.example\tTRUE\t/\tFALSE\t0\tn\t" + b"v" * 6000, ["line 1", "5,000"]),
    ],
)
def test_a_cookie_file_that_is_none(telusur, tmp_path, text, words):
    (tmp_path / "jar").write_bytes(text)
    ran = telusur("crawl", "http://a.example/", "--to", "c", "--cookies", "jar")
    fails(ran, "--cookies: jar", *words)
    assert not (tmp_path / "c").exists()


def test_cookies_as_libcurl_reads_them(telusur, tmp_path):
    from tests.sites import page, serving

    lines = [
        "# Netscape HTTP Cookie File", "", "127.0.0.1\tFALSE\t/\tFALSE\t0\tone\t1\r",
        "#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t9999999999\ttwo\t2",
        "127.0.0.1\tFALSE\t/\tFALSE\t0\tempty\t",
        "Set-Cookie: three=3; domain=127.0.0.1; path=/",
    ]  # fmt: skip
    (tmp_path / "jar").write_text("\n".join(lines) + "\n")
    with serving({"/": page("Home")}) as site:
        ran = telusur("crawl", site.url(), "--to", "c", "--cookies", "jar", "--allow-private")
        (sent,) = [each.headers for each in site.requests if each.path == "/"]
    assert ran.code == 0, ran.err
    cookies = next(value for name, value in sent.items() if name.lower() == "cookie")
    assert {part.strip() for part in cookies.split(";")} == {"one=1", "two=2", "empty=", "three=3"}


def test_the_hint_of_a_crawl_can_be_pasted(telusur, tmp_path):
    from tests.sites import page, serving

    with serving({"/": page("Home")}) as site:
        ran = telusur("crawl", site.url(), "--to", "my library", "--allow-private")
    assert ran.err.splitlines()[-1] == "Search it: telusur search WORDS --in 'my library'"


@pytest.mark.slow
def test_more_open_files_than_the_system_allows():
    """In a process of its own: nobody gets back a limit that was given up."""
    code = (
        "import resource, sys; from telusur.cli import run\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))\n"
        "sys.exit(run(['crawl', 'http://a.example/', '--to', '/dev/null/c', *sys.argv[1:]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--workers", "200"],
        capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "--workers 200" in done.stderr
    assert "the system allows 256; use fewer, or raise the limit with `ulimit -n`" in done.stderr
    usual = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=100
    )
    assert "open files" not in usual.stderr


def test_hooks_that_do_not_load(telusur, tmp_path):
    (tmp_path / "mine.py").write_text("def visit(page)\n    return {}")
    ran = telusur("crawl", "http://a.example/", "--to", "c", "--hooks", "mine.py")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "telusur: --hooks: mine.py cannot be loaded: line 1: expected ':'.\n"
    assert not (tmp_path / "c").exists()
