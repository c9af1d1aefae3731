"""What strategies cost: `python -m bench.strategies [--pages 2000] [--strategies a,b]`.

Each strategy crawls the same made-up web on eight loopback hosts, one after the other, in rounds.
Prints pages a second, CPU seconds for a thousand pages of all processes of the crawl, and both as
ratios to breadth-first: in the same round, at the median, and the best of all rounds; and what the
strategy's own part costs, in CPU microseconds a link (bench/strategy_cost.py); see
docs/benchmarks.md.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench.endless_server import WORDS
from bench.strategy_cost import measure
from telusur.crawl.strategies.by_name import STRATEGIES

PROGRAM = str(Path(sys.executable).with_name("telusur"))
BASE = "breadth-first"
# Words of the first subject.
TOPIC = " ".join(WORDS[:4])
FLAGS = ["--allow-private", "--delay", "0", "--per-host", "4", "--no-index", "--render", "never"]
HOSTS = 8


class Cost(NamedTuple):
    """What one crawl took."""

    pages: int
    wall: float
    cpu: float


def main() -> int:
    """Read the arguments, crawl in rounds, print the table."""
    options = _options()
    names = [BASE, *(name for name in options.strategies.split(",") if name != BASE)]
    costs: dict[str, list[Cost]] = {name: [] for name in names}
    with served_web() as urls:
        for _ in range(options.rounds):
            for name in names:
                costs[name].append(crawl(urls, name, options.pages))
    print(f"{options.pages} pages of {HOSTS} hosts, {options.rounds} rounds; "
          f"{os.cpu_count()} cores\n")  # fmt: skip
    print("| strategy | pages/s | ratio | best | CPU s per 1,000 pages | pages per CPU s, ratio "
          "| best | µs a link beside the parsers | in the owner |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for name in names:
        own = measure(name, TOPIC, options.pages)
        print(f"{_line(name, costs[name], costs[BASE])} {own[0]:.1f} | {own[1]:.1f} |", flush=True)
    return 0


@contextmanager
def served_web() -> Iterator[list[str]]:
    """Serve the web from a process of its own; gives the start URLs."""
    server = subprocess.Popen(
        [sys.executable, "-m", "bench.strategies_server", str(HOSTS)], stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        yield [f"http://127.0.0.{number}:{port}/" for number in range(1, HOSTS + 1)]
    finally:
        server.kill()
        server.wait()


def crawl(urls: Sequence[str], strategy: str, pages: int) -> Cost:
    """Crawl in a process of its own; time counts from its start to its end."""
    with tempfile.TemporaryDirectory(prefix="strategies-") as place:
        command = [PROGRAM, "crawl", *urls, "--to", f"{place}/c", "--pages", str(pages), *FLAGS]
        command += ["--strategy", strategy]
        command += ["--topic", TOPIC] if strategy != BASE else []
        before, started = _children_cpu(), time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        wall = time.monotonic() - started
        fetched = int(done.stdout.split(maxsplit=1)[0])
        return Cost(fetched, wall, _children_cpu() - before)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _line(name: str, costs: Sequence[Cost], base: Sequence[Cost]) -> str:
    speed = [cost.pages / cost.wall for cost in costs]
    cpu = [cost.cpu / cost.pages for cost in costs]
    ratios = [one * other.wall / other.pages for one, other in zip(speed, base, strict=True)]
    cpu_ratios = [(other.cpu / other.pages) / one for one, other in zip(cpu, base, strict=True)]
    middle = statistics.median
    best = max(speed) * min(cost.wall / cost.pages for cost in base)
    best_cpu = min(cost.cpu / cost.pages for cost in base) / min(cpu)
    return (
        f"| {name} | {middle(speed):.0f} | {middle(ratios):.2f} | {best:.2f}"
        f" | {1000 * middle(cpu):.2f} | {middle(cpu_ratios):.2f} | {best_cpu:.2f} |"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    others = [name for name in STRATEGIES if name != "topic-selective"]  # it would not go far
    parser.add_argument("--strategies", default=",".join(others))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
