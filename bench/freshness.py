"""How long after its answer a page can be found: `python -m bench.freshness`.

A site on loopback is crawled with the index on, slowly and as fast as it goes. Meanwhile this
program searches for words that stand on one page each, again and again until they are found.
It fails when a page is never found, or when most pages of the slow crawl are found only after its
end. Seconds are printed, and say as much about the machine.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import telusur
from bench.growing_site import GrowingSite, growing_site, start_crawl

# Name, pages and flags of each crawl, and which part of them must be found before its end.
SPEEDS = (
    ("20 pages a second", 320, ("--delay", "0.05"), 0.5),
    ("as fast as it goes", 2_000, ("--delay", "0", "--per-host", "8"), 0.0),
)
PROBES = 80
PAUSE_SECONDS = 0.1
AT_ONCE = 10
MOST_SECONDS = 5.0
# So long after the end of the crawl we look for what is still missing.
LIMIT_SECONDS = 60.0


@dataclass(frozen=True)
class Found:
    """The seconds from the answer of each page to its hit, and how many the crawl still ran."""

    delays: list[float]
    during_the_crawl: int


def measure(flags: Sequence[str], pages: int, every: int) -> Found:
    """Crawl, and look for every so manieth page."""
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
) -> Found:
    """Search for the pages that were answered, the oldest first, until all are found."""
    waiting = dict.fromkeys(numbers)
    delays: list[float] = []
    during_the_crawl, ended_at = 0, float("inf")
    while waiting:
        answered = [number for number in waiting if number in site.answered]
        for number in sorted(answered, key=lambda one: site.answered[one])[:AT_ONCE]:
            if collection.search(site.word(number)).hits:
                delays.append(time.monotonic() - site.answered[number])
                del waiting[number]
        if exit_code() is None:
            during_the_crawl = len(delays)
        else:
            ended_at = min(ended_at, time.monotonic())
        if time.monotonic() > ended_at + LIMIT_SECONDS:
            raise SystemExit(f"{len(waiting)} pages were never found, for instance "
                             f"{site.origin}{site.path(next(iter(waiting)))}.")  # fmt: skip
        time.sleep(PAUSE_SECONDS)
    return Found(delays, during_the_crawl)


def main() -> int:
    """Crawl at both speeds and print how the delays are spread."""
    is_quick = is_fresh = True
    for name, pages, flags, least in SPEEDS:
        found = measure(flags, pages, pages // PROBES)
        delays, share = sorted(found.delays), found.during_the_crawl / len(found.delays)
        p50, p90 = delays[len(delays) // 2], delays[len(delays) * 9 // 10]
        is_quick &= delays[-1] <= MOST_SECONDS
        is_fresh &= share >= least
        print(f"{name}: {len(delays)} pages looked for, p50 {p50:.2f} s, p90 {p90:.2f} s, most "
              f"{delays[-1]:.2f} s; {share:.0%} were found while the crawl ran")  # fmt: skip
    print("reached" if is_quick else "MISSED ", f"at most {MOST_SECONDS:.0f} s")
    print("PASSED" if is_fresh else "FAILED", "all pages are found, and pages of a slow crawl soon")
    return 0 if is_fresh else 1


if __name__ == "__main__":
    raise SystemExit(main())
