"""Fifty people search while a crawl runs: `python -m bench.load CACHE_DIR`.

A real `telusur serve` shows the pages of the search benchmark, and a real crawl of a site on
loopback writes into another collection meanwhile. Every person sends a query that nobody sent
before, waits for the whole answer, thinks, and sends the next. Prints how long answers took.
"""

import argparse
import asyncio
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote_plus, urlsplit

import telusur
from bench.growing_site import growing_site, start_crawl
from bench.search_peers.telusur_engine import meaningless
from bench.search_speed.pages import fetch_pages, make_queries, read_rows

MOST_P95_MS = 150.0
MOST_PAGES = 20_000
CRAWL_FLAGS = ("--delay", "0.02", "--per-host", "2")
WARM_UP_SECONDS = 2.0
LONGEST_ANSWER_SECONDS = 10.0
_TELUSUR = Path(sys.executable).with_name("telusur")


@dataclass(slots=True)
class Answers:
    """What came back: milliseconds to the end of each answer, and what went wrong."""

    all_ms: list[float] = field(default_factory=list)
    first_byte_ms: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def make_collection(directory: Path, rows: Sequence[dict[str, str]]) -> None:
    """Make the collection that is searched, or bring its index up to date."""
    with telusur.open(directory) as collection:
        if collection.counts().documents != len(rows):
            print("Indexing the pages ...", file=sys.stderr)
            collection.add(
                telusur.Document(
                    url=f"http://qxz.invalid/{meaningless(n)}", title=row["title"], text=row["text"]
                )
                for n, row in enumerate(rows)
            )
        collection.search("a first search, so that an index of an older format is made anew")


@contextmanager
def serving(directory: Path, *flags: str) -> Iterator[str]:
    """Serve a collection as long as the block runs; yields the address."""
    command = [_TELUSUR, "serve", "--in", directory, "--port", "0", "--rate-limit", "0", *flags]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if "http://" in line:
                yield "http://" + line.split("http://")[1].split()[0]
                return
        raise SystemExit("telusur serve did not start.")
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


class People:
    """Those who search one address, each over a connection of his own."""

    def __init__(
        self, address: str, think: float, queries: Iterator[str], road: str = "/search.json"
    ) -> None:
        self._host = urlsplit(address).netloc
        self._road = road
        self._think = think
        self._queries = queries
        self._until = 0.0
        self.answers = Answers()

    async def search(self, users: int, seconds: float) -> None:
        """Let so many search until the time is over; they do not begin all at once."""
        self._until = time.monotonic() + seconds
        await asyncio.gather(*(self._search(self._think * n / users) for n in range(users)))

    async def _search(self, begin: float) -> None:
        await asyncio.sleep(begin)
        name, _, port = self._host.rpartition(":")
        reader, writer = await asyncio.open_connection(name, int(port))
        try:
            while time.monotonic() < self._until:
                await self._ask(reader, writer, next(self._queries))
                await asyncio.sleep(self._think)
        except (OSError, EOFError) as error:  # a time limit is an OSError
            self.answers.errors.append(f"{type(error).__name__} {error}")
        writer.close()

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, query: str
    ) -> None:
        target = f"{self._road}?q={quote_plus(query)}"
        started = time.perf_counter()
        writer.write(f"GET {target} HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode())
        async with asyncio.timeout(LONGEST_ANSWER_SECONDS):
            status, first = await _read_answer(reader)
        self.answers.all_ms.append(1000 * (time.perf_counter() - started))
        self.answers.first_byte_ms.append(1000 * (first - started))
        if status != "200":
            self.answers.errors.append(f"status {status}")


async def _read_answer(reader: asyncio.StreamReader) -> tuple[str, float]:
    """Read an answer whole; return its status and when its first byte came."""
    head = await reader.readuntil(b"\r\n")
    first = time.perf_counter()
    rest = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(rest.split(b"content-length:")[1].split(b"\r\n")[0])
    await reader.readexactly(length)
    return head.split()[1].decode(), first


def percentile(values: Sequence[float], share: int) -> float:
    """Return the value that so many per cent do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * share // 100)]


def report(answers: Answers, options: argparse.Namespace, crawled: int) -> bool:
    """Print how long it took, and tell whether that is what was promised."""
    if not answers.all_ms:
        print(f"No answer at all; {answers.errors[:1]}")
        return False
    p50, p95, p99 = (percentile(answers.all_ms, share) for share in (50, 95, 99))
    first = percentile(answers.first_byte_ms, 95)
    print(f"{options.users} people, {options.think:g} s between searches, {options.seconds:g} s: "
          f"{len(answers.all_ms):,} searches ({len(answers.all_ms) / options.seconds:,.0f}/s), "
          f"p50 {p50:.0f} ms, p95 {p95:.0f} ms (first byte {first:.0f}), p99 {p99:.0f} ms; "
          f"{len(answers.errors)} errors; {crawled:,} pages crawled meanwhile")  # fmt: skip
    for error in sorted(set(answers.errors))[:5]:
        print("  ", error)
    is_kept = p95 <= MOST_P95_MS and not answers.errors and crawled > 0
    print("reached" if is_kept else "MISSED ", f"p95 at most {MOST_P95_MS:.0f} ms, no errors")
    return is_kept


def main() -> int:
    """Make what is needed, let them search while a crawl runs, and print how it went."""
    options = _options()
    cache = Path(options.cache).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    rows = read_rows(fetch_pages(cache, 10_000))
    number = int(options.seconds * 2_000)
    queries = iter(dict.fromkeys(query["text"] for query in make_queries(rows, number)))
    make_collection(cache / "load-pages", rows)
    with (
        tempfile.TemporaryDirectory(dir=cache) as place,
        growing_site(MOST_PAGES) as site,
        serving(cache / "load-pages") as address,
    ):
        crawl = start_crawl(site, Path(place, "collection"), *CRAWL_FLAGS)
        try:
            while not site.answered and crawl.poll() is None:
                time.sleep(0.1)
            time.sleep(WARM_UP_SECONDS)
            before = len(site.answered)
            people = People(address, options.think, queries)
            asyncio.run(people.search(options.users, options.seconds))
            return 0 if report(people.answers, options, len(site.answered) - before) else 1
        finally:
            crawl.terminate()
            crawl.wait()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="load", description="Search with fifty people at once.")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where pages and the index are kept")
    parser.add_argument("--users", type=int, default=50, help="how many search at once")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long")
    parser.add_argument("--think", type=float, default=0.0, help="seconds between two searches")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
