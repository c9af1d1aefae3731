import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import telusur as telusur_library
from telusur.cli import run
from tests.sites import page, serving


@dataclass
class Ran:
    code: int
    out: str
    err: str


@pytest.fixture
def telusur(capsys, monkeypatch, tmp_path):
    """Run the command line in this process, in an empty working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for name in ("CRAWLER_START_URLS", "CRAWLER_MAX_THREADS", "CRAWLER_DURATION_SECONDS"):
        monkeypatch.delenv(name, raising=False)

    def go(*arguments) -> Ran:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return go


@dataclass(frozen=True)
class Small:
    """A collection of a few pages, one of them known by URL and title."""

    directory: Path
    url: str
    title: str


@pytest.fixture(scope="session")
def small(tmp_path_factory) -> Small:
    """Crawl a few pages once; tests only read them."""
    directory = tmp_path_factory.mktemp("small") / "collection"
    pages = {
        "/": page("Harbour", "The ferry leaves the harbour at nine.", ["/ferry", "/gone"]),
        "/ferry": page("The old ferry", "The ferry is old and still carries people.", ["/"]),
    }
    with serving(pages) as site, telusur_library.open(directory) as collection:
        collection.crawl([site.url()], allow_private=True, delay=0)
        return Small(directory, site.url("/ferry"), "The old ferry")


@pytest.fixture
def small_copy(small, tmp_path) -> Path:
    """A copy of the small collection that a test may change."""
    return Path(shutil.copytree(small.directory, tmp_path / "small"))
