"""How long after its answer a page can be found: `python -m bench.freshness`.

A site on loopback is crawled with the index on, slowly and as fast as it goes. Meanwhile this
program searches for words that stand on one page each, again and again until they are found.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import telusur
from bench.growing_site import GrowingSite, growing_site, start_crawl

SPEEDS = (
    ("20 pages a second", 320, ("--delay", "0.05")),
    ("as fast as it goes", 2_000, ("--delay", "0", "--per-host", "8")),
)
"""Name, pages and flags of each crawl."""
PROBES = 80
PAUSE_SECONDS = 0.1
AT_ONCE = 10
MOST_SECONDS = 5.0
LIMIT_SECONDS = 60.0
"""So long after the end of the crawl we look for what is still missing."""


def measure(flags: Sequence[str], pages: int, every: int) -> list[float]:
    """Return the seconds from the answer to the hit, for every so manieth page."""
    with tempfile.TemporaryDirectory() as place, growing_site(pages) as site:
        directory = Path(place, "collection")
        crawl = start_crawl(site, directory, *flags)
        try:
            while not (directory / "collection.db").exists() and crawl.poll() is None:
                time.sleep(PAUSE_SECONDS)
            with telusur.open(directory) as collection:
                return _watch(collection, site, crawl.poll, range(0, pages, every))
        finally:
            crawl.terminate()
            crawl.wait()


def _watch(
    collection: telusur.Collection,
    site: GrowingSite,
    exit_code: Callable[[], int | None],
    numbers: range,
) -> list[float]:
    """Search for the pages that were answered, the oldest first, until all are found."""
    waiting = dict.fromkeys(numbers)
    delays, ended_at = [], float("inf")
    while waiting:
        answered = [number for number in waiting if number in site.answered]
        for number in sorted(answered, key=lambda one: site.answered[one])[:AT_ONCE]:
            if collection.search(site.word(number)).hits:
                delays.append(time.monotonic() - site.answered[number])
                del waiting[number]
        if exit_code() is not None:
            ended_at = min(ended_at, time.monotonic())
        if time.monotonic() > ended_at + LIMIT_SECONDS:
            raise SystemExit(f"{len(waiting)} pages were never found, for instance "
                             f"{site.origin}{site.path(next(iter(waiting)))}.")  # fmt: skip
        time.sleep(PAUSE_SECONDS)
    return delays


def main() -> int:
    """Crawl at both speeds and print how the delays are spread."""
    is_kept = True
    for name, pages, flags in SPEEDS:
        delays = sorted(measure(flags, pages, pages // PROBES))
        p50, p90 = delays[len(delays) // 2], delays[len(delays) * 9 // 10]
        is_kept &= delays[-1] <= MOST_SECONDS
        print(f"{name}: {len(delays)} pages looked for, p50 {p50:.2f} s, p90 {p90:.2f} s, "
              f"most {delays[-1]:.2f} s")  # fmt: skip
    print("reached" if is_kept else "MISSED ", f"at most {MOST_SECONDS:.0f} s")
    return 0 if is_kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
