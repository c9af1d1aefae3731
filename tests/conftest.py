"""Shared by all tests: the demo web, crawled once."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pytest

import telusur
from telusur.demo.records import Truth
from telusur.demo.server import serve

# How long an example takes says more about the machine than about the code.
hypothesis.settings.register_profile("telusur", deadline=None)
hypothesis.settings.load_profile("telusur")


def pytest_sessionfinish(session, exitstatus):
    """On CI a test that did not run is a failure."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker; its results are counted where they come together
        return
    if os.environ.get("CI") and reporter.stats.get("skipped") and not exitstatus:
        reporter.write_line("Tests were skipped, which fails on CI.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@dataclass(frozen=True)
class DemoCrawl:
    """The demo web after a crawl: its collection, its truth, and what was asked of it."""

    directory: Path
    truth: tuple[Truth, ...]
    origins: dict[str, str]
    asked: tuple[tuple[str, str], ...]
    """Host and path of each request."""

    def url(self, site: str, path: str = "/") -> str:
        return self.origins[site] + path


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> DemoCrawl:
    """Crawl the demo web once; tests only read it."""
    directory = tmp_path_factory.mktemp("demo") / "collection"
    with ThreadPoolExecutor(1) as aside:  # a browser of another test may hold our event loop
        return aside.submit(_crawl_demo, directory).result()


def _crawl_demo(directory: Path) -> DemoCrawl:
    with serve() as web, telusur.open(directory) as collection:
        collection.crawl(web.start_urls, allow_private=True, delay=0)
        asked = tuple((request.host, request.path) for request in web.requests)
        return DemoCrawl(directory, web.web.truth, dict(web.origins), asked)


@pytest.fixture
def demo_copy(demo, tmp_path) -> Path:
    """A copy of the crawled demo web that a test may change."""
    return Path(shutil.copytree(demo.directory, tmp_path / "copy"))
