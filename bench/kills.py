"""Kill a crawl in every way, again and again: `python -m bench.kills --kills 100`.

Whole groups of processes (`kill -9`, and SIGTERM as systemd and `timeout` send it), single parsers
and single indexers are killed at random moments while a site of known pages is crawled. At the end
nothing may be missing, nothing may be there twice, no page may have failed, and nothing may have
been asked for twice but what was under way when everything was killed.
"""

import argparse
import os
import random
import signal
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import telusur
from bench.growing_site import GrowingSite, growing_site, start_crawl
from bench.kill_indexer import compare, find_child, kill
from telusur.backends.sqlite.database.schema import DATABASE

# Slow enough that the site does not come to an end before the kills do.
FLAGS = ("--delay", "0.05")
PAGES_OF_A_KILL = 30
LIMIT_SECONDS = 300.0
# After so long it is killed, whether it has fetched anything or not.
PAUSE_SECONDS = 30.0
# What is killed, and how often of a hundred times.
TARGETS = {"parser": 40, "group": 30, "indexer": 20, "stop": 10}
MODULES = {
    "parser": b"telusur.pipeline.parsing.parser",
    "indexer": b"telusur.pipeline.indexing.indexer",
}


class Killer:
    """Keeps a crawl running and kills it, or parts of it."""

    def __init__(self, site: GrowingSite, directory: Path) -> None:
        self._site = site
        self._directory = directory
        self._chance = random.Random(5)
        self._crawl = start_crawl(site, directory, *FLAGS)
        self.kills: Counter[str] = Counter()
        self.under_way = 0
        """Pages that were answered and not written when a whole group was killed."""
        self.codes: Counter[int] = Counter()

    def run(self, kills: int) -> None:
        """Kill so often."""
        deadline = time.monotonic() + LIMIT_SECONDS + 15 * kills
        while self.kills.total() < kills:
            if time.monotonic() > deadline:
                raise SystemExit(f"Only {self.kills.total()} kills in time.")
            self._go_on()
            target = self._chance.choices([*TARGETS], [*TARGETS.values()])[0]
            time.sleep(self._chance.uniform(0.0, 0.3))
            if self._crawl.poll() is None:
                self.kills[target] += self._kill(target)

    def _go_on(self) -> None:
        """Start the crawl again if it ended, and wait until it has fetched some pages more."""
        if (code := self._crawl.poll()) is not None:
            self.codes[code] += 1
            self._crawl = start_crawl(self._site, self._directory, *FLAGS)
        enough = self._site.asked.total() + self._chance.randint(1, 40)
        until = time.monotonic() + PAUSE_SECONDS
        while self._site.asked.total() < enough and time.monotonic() < until:
            if self._crawl.poll() is not None:
                return
            time.sleep(0.01)

    def _kill(self, target: str) -> bool:
        if target in MODULES:
            pid = find_child(self._crawl.pid, MODULES[target])
            return pid is not None and kill(pid)
        os.killpg(self._crawl.pid, signal.SIGKILL if target == "group" else signal.SIGTERM)
        self._crawl.wait(LIMIT_SECONDS)
        if target == "group":
            self.under_way += self._count_lost()
        return True

    def _count_lost(self) -> int:
        """Return how many pages were answered that the collection does not know as done."""
        if not (self._directory / DATABASE).exists():
            return len(self._site.answered)
        time.sleep(0.1)  # what was sent before the kill reaches the server
        with telusur.open(self._directory) as collection:
            done = {row["url"] for row in collection.urls() if row["state"] == "done"}
        answered = {self._site.origin + self._site.path(number) for number in self._site.asked}
        return len(answered - done)

    def finish(self) -> int:
        """Stop the crawl, let another one end without a delay, and return its exit code."""
        if self._crawl.poll() is None:
            os.killpg(self._crawl.pid, signal.SIGTERM)
        self.codes[self._crawl.wait(LIMIT_SECONDS)] += 1
        self._crawl = start_crawl(self._site, self._directory, "--delay", "0")
        return self._crawl.wait(LIMIT_SECONDS)

    def close(self) -> None:
        """Leave no process behind."""
        if self._crawl.poll() is None:
            os.killpg(self._crawl.pid, signal.SIGKILL)
            self._crawl.wait()


def judge(site: GrowingSite, directory: Path, killer: Killer) -> list[str]:
    """Return what is wrong, in words."""
    problems = compare(site, directory)
    with telusur.open(directory) as collection:
        problems += [
            f"{row['url']}: {row['state']} ({row['reason']})"
            for row in collection.urls()
            if row["state"] != "done"
        ]
    missing = set(range(site.most)) - set(site.asked)
    problems += [f"{site.path(number)}: never asked for" for number in sorted(missing)]
    twice = site.asked.total() - len(site.asked)
    print(
        f"{site.asked.total()} requests for {len(site.asked)} pages: {twice} more than one each; "
        f"{killer.under_way} were under way at the {killer.kills['group']} kills of all"
    )
    if twice > killer.under_way:
        problems.append(f"{twice} pages asked for again, {killer.under_way} were under way")
    return problems


def main() -> int:
    """Kill, let the crawl end, compare."""
    parser = argparse.ArgumentParser(
        description="Kill crawls in every way, and count what is left."
    )
    parser.add_argument("--kills", type=int, default=100)
    options = parser.parse_args()
    pages = PAGES_OF_A_KILL * options.kills
    with tempfile.TemporaryDirectory() as place, growing_site(pages) as site:
        directory = Path(place, "collection")
        killer = Killer(site, directory)
        try:
            killer.run(options.kills)
            code = killer.finish()
        except subprocess.TimeoutExpired:
            print(Path(f"{directory}.log").read_text()[-2000:])
            raise
        finally:
            killer.close()
        print(f"kills: {dict(killer.kills)}; exit codes of crawls that ended meanwhile: "
              f"{dict(killer.codes)}, of the last: {code}")  # fmt: skip
        problems = judge(site, directory, killer)
    for problem in problems[:20]:
        print(f"BROKEN  {problem}")
    if not problems:
        print("kept    nothing is lost, nothing failed, nothing is there twice")
    return 1 if problems else 0


if __name__ == "__main__":
    raise SystemExit(main())
