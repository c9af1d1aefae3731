"""The command that does the same as a crawl of the workbench says the same to the command line."""

import shlex
from pathlib import Path

import pytest

from telusur.cli.crawl import command as crawl
from telusur.cli.options import given
from telusur.errors import UsageError
from telusur.run.crawl_command import LOG, command_line, flags_for, start_crawl
from telusur.settings import CrawlSettings, make_settings

SETTINGS = CrawlSettings(
    pages=10, seconds=2.5, delay=3.0, topic="owls & 'hawks'", include=("a b", "c$"), traps=False,
    allow_private=True, scope="any", index=False,
)  # fmt: skip


def test_the_command_is_read_back_as_the_same_settings():
    line = command_line(Path("my dir"), ["https://a.example/?q=1&b=2"], SETTINGS, CrawlSettings())
    program, name, *arguments = shlex.split(line)
    assert (program, name) == ("telusur", "crawl")
    # click keeps the first names of --help it sees; they are those of the whole program.
    names = ["-h", "--help"]
    flags = crawl.make_context("crawl", arguments, help_option_names=names).params
    assert flags.pop("urls") == ("https://a.example/?q=1&b=2",)
    assert flags.pop("directory") == "my dir"
    flags.pop("as_json")
    assert make_settings(CrawlSettings, ("{flag}", given(flags))) == SETTINGS


def test_what_is_as_usual_needs_no_flag():
    assert flags_for(SETTINGS, SETTINGS) == []
    assert flags_for(CrawlSettings(pages=5), CrawlSettings(delay=1.0)) == ["--pages", "5"]


def test_many_urls_are_named_by_a_file():
    line = command_line(Path("d"), ["https://a.example/"] * 21, CrawlSettings(), CrawlSettings())
    assert line == "telusur crawl --urls-from urls.txt --to d"


def test_a_crawl_that_cannot_run_tells_its_own_sentence(tmp_path):
    (tmp_path / "letter").write_text("dear")  # so that it is no place for a collection
    with pytest.raises(UsageError, match="not a collection"):
        start_crawl(tmp_path, ["https://a.example/"], CrawlSettings(), CrawlSettings())
    assert (tmp_path / LOG).exists()
