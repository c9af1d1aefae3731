"""One speed on the page of a real crawl: running, paused, resumed and ended."""

import re

import pytest

from telusur.shelf import Shelf
from telusur.web.crawls.charts import HEIGHT
from tests.sites import page, serving, wait_until
from tests.web.conftest import run_workbench

TILE = re.compile(r"<dt>Pages/s</dt><dd>([\d.,]+)</dd>")
CHART = re.compile(
    r'Pages per second</span> <span class="quiet">(\w+) ([\d.,]+), maximum ([\d.,]+)<.*?'
    r'aria-label="([^"]*)".*?class="chart-line" d="([^"]*)"',
    re.DOTALL,
)


@pytest.fixture(scope="module")
def visitor(tmp_path_factory):
    """Somebody who has started a crawl called `endless`."""
    with (
        serving(
            {"/robots.txt": ""}, otherwise=lambda path: page(path, links=[f"{path}a", f"{path}b"])
        ) as site,
        Shelf(tmp_path_factory.mktemp("shelf")) as shelf,
        run_workbench(None, crawls=shelf) as running,
    ):
        visitor = running.visit()
        visitor.get("/crawls/new")
        fields = {"urls": site.url(), "allow_private": "on", "delay": "0.02", "name": "endless"}
        assert visitor.send("/crawls/new", fields).status == 303
        yield visitor
        shelf.open("endless").stop()


def look(visitor):
    """Return the tile, and what the chart calls its number, its number and where its line ends."""
    text = visitor.get("/crawls/endless").text
    tile, chart = TILE.search(text), CHART.search(text)
    if chart is None:
        return None
    meaning, number, most, described, line = chart.groups()
    assert described == f"Pages per second: {meaning} {number}, maximum {most}"
    _, height = line.rpartition("L")[2].split()
    share = (HEIGHT - 1 - float(height)) / (HEIGHT - 2)
    return tile and tile[1], meaning, number, share * float(most.replace(",", ""))


def steer(visitor, what):
    assert visitor.send("/crawls/endless/steer", {"do": what}).status == 303


def assert_runs_at_one_speed(visitor):
    tile, meaning, number, end = wait_until(
        lambda: (seen := look(visitor)) and seen[0] not in (None, "0.0") and seen, "a speed"
    )
    assert (meaning, number) == ("now", tile)
    # The heights of a line and the numbers of a page are rounded.
    assert end == pytest.approx(float(tile), abs=0.1 + 0.02 * float(tile))


def test_tile_caption_and_line_have_one_speed_at_each_moment(visitor):
    assert_runs_at_one_speed(visitor)
    steer(visitor, "pause")
    for _ in range(5):
        assert look(visitor) == ("0.0", "now", "0.0", 0.0), "at once, not when averages have fallen"
    steer(visitor, "resume")
    assert_runs_at_one_speed(visitor)
    steer(visitor, "stop")
    status = wait_until(
        lambda: (
            (now := visitor.get("/crawls/endless.json").json)["status"]["state"] == "idle" and now
        ),
        "the end",
    )
    first, last = status["samples"][0], status["samples"][-1]
    average = (last["fetched"] - first["fetched"]) / (last["at"] - first["at"])
    tile, meaning, number, _ = look(visitor)
    assert (tile, meaning, number) == (None, "average", f"{average:,.1f}")
    assert average > 0
