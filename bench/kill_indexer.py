"""Kill the indexer again and again while a crawl runs: `python -m bench.kill_indexer`.

At the end nothing may be missing from the index and nothing may be in it twice: each page has a
word of its own, and the catalogue tells which pages there are. A crawl whose indexer dies too often
gives up; it is then started again, and that is counted.
"""

import argparse
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import telusur
from bench.growing_site import GrowingSite, growing_site, start_crawl

FLAGS = ("--delay", "0.02", "--per-host", "2")
MOST_PAGES = 4_000
LIMIT_SECONDS = 120.0


def kill_again_and_again(
    site: GrowingSite, directory: Path, kills: int
) -> tuple[int, int, list[int]]:
    """Return how often the indexer was killed, how often the crawl gave up, and its exit codes."""
    chance = random.Random(11)
    crawl = start_crawl(site, directory, *FLAGS)
    killed, codes = 0, []
    deadline = time.monotonic() + LIMIT_SECONDS + 10 * kills
    try:
        while killed < kills:
            if time.monotonic() > deadline:
                raise SystemExit(f"Only {killed} kills in time; see {directory}.log.")
            if (code := crawl.poll()) is not None:
                codes.append(code)
                crawl = start_crawl(site, directory, *FLAGS)
            indexer = find_indexer(crawl.pid)
            if indexer is None:
                time.sleep(0.02)
                continue
            time.sleep(chance.uniform(0.05, 2.0))
            killed += kill(indexer)
        site.stop_growing()
        codes.append(crawl.wait(LIMIT_SECONDS))
        while codes[-1] != 0 and len(codes) < kills:
            crawl = start_crawl(site, directory, *FLAGS)
            codes.append(crawl.wait(LIMIT_SECONDS))
    finally:
        if crawl.poll() is None:
            os.killpg(crawl.pid, signal.SIGKILL)
            crawl.wait()
    return killed, len(codes) - 1, codes


def find_indexer(crawl: int) -> int | None:
    """Return the process of the indexer that a crawl has now, or None."""
    return find_child(crawl, b"telusur.pipeline.indexing.indexer")


def find_child(crawl: int, name: bytes) -> int | None:
    """Return the process of a crawl that runs a module of this name, or None."""
    asked = subprocess.run(["pgrep", "-P", str(crawl)], capture_output=True, text=True, check=False)
    for pid in asked.stdout.split():
        try:
            if name in Path(f"/proc/{pid}/cmdline").read_bytes():
                return int(pid)
        except OSError:
            continue
    return None


def kill(pid: int) -> bool:
    """Kill a process and wait until it is gone; False when it was gone already."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            break
        if state == "Z":
            break
        time.sleep(0.01)
    return True


def compare(site: GrowingSite, directory: Path) -> list[str]:
    """Return every difference between catalogue and index, in words."""
    with telusur.open(directory) as collection:
        problems = [str(problem) for problem in collection.verify().problems]
        pages = {row["url"] for row in collection.pages()
                 if row["status"] == 200 and not row["reason"]}  # fmt: skip
        if len(pages) != collection.count_indexed():
            problems.append(f"{len(pages)} pages, {collection.count_indexed()} in the index")
        for url in sorted(pages):
            number = site.number(url.removeprefix(site.origin))
            if number is None:
                problems.append(f"{url}: not a page of the site")
                continue
            found = [hit.url for hit in collection.search(site.word(number)).hits]
            if found.count(url) != 1:
                problems.append(f"{url}: {found.count(url)} times in the index")
        missing = {site.origin + site.path(number) for number in site.answered} - pages
        problems += [f"{url}: served, but not in the catalogue" for url in sorted(missing)]
        print(f"{len(pages)} pages in the catalogue, {collection.count_indexed()} in the index")
    return problems


def main() -> int:
    """Kill, let the crawl end, compare."""
    parser = argparse.ArgumentParser(description="Kill the indexer and count what is left.")
    parser.add_argument("--kills", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, growing_site(MOST_PAGES) as site:
        directory = Path(place, "collection")
        killed, gave_up, codes = kill_again_and_again(site, directory, options.kills)
        print(f"killed {killed} times; the crawl gave up and was started again {gave_up} times "
              f"(exit codes {codes})")  # fmt: skip
        problems = compare(site, directory)
    for problem in problems[:20]:
        print(f"BROKEN  {problem}")
    if not problems:
        print("kept    nothing is missing, nothing is there twice")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
