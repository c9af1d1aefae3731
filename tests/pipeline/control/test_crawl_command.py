"""The command that does the same as a crawl of the workbench says the same to the command line."""

import shlex

import pytest

import telusur
from telusur.backends import create_store, open_store
from telusur.backends.files.control import LOG
from telusur.cli.crawl import command as crawl
from telusur.cli.options import given
from telusur.errors import UsageError
from telusur.pipeline.control.crawl_command import command_line, flags_for, start_crawl
from telusur.settings import CrawlSettings
from telusur.settings.reading import make_settings
from tests.sites import page, serving, wait_until

SETTINGS = CrawlSettings(
    pages=10, seconds=2.5, delay=3.0, topic="owls & 'hawks'", include=("a b", "c$"), traps=False,
    allow_private=True, scope="any", index=False,
)  # fmt: skip


def test_the_command_is_read_back_as_the_same_settings():
    line = command_line("my dir", ["https://a.example/?q=1&b=2"], SETTINGS, CrawlSettings())
    program, name, *arguments = shlex.split(line)
    assert (program, name) == ("telusur", "crawl")
    # click keeps the first names of --help it sees; they are those of the whole program.
    names = ["-h", "--help"]
    flags = crawl.make_context("crawl", arguments, help_option_names=names).params
    assert flags.pop("urls") == ("https://a.example/?q=1&b=2",)
    assert flags.pop("address") == "my dir"
    flags.pop("as_json")
    assert make_settings(CrawlSettings, ("{flag}", given(flags))) == SETTINGS


def test_what_is_as_usual_needs_no_flag():
    assert flags_for(SETTINGS, SETTINGS) == []
    assert flags_for(CrawlSettings(pages=5), CrawlSettings(delay=1.0)) == ["--pages", "5"]


def test_many_urls_are_named_by_a_file():
    line = command_line("d", ["https://a.example/"] * 21, CrawlSettings(), CrawlSettings())
    assert line == "telusur crawl --urls-from urls.txt --to d"


def test_a_crawl_that_cannot_run_tells_its_own_sentence(tmp_path):
    (tmp_path / "letter").write_text("dear")  # so that it is no place for a collection
    with pytest.raises(UsageError, match="not a collection"):
        start_crawl(open_store(tmp_path), ["https://a.example/"], CrawlSettings(), CrawlSettings())
    assert (tmp_path / LOG).exists()


def test_a_crawl_of_the_workbench_takes_no_modules_from_the_working_directory(
    tmp_path, monkeypatch
):
    for name in ("isal", "pycurl", "tantivy", "click", "numpy", "json"):
        (tmp_path / f"{name}.py").write_text(f"open('ran-{name}', 'w')\nraise ImportError\n")
    monkeypatch.chdir(tmp_path)
    settings = CrawlSettings(allow_private=True, delay=0.0)
    with serving({"/": page("Home")}) as site:
        create_store(tmp_path / "c")
        store = open_store(tmp_path / "c")
        start_crawl(store, [site.url("/")], settings, CrawlSettings())
        wait_until(lambda: not store.control.is_owned(), "the end of the crawl")
    with telusur.open(tmp_path / "c") as collection:
        assert [(row["url"], row["state"]) for row in collection.urls()] == [
            (site.url("/"), "done")
        ]
    assert not list(tmp_path.glob("ran-*"))
