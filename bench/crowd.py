"""Fifty people search while others try to keep the server busy: `python -m bench.crowd`.

A real `telusur serve` shows made-up pages, and a real crawl of a site on loopback writes beside
them. Fifty people search from 127.0.0.1. From other addresses of this machine strangers hold 500
connections on which they send half a request, and ask for 100 streams of events; whoever is
closed or refused comes again. Prints what became of them; a search that fails is a failure.
"""

import argparse
import asyncio
import itertools
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import telusur
from bench.endless_server import WORDS
from bench.growing_site import growing_site, start_crawl
from bench.load import CRAWL_FLAGS, MOST_PAGES, WARM_UP_SECONDS, People, percentile, serving

PAGES = 3_000
AGAIN_SECONDS = 0.5
HALF_A_HEAD = "GET /search.json?q=a HTTP/1.1\r\nHost: {host}\r\n"
STREAM = "GET /crawls/crawl/events HTTP/1.1\r\nHost: {host}\r\n\r\n"


class Strangers:
    """Those who want to be in the way, each with a place of his own among the addresses."""

    def __init__(self, address: str, addresses: int, until: float) -> None:
        self._host = urlsplit(address).netloc
        self._sources = itertools.cycle(f"127.0.0.{2 + n}" for n in range(addresses))
        self._until = until
        self.tries: Counter[str] = Counter()
        self.held: Counter[str] = Counter()
        self.most_held: Counter[str] = Counter()

    async def besiege(self, half_open: int, streams: int) -> None:
        """Hold so many connections and ask for so many streams, until the time is over."""
        wishes = [("half-open", HALF_A_HEAD)] * half_open + [("streams", STREAM)] * streams
        await asyncio.gather(
            *(self._hold(kind, text, next(self._sources)) for kind, text in wishes)
        )

    async def _hold(self, kind: str, text: str, source: str) -> None:
        while time.monotonic() < self._until:
            self.tries[f"{kind} tried"] += 1
            try:
                await self._hold_once(kind, text, source)
            except OSError:
                self.tries[f"{kind} closed"] += 1
            await asyncio.sleep(AGAIN_SECONDS)

    async def _hold_once(self, kind: str, text: str, source: str) -> None:
        name, _, port = self._host.rpartition(":")
        reader, writer = await asyncio.open_connection(name, int(port), local_addr=(source, 0))
        writer.write(text.format(host=self._host).encode())
        self.held[kind] += 1
        self.most_held[kind] = max(self.most_held[kind], self.held[kind])
        ending = "unanswered at the end"
        try:
            async with asyncio.timeout_at(asyncio.get_running_loop().time() + self._left()):
                head = await reader.readline()
                ending = "answered to the end"
                if head and b" 200 " not in head:
                    self.tries[f"{kind} refused ({head.split()[1].decode()})"] += 1
                    return
                while await reader.read(65536):
                    pass
                self.tries[f"{kind} closed"] += 1
        except TimeoutError:
            self.tries[f"{kind} {ending}"] += 1
        finally:
            self.held[kind] -= 1
            writer.transport.abort()

    def _left(self) -> float:
        return max(self._until - time.monotonic(), 0.1)


def make_pages(directory: Path) -> None:
    """Make a collection of pages with words drawn by lot."""
    pick = random.Random(1).choices
    with telusur.open(directory) as collection:
        collection.add(
            telusur.Document(
                url=f"http://crowd.invalid/{number}",
                title=" ".join(pick(WORDS, k=4)),
                text=" ".join(pick(WORDS, k=200)),
            )
            for number in range(PAGES)
        )


def make_queries() -> Iterator[str]:
    """Yield queries of two words without end."""
    pick = random.Random(2).choices
    while True:
        yield " ".join(pick(WORDS, k=2))


async def search_besieged(address: str, options: argparse.Namespace) -> tuple[People, Strangers]:
    """Let people search and strangers be in the way, all at the same time."""
    until = time.monotonic() + options.seconds
    strangers = Strangers(address, options.addresses, until)
    people = People(address, options.think, make_queries(), road="/in/pages/search.json")
    siege = asyncio.create_task(strangers.besiege(options.half_open, options.streams))
    await asyncio.sleep(min(WARM_UP_SECONDS, options.seconds / 4))
    await people.search(options.users, until - time.monotonic())
    await siege
    return people, strangers


def report(people: People, strangers: Strangers, crawled: int) -> bool:
    """Print what became of all of them, and tell whether every search was answered."""
    for kind in ("half-open", "streams"):
        counted = {name: n for name, n in sorted(strangers.tries.items()) if name.startswith(kind)}
        told = ", ".join(f"{n:,} {name.removeprefix(kind).strip()}" for name, n in counted.items())
        print(f"{kind}: {told}; at most {strangers.most_held[kind]:,} connected at once")
    answers = people.answers
    if not answers.all_ms:
        print(f"No answer at all; {answers.errors[:1]}")
        return False
    p50, p95, p99 = (percentile(answers.all_ms, share) for share in (50, 95, 99))
    print(f"{len(answers.all_ms):,} searches answered, {len(answers.errors)} failed, "
          f"p50 {p50:.0f} ms, p95 {p95:.0f} ms, p99 {p99:.0f} ms; "
          f"{crawled:,} pages crawled meanwhile")  # fmt: skip
    for error in sorted(set(answers.errors))[:5]:
        print("  ", error)
    return not answers.errors and crawled > 0


def main() -> int:
    """Make what is needed, let all of them come, and print how it went."""
    options = _options()
    with tempfile.TemporaryDirectory() as place, growing_site(MOST_PAGES) as site:
        make_pages(Path(place, "pages"))
        crawl = start_crawl(site, Path(place, "crawl"), *CRAWL_FLAGS)
        try:
            while not site.answered and crawl.poll() is None:
                time.sleep(0.1)
            with serving(Path(place)) as address:
                before = len(site.answered)
                people, strangers = asyncio.run(search_besieged(address, options))
            is_kept = report(people, strangers, len(site.answered) - before)
        finally:
            crawl.terminate()
            crawl.wait()
    print("reached" if is_kept else "MISSED ", "every search is answered")
    return 0 if is_kept else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="crowd", description="Search beside those in the way.")
    parser.add_argument("--users", type=int, default=50, help="how many search at once")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long")
    parser.add_argument("--think", type=float, default=0.1, help="seconds between two searches")
    parser.add_argument("--half-open", type=int, default=500, help="half-sent requests")
    parser.add_argument("--streams", type=int, default=100, help="streams of events asked for")
    parser.add_argument("--addresses", type=int, default=5, help="how many addresses they have")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
