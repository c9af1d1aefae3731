"""What the frontier costs as it grows: CPU per link and resident memory, up to 5 million URLs.

    python bench/frontier.py [--urls 5000000] [--in DIR]

Each group is what the recorder writes in one transaction: 100 pages with 60 links each, of which 12
are new; of the known ones half stand on every page, most others were found lately, and one in ten
was found any time. The work of the caller, making the records, is not counted.
"""

import argparse
import random
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from telusur.backends.sqlite.database.schema import DATABASE, connect, create_database
from telusur.backends.sqlite.frontier.leases import SqliteFrontier
from telusur.crawl.frontier_records import LeasedUrl, NewUrl, Verdict
from telusur.machine.memory import return_large_blocks
from telusur.models import State, url_id_of

PAGES, NEW, ON_EVERY_PAGE, LATELY, ANY_TIME = 100, 1200, 2400, 1920, 480
HOSTS, LEASED_URLS = 50, 16
STEP = 500_000


def make_url(number: int, depth: int) -> NewUrl:
    """Return the URL of this number, always the same."""
    host = f"site{number % HOSTS}.example"
    url = f"http://{host}/section-{number % 97}/an-article-about-{number}.html"
    parent = url_id_of(str(number // NEW))
    anchor = f"An article about {number}"
    return NewUrl(url_id_of(url), url, f"http://{host}", host, depth, -depth, parent, anchor)


class Workload:
    """Adds groups to a frontier and keeps the CPU time of each kind of call."""

    def __init__(self, directory: Path, seed: int) -> None:
        create_database(directory)
        self._directory = directory
        self._db = connect(directory, read_only=False)
        self._frontier = SqliteFrontier(self._db)
        self._random = random.Random(seed)
        self._leased: deque[tuple[str, LeasedUrl]] = deque()
        self.known = 0
        self.seconds: Counter[str] = Counter()
        self.slowest = 0.0

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    def group(self) -> None:
        """Write one group as the recorder does."""
        links = [make_url(number, self._depth_of(number) + 1) for number in self._known_numbers()]
        fresh = range(self.known, self.known + NEW)
        new_urls = [make_url(number, self._depth_of(number)) for number in fresh]
        before = time.process_time()
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._timed("known", lambda: self._add(links, fresh=0))
            self._timed("new", lambda: self._add(new_urls, fresh=NEW))
            self._timed("page", self._turn_pages)
            commit = time.process_time()
        self.seconds["new"] += time.process_time() - commit
        self.slowest = max(self.slowest, time.process_time() - before)
        self.known += NEW

    def _add(self, urls: list[NewUrl], *, fresh: int) -> None:
        added = self._frontier.add(urls, 1.0)
        if added.fresh != fresh:
            raise SystemExit(f"{added.fresh} URLs were taken for new, and {fresh} are.")

    def _timed(self, kind: str, work: Callable[[], object]) -> None:
        before = time.process_time()
        work()
        self.seconds[kind] += time.process_time() - before

    def _depth_of(self, number: int) -> int:
        """A breadth-first crawl of pages with 12 new links each."""
        depth = 0
        while number:
            number //= 12
            depth += 1
        return depth

    def _known_numbers(self) -> Iterator[int]:
        if not self.known:
            return
        for _ in range(ON_EVERY_PAGE):
            yield self._random.randrange(min(300, self.known))
        for _ in range(LATELY):
            yield self._random.randrange(max(0, self.known - 20_000), self.known)
        for _ in range(ANY_TIME):
            yield self._random.randrange(self.known)

    def _turn_pages(self) -> None:
        done = [self._leased.popleft() for _ in range(min(PAGES, len(self._leased)))]
        self._frontier.settle([Verdict(leased.url_id, State.DONE) for _, leased in done], 1.0)
        left = Counter(host for host, _ in self._leased)
        for host in {host for host, _ in done if left[host] < LEASED_URLS // 2}:
            more = self._frontier.top_up(host, LEASED_URLS, 1.0)
            self._leased.extend((host, leased) for leased in more)
        for lease in self._frontier.lease(HOSTS, LEASED_URLS, 1.0):
            self._leased.extend((lease.host, leased) for leased in lease.urls)

    def report(self, groups: int) -> str:
        """Return one line of the table, and start counting anew."""
        known = ON_EVERY_PAGE + LATELY + ANY_TIME
        us = {kind: seconds * 1e6 / groups for kind, seconds in self.seconds.items()}
        size = sum(file.stat().st_size for file in self._directory.glob(f"{DATABASE}*"))
        line = (
            f"{self.known / 1e6:9.1f}  {us['known'] / known:9.2f}  {us['new'] / NEW:9.2f}"
            f"  {us['page'] / PAGES:9.2f}  {self.slowest * 1e3:9.0f}  {rss_mb():6.0f}"
            f"  {size / 1e6:6.0f}"
        )
        self.seconds.clear()
        self.slowest = 0.0
        return line


def rss_mb() -> float:
    """Return the resident memory of this process."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    return 0.0


def main() -> None:
    """Fill a frontier and print a line for each half million URLs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=5_000_000)
    parser.add_argument("--in", dest="directory", type=Path, help="where the database may lie")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    return_large_blocks()  # as the crawl does
    print("  million   us/known     us/new    us/page   ms slowest  RSS MB  disk MB")
    with (
        tempfile.TemporaryDirectory(dir=options.directory) as directory,
        closing(Workload(Path(directory), options.seed)) as workload,
    ):
        groups = 0
        while workload.known < options.urls:
            workload.group()
            groups += 1
            if workload.known % STEP < NEW:
                print(workload.report(groups), flush=True)
                groups = 0


if __name__ == "__main__":
    main()
