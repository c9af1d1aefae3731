"""How smoothly a map of 5,000 pages moves in a browser, and how quick a large outline is.

    python -m bench.map_frames NEW_DIR [--least 30]

Makes two collections in NEW_DIR: 5,000 pages with 15,000 links, and 100,000 pages for the outline.
A headless Chromium without a graphics card opens the map; every drawing of the canvas is counted
while nodes find their places, while the map is moved, and while it is zoomed. Exit code 1 when one
of them has fewer than `--least` frames a second.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

from playwright.sync_api import Page, sync_playwright

from bench.made_web import make_web

PAGES, LINKS = 5_000, 15_000
LARGE_PAGES, LARGE_LINKS = 100_000, 1_000_000
SECONDS = 3.0
WINDOW = {"width": 1400, "height": 900}
# A frame is counted when the whole canvas is cleared, or overwritten, to be drawn anew.
COUNT_FRAMES = """
window.frames_drawn = [];
for (const name of ["clearRect", "putImageData"]) {
  const draw = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...given) {
    window.frames_drawn.push([performance.now(), this.canvas.linksDrawn ?? 0]);
    return draw.apply(this, given);
  };
}
"""


def main() -> int:
    """Make, serve, look, count."""
    given = parse_arguments()
    small, large = given.directory / "small", given.directory / "large"
    if not small.exists():
        make_web(small, PAGES, LINKS)
    if not large.exists():
        make_web(large, LARGE_PAGES, LARGE_LINKS, sites=300, wide=2_000)
    with serve(small) as address:
        frames = measure_map(address)
    with serve(large) as address:
        measure_large(address)
    return 0 if all(rate >= given.least for rate in frames) else 1


def parse_arguments() -> argparse.Namespace:
    """Return what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("--least", type=float, default=30.0, help="frames a second")
    return parser.parse_args()


@contextmanager
def serve(collection: Path) -> Iterator[str]:
    """Serve a collection in a process of its own."""
    command = [sys.executable, "-c", "from telusur.cli import main; main()"]
    command += ["serve", "--in", str(collection), "--port", "0", "--rate-limit", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        yield line.partition(" at ")[2].split()[0].rstrip("/")
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def chromium() -> Iterator[Page]:
    """Open a browser with a window as large as a laptop's."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(viewport=WINDOW)
        page.add_init_script(COUNT_FRAMES)
        yield page
        browser.close()


def measure_map(address: str) -> list[float]:
    """Print and return frames a second: finding places, moved, zoomed."""
    started = time.perf_counter()
    answer = json.load(urlopen(f"{address}/graph.json?most={PAGES}"))
    taken = time.perf_counter() - started
    nodes, links = len(answer["nodes"]), len(answer["links"])
    print(f"/graph.json: {nodes:,} pages, {links:,} links, first time {taken:.2f} s")
    with chromium() as page:
        page.goto(f"{address}/map?most={PAGES}")
        page.wait_for_selector("canvas[data-nodes]", timeout=60_000)
        rates = [report("finding their places", page, lambda: page.wait_for_timeout(4_000))]
        page.wait_for_selector("canvas[data-state=calm]", timeout=120_000)
        box = page.locator("canvas").bounding_box()
        assert box is not None
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        # Nothing may lie under the pointer, or it would be dragged instead of the map.
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.down()
        rates.append(report("moved", page, lambda: shake(page, box)))
        page.mouse.up()
        page.mouse.move(*middle)
        rates.append(report("zoomed", page, lambda: zoom(page)))
        return rates


def shake(page: Page, box: dict[str, float]) -> None:
    """Move the map by the mouse."""
    end = time.perf_counter() + SECONDS
    step = 0
    while time.perf_counter() < end:
        step += 1
        away = abs(step % 120 - 60) * 4
        page.mouse.move(box["x"] + 5 + away, box["y"] + 5 + away / 2)


def zoom(page: Page) -> None:
    """Turn the wheel forth and back."""
    end = time.perf_counter() + SECONDS
    step = 0
    while time.perf_counter() < end:
        step += 1
        page.mouse.wheel(0, -30 if step % 80 < 40 else 30)
        page.wait_for_timeout(10)


def report(what: str, page: Page, act: Callable[[], None]) -> float:
    """Print and return how many frames a second were drawn meanwhile."""
    page.evaluate("window.frames_drawn.length = 0")
    act()
    drawn = page.evaluate("window.frames_drawn")
    between = [later - earlier for (earlier, _), (later, _) in pairwise(drawn)]
    rate = 1000 * len(between) / sum(between)
    worst = statistics.quantiles(between, n=20)[-1]
    lines = statistics.median(count for _, count in drawn[1:])
    print(
        f"{what}: {rate:.0f} frames/s, 95 % within {worst:.0f} ms "
        f"({len(drawn)} frames of {lines:,.0f} links)",
        flush=True,
    )
    return rate


def measure_large(address: str) -> None:
    """Print how long roads take on a large collection, and how the outline opens in a browser."""
    for road in ("/tree.json", "/tree.json?limit=500", "/graph/sites.json", "/graph.json?most=5000",
                 "/graph.json?site=site7.invalid", "/map"):  # fmt: skip
        times = []
        for _ in range(2):
            started = time.perf_counter()
            urlopen(address + road).read()
            times.append(time.perf_counter() - started)
        print(f"{LARGE_PAGES:,} pages, {road}: {times[0]:.2f} s, again {times[1] * 1000:.0f} ms")
    with chromium() as page:
        page.goto(f"{address}/tree?selected={quote('https://site0.invalid/0', safe='')}")
        page.wait_for_selector("[role=tree]")
        started = time.perf_counter()
        for _ in range(20):
            count = page.locator(".branch").count()
            page.locator(".branch-more").last.click()
            page.wait_for_function(
                "count => document.querySelectorAll('.branch').length > count", arg=count
            )
        taken = (time.perf_counter() - started) / 20
        shown = page.locator(".branch").count()
        print(f"outline: 50 more branches in {taken * 1000:.0f} ms, {shown:,} shown")


if __name__ == "__main__":
    sys.exit(main())
