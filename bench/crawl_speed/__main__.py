"""Crawlers side by side on the same real pages: `python -m bench.crawl_speed CACHE_DIR`.

Debian documentation packages, served by nginx on several loopback hosts, are crawled by one crawler
after the other with politeness off. Each fetches, follows links, and saves title and text. Needs
Debian (apt-get download, dpkg-deb), nginx, and the network once, to download pages and peers into
CACHE_DIR. Prints one table of medians, with ratios to Telusur by round; see docs/benchmarks.md.
"""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.crawl_speed.contestants import (
    Contestant,
    compile_telusur,
    contestants,
    make_peers,
    versions,
)
from bench.crawl_speed.measure import measure
from bench.crawl_speed.pages import fetch_sites
from bench.crawl_speed.results import Result, short_line, split_lines, table
from bench.crawl_speed.server import serving


def main() -> int:
    """Read the arguments, run everybody in turn, print medians and spreads."""
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
    compile_telusur()
    rounds: list[dict[str, Result]] = []
    with serving(sites, options.port) as urls:
        for number in range(options.rounds):
            rounds.append({})
            for contestant in in_turn(wanted, number):
                result = run(contestant, urls, cache, options.limit)
                rounds[-1][contestant.name] = result
                print(f"round {number + 1}: {short_line(result)}", file=sys.stderr, flush=True)
    print(table(rounds, [item.name for item in wanted]))
    for line in split_lines(rounds):
        print(line)
    return 0


def in_turn(wanted: Sequence[Contestant], number: int) -> list[Contestant]:
    """Return the crawlers in the order of a round: forwards and backwards alternate."""
    return list(wanted)[:: -1 if number % 2 else 1]


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
    return Result(contestant.name, contestant.what, pages, cost)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="crawl_speed", description="Compare crawlers' speed.")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where pages and peers are kept")
    parser.add_argument("--pages", type=int, default=10_000, help="serve at least this many")
    parser.add_argument("--stop-after", type=int, default=0, help="pages a crawl; 0: all of them")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this crawler")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each, interleaved")
    parser.add_argument("--limit", type=float, default=300, help="seconds a run may take")
    parser.add_argument("--port", type=int, default=8765)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
