"""Crawlers side by side on the same real pages: `python -m bench.crawl_speed CACHE_DIR`.

Debian documentation packages, served by nginx on several loopback hosts, are crawled by one crawler
after the other with politeness off. Each fetches, follows links, and saves title and text. Needs
Debian (apt-get download, dpkg-deb), nginx, and the network once, to download pages and peers into
CACHE_DIR. Prints one table; see docs/benchmarks.md.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.crawl_speed.contestants import Contestant, contestants, make_peers, versions
from bench.crawl_speed.measure import Cost, measure
from bench.crawl_speed.pages import fetch_sites
from bench.crawl_speed.server import serving


@dataclass(slots=True, frozen=True)
class Result:
    """One run of one crawler."""

    contestant: Contestant
    pages: int
    cost: Cost

    @property
    def cpu_per_thousand(self) -> float:
        """CPU seconds for a thousand pages, all processes together."""
        return 1000 * self.cost.cpu_seconds / max(1, self.pages)

    @property
    def pages_per_second(self) -> float:
        """Pages saved in a second from start to end of the program."""
        return self.pages / self.cost.wall_seconds


def main() -> int:
    """Read the arguments, run everybody in turn, print the best run of each."""
    options = _options()
    if shutil.which("nginx") is None:
        print("nginx is missing; on Debian: apt-get install nginx-light", file=sys.stderr)
        return 2
    cache = Path(options.cache).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    sites = fetch_sites(cache, options.pages)
    peer_python = make_peers(cache)
    wanted = contestants(peer_python, options.stop_after)
    if options.only:
        wanted = [item for item in wanted if item.name in options.only]
    print(f"{sum(site.pages for site in sites)} HTML files on {len(sites)} hosts; "
          f"{os.cpu_count()} cores; {versions(peer_python)}")  # fmt: skip
    best: dict[str, Result] = {}
    with serving(sites, options.port) as urls:
        for number in range(options.rounds):
            for contestant in wanted:
                result = run(contestant, urls, cache, options.limit)
                print(f"round {number + 1}: {_line(result, None)}", file=sys.stderr, flush=True)
                known = best.get(contestant.name)
                if known is None or result.cpu_per_thousand < known.cpu_per_thousand:
                    best[contestant.name] = result
    results = [best[item.name] for item in wanted]
    print(table(results))
    for result in results:
        if len(result.cost.split) > 1:
            print(split_line(result))
    return 0


def run(contestant: Contestant, urls: Sequence[str], cache: Path, limit_seconds: float) -> Result:
    """Let one crawler crawl everything into a fresh directory, which is removed afterwards."""
    log = cache / f"{contestant.name}.log"
    with tempfile.TemporaryDirectory(dir=cache, prefix=f"{contestant.name}-") as directory:
        target = Path(directory, "out")
        cost = measure(contestant.command(target, urls), log, limit_seconds)
        pages = contestant.count(target) if target.is_dir() else 0
    if cost.exit_code != 0:
        why = "ran out of time" if cost.timed_out else f"exit code {cost.exit_code}, see {log}"
        print(f"{contestant.name}: {why}", file=sys.stderr)
    return Result(contestant, pages, cost)


def table(results: Sequence[Result]) -> str:
    """Return the results as a Markdown table; ratios are to the first row named telusur."""
    base = next((item for item in results if item.contestant.name == "telusur"), None)
    head = (
        "| crawler | setting | pages | CPU-s per 1,000 | to Telusur | pages/s | peak MB |\n"
        "|---|---|---:|---:|---:|---:|---:|"
    )
    return "\n".join([head, *(_line(item, base) for item in results)])


def split_line(result: Result) -> str:
    """Return which of its processes took how much of a crawler's CPU time."""
    shares = sorted(result.cost.split.items(), key=lambda pair: -pair[1])
    per_thousand = 1000 / max(1, result.pages)
    words = ", ".join(f"{role} {seconds * per_thousand:.2f}" for role, seconds in shares)
    return f"{result.contestant.name}, CPU-s per 1,000 pages by process: {words}"


def _line(result: Result, base: Result | None) -> str:
    ratio = f"{result.cpu_per_thousand / base.cpu_per_thousand:.2f}" if base else ""
    over = " (cut off)" if result.cost.timed_out else ""
    return (
        f"| {result.contestant.name} | {result.contestant.what}{over} | {result.pages:,} "
        f"| {result.cpu_per_thousand:.2f} | {ratio} | {result.pages_per_second:,.0f} "
        f"| {result.cost.peak_mb:.0f} |"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="crawl_speed", description="Compare crawlers' speed.")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where pages and peers are kept")
    parser.add_argument("--pages", type=int, default=10_000, help="serve at least this many")
    parser.add_argument("--stop-after", type=int, default=0, help="pages a crawl; 0: all of them")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this crawler")
    parser.add_argument("--rounds", type=int, default=2, help="runs of each; the best counts")
    parser.add_argument("--limit", type=float, default=300, help="seconds a run may take")
    parser.add_argument("--port", type=int, default=8765)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
