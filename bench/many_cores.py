"""How far one machine goes: `python -m bench.many_cores CACHE_DIR`.

Crawls the pages of `bench.crawl_speed` with the owner alone on one core, and parsers, indexer and
server on another, and measures the CPU time of each. From these it works out how many pages per
second a machine of so many cores would reach: the owner and the indexer are one process each, the
parsers are as many as fit. What the model leaves out: memory bandwidth, and disks.
"""

import argparse
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bench.crawl_speed.contestants import compile_telusur, count_collection, telusur
from bench.crawl_speed.measure import measure, processes_of
from bench.crawl_speed.pages import fetch_sites
from bench.crawl_speed.server import serving

CORES = (1, 2, 4, 8, 16, 32)
PARSER = "parser"
SETTINGS = {"whole pipeline": (), "crawl alone": ("--content", "text", "--no-index")}
_PIN_SECONDS = 0.2

Shares = Mapping[str, float]


def main() -> int:
    """Measure both settings, and print a table for each."""
    options = _options()
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        print("This needs two cores.", file=sys.stderr)
        return 2
    compile_telusur()
    cache = Path(options.cache).resolve()
    # What is started from here inherits this: the server, and the crawl until it is pinned.
    os.sched_setaffinity(0, {cores[1]})
    with serving(fetch_sites(cache, 10_000), options.port) as urls:
        for name, flags in SETTINGS.items():
            runs = [
                run(urls, cache, options.pages, (*flags, "--workers", str(options.workers)), cores)
                for _ in range(options.rounds)
            ]
            print(describe(name, {role: median(each[role] for each in runs) for role in runs[0]}))
    return 0


def run(
    urls: list[str], cache: Path, pages: int, flags: tuple[str, ...], cores: list[int]
) -> Shares:
    """Crawl once; return the CPU milliseconds for a page by process."""
    contestant = telusur("many-cores", "", pages, *flags)
    with TemporaryDirectory(dir=cache) as directory, pinning(cores[0], cores[1]):
        target = Path(directory, "out")
        cost = measure(contestant.command(target, urls), cache / "many-cores.log", 1800)
        fetched = count_collection(target)
    if cost.exit_code:
        raise SystemExit(f"The crawl failed, see {cache / 'many-cores.log'}.")
    return {role: 1000 * seconds / fetched for role, seconds in cost.split.items()}


@contextmanager
def pinning(owners: int, others: int) -> Iterator[None]:
    """Keep the owner of a crawl on one core, and its children on another."""
    over = threading.Event()
    thread = threading.Thread(target=_pin_until, args=(over, owners, others), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _pin_until(over: threading.Event, owners: int, others: int) -> None:
    while not over.wait(_PIN_SECONDS):
        for owner in _children_of(os.getpid()):
            for pid, _ in processes_of(owner):
                _pin(pid, owners if pid == owner else others)


def _children_of(parent: int) -> list[int]:
    """Return the leaders of sessions that this process has started."""
    pids = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(pid) for pid in pids if os.getsid(int(pid)) == int(pid)]


def _pin(pid: int, core: int) -> None:
    with suppress(OSError):  # the process or a thread of it has ended
        for task in os.listdir(f"/proc/{pid}/task"):
            os.sched_setaffinity(int(task), {core})


def describe(name: str, shares: Shares) -> str:
    """Return the measured shares and what they mean on machines of several cores."""
    head = ", ".join(f"{role} {share:.2f}" for role, share in sorted(shares.items()))
    rows = [
        f"| {cores} | {speed:,.0f} | {speed / speed_on(1, shares)[0]:.1f} | {limit} |"
        for cores in CORES
        for speed, limit in [speed_on(cores, shares)]
    ]
    return "\n".join(
        [
            f"{name}: CPU ms for a page: {head}", "",
            "| cores | pages/s at most | to one core | limited by |", "|---:|---:|---:|---|",
            *rows, "",
        ]
    )  # fmt: skip


def speed_on(cores: int, shares: Shares) -> tuple[float, str]:
    """Return the pages per second that so many cores allow, and what limits them.

    All but the parsers are one process each, which uses one core at most.
    """
    limits = {role: 1000 / share for role, share in shares.items() if role != PARSER}
    limits["cores"] = 1000 * cores / sum(shares.values())
    limit = min(limits, key=lambda role: limits[role])
    return limits[limit], f"the {limit}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="many_cores", description="How far one machine goes.")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where pages are kept")
    parser.add_argument("--pages", type=int, default=0, help="pages of a crawl; 0: all of them")
    parser.add_argument("--workers", type=int, default=2, help="parser processes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--port", type=int, default=8767)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
