"""Did a change make Telusur slower? Two checkouts side by side.

    python -m bench.before OTHER_CHECKOUT CACHE_DIR [--pairs 10] [--pages 3000]

OTHER_CHECKOUT is a checkout of another commit in which `make setup` has run. Prints the ratio, this
checkout to the other one, of
- instructions (callgrind) to extract 60 pages and to answer 200 queries, a second time,
- CPU seconds of a crawl, all processes together: the median of interleaved pairs.
Pages are those of `bench.crawl_speed`. Needs nginx and valgrind.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.crawl_speed.contestants import ONLY_PAGES, count_collection
from bench.crawl_speed.measure import measure
from bench.crawl_speed.pages import Site, fetch_sites
from bench.crawl_speed.server import serving

HERE = Path(__file__).resolve().parents[1]
# Only names of the public API, which both checkouts have.
EXTRACT = """
import sys, pathlib, telusur
for name in sys.argv[2:]:
    telusur.extract(pathlib.Path(name).read_bytes(), "http://example.org/")
"""
SEARCH = """
import sys, telusur
with telusur.open(sys.argv[1]) as collection:
    for words in sys.argv[2:]:
        collection.search(words)
"""
WORDS = ("commit", "branch", "merge tool", "remote", "index", "file name", "option", "config key")
_COUNTED = re.compile(r"Collected : (\d+)")


def main() -> int:
    """Measure both checkouts and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--pages", type=int, default=3000)
    options = parser.parse_args()
    cache = options.cache.resolve()
    cache.mkdir(parents=True, exist_ok=True)
    checkouts = {"this": HERE, "other": options.other.resolve()}
    sites = fetch_sites(cache, options.pages)
    with serving(sites, 8767) as urls, tempfile.TemporaryDirectory(dir=cache) as place:
        # Older versions import modules of the working directory into their child processes.
        os.chdir(place)
        if options.pairs:
            compare_crawls(checkouts, urls, Path(place), options.pages, options.pairs)
        compare_instructions(checkouts, sites, urls, Path(place))
    return 0


def compare_crawls(
    checkouts: dict[str, Path], urls: Sequence[str], place: Path, pages: int, pairs: int
) -> None:
    """Crawl with both in turn; print the median of the ratios of CPU seconds a page."""
    ratios = []
    for number in range(pairs):
        cpu = {}
        # The one that goes first has a colder machine: take turns.
        for name in sorted(checkouts, reverse=bool(number % 2)):
            target = place / f"{name}{number}"
            cost = measure(_crawl(checkouts[name], target, urls, pages), place / "log", 600)
            cpu[name] = 1000 * cost.cpu_seconds / count_collection(target)
        ratios.append(cpu["this"] / cpu["other"])
        print(f"crawl {number + 1}: CPU-s per 1,000 pages {cpu['this']:.2f}, other "
              f"{cpu['other']:.2f}, ratio {ratios[-1]:.3f}", flush=True)  # fmt: skip
    print(f"crawl: median ratio of {pairs} interleaved pairs {statistics.median(ratios):.3f}")


def compare_instructions(
    checkouts: dict[str, Path], sites: Sequence[Site], urls: Sequence[str], place: Path
) -> None:
    """Count instructions of extraction and search; print the ratios."""
    files = sorted(str(path) for site in sites for path in site.root.rglob("*.html"))
    pages = files[:: len(files) // 60][:60]
    queries = [f"{WORDS[number % 8]} {WORDS[number // 8 % 8]}" for number in range(200)]
    extract, search = {}, {}
    for name, checkout in checkouts.items():
        collection = place / f"search-{name}"
        measure(_crawl(checkout, collection, urls, 1000), place / "log", 600)
        extract[name] = _instructions(checkout, EXTRACT, str(place), pages)
        search[name] = _instructions(checkout, SEARCH, str(collection), queries)
    for what, counts in (("60 pages extracted", extract), ("200 searches", search)):
        print(f"{what}: {counts['this']:,} instructions, other {counts['other']:,}, ratio "
              f"{counts['this'] / counts['other']:.3f}", flush=True)  # fmt: skip


def _crawl(checkout: Path, target: Path, urls: Sequence[str], pages: int) -> list[str]:
    return [
        str(checkout / ".venv/bin/telusur"), "crawl", "--to", str(target), "--allow-private",
        "--per-host", "8", "--delay", "0", "--include", ONLY_PAGES, "--pages", str(pages), *urls,
    ]  # fmt: skip


def _instructions(checkout: Path, script: str, first: str, things: Sequence[str]) -> int:
    """Return what a script takes for these things; what only the first time takes is left out."""
    once = _count(checkout, script, [first, *things])
    return _count(checkout, script, [first, *things, *things]) - once


def _count(checkout: Path, script: str, arguments: Sequence[str]) -> int:
    command = [
        "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
        str(checkout / ".venv/bin/python"), "-c", script, *arguments,
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )
    found = _COUNTED.search(done.stderr)
    if done.returncode or found is None:
        sys.exit(f"{checkout}: callgrind failed:\n{done.stderr[-2000:]}")
    return int(found[1])


if __name__ == "__main__":
    raise SystemExit(main())
