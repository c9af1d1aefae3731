"""Shared by all tests: the demo web, crawled once."""

import fcntl
import os
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
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


# Files that take longest: begun first, none of them is what everybody waits for at the end.
LONGEST_FIRST = (
    "tests/cli/test_control.py",
    "tests/pipeline/test_crawl.py",
    "tests/web/maps/test_map_browser.py",
    "tests/web/test_browser.py",
    "tests/fetch/browser/test_renderer.py",
    "tests/web/crawls/test_pages.py",
    "tests/web/test_lost_connection.py",
    "tests/pipeline/test_strategies.py",
    "tests/cli/test_every_command.py",
    "tests/web/crawls/test_failed_starts.py",
    "tests/web/test_axe.py",
    "tests/pipeline/indexing/test_reindexing.py",
    "tests/pipeline/test_outage.py",
    "tests/web/guard/test_key_pages.py",
    "tests/pipeline/plan/test_left_out.py",
    "tests/pipeline/test_kill.py",
    "tests/web/test_hostile.py",
    "tests/fetch/browser/test_origins.py",
    "tests/pipeline/parsing/test_hooks.py",
    "tests/web/crawls/test_crawl_browser.py",
    "tests/web/frame/test_shelf_pages.py",
    "tests/pipeline/parsing/test_pool.py",
    "tests/pipeline/test_rendering.py",
    "tests/cli/test_commands.py",
    "tests/cli/test_signals.py",
    "tests/pipeline/test_former_keys.py",
    "tests/pipeline/test_learned_traps.py",
    "tests/pipeline/test_politeness.py",
)


def pytest_collection_modifyitems(items):
    order = {name: place for place, name in enumerate(LONGEST_FIRST)}
    # By `nodeid`: to ask 6,000 tests where they lie takes each worker a second.
    items.sort(key=lambda item: order.get(item.nodeid.partition("::")[0], len(order)))


@dataclass(frozen=True)
class DemoCrawl:
    """The demo web after a crawl: its collection, its truth, and what was asked of it."""

    directory: Path
    truth: tuple[Truth, ...]
    origins: dict[str, str]
    # Host and path of each request.
    asked: tuple[tuple[str, str], ...]

    def url(self, site: str, path: str = "/") -> str:
        return self.origins[site] + path


@pytest.fixture(scope="session")
def demo(tmp_path_factory) -> DemoCrawl:
    """Crawl the demo web once for all processes of a test run; tests only read it."""
    mine = tmp_path_factory.mktemp("demo") / "collection"
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared-demo"
    shared.mkdir(exist_ok=True)
    with open(shared / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "crawl").exists():
            shutil.rmtree(shared / "collection", ignore_errors=True)
            with ThreadPoolExecutor(1) as aside:  # a browser of another test may hold our loop
                crawl = aside.submit(_crawl_demo, shared / "collection").result()
            (shared / "crawl").write_bytes(pickle.dumps(crawl))
        crawl = pickle.loads((shared / "crawl").read_bytes())
        shutil.copytree(shared / "collection", mine)  # readers leave files, which others may copy
    return replace(crawl, directory=mine)


def _crawl_demo(directory: Path) -> DemoCrawl:
    with serve() as web, telusur.open(directory) as collection:
        collection.crawl(web.start_urls, allow_private=True, delay=0)
        asked = tuple((request.host, request.path) for request in web.requests)
        return DemoCrawl(directory, web.web.truth, dict(web.origins), asked)


@pytest.fixture
def demo_copy(demo, tmp_path) -> Path:
    """A copy of the crawled demo web that a test may change."""
    return Path(shutil.copytree(demo.directory, tmp_path / "copy"))
