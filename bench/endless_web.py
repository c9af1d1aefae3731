"""Memory and speed of a crawl that never ends, with default flags: article and index on.

    python bench/endless_web.py DIR [--urls 5000000] [--hosts 4]

DIR must not exist; the collection is made there, and left to be looked at. Each fifth of the way is
one line: resident memory (RSS, and PSS that counts shared pages once) over all processes of the
crawl, pages a second, and pages a CPU second, which also holds on a busy machine.
"""

import argparse
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

BENCH = Path(__file__).parent
TELUSUR = Path(sys.executable).with_name("telusur")
FLAGS = ("--delay", "0", "--per-host", "8", "--allow-private")
SAMPLE_SECONDS = 2.0
STEPS = 5
LAST_SAMPLES = 15
TICKS = os.sysconf("SC_CLK_TCK")

MOST_MB, MOST_GROWTH, LEAST_SPEED = 400, 1.10, 0.85


@dataclass(slots=True, frozen=True)
class Sample:
    """The crawl at one moment, since its start."""

    at: float
    known: int
    pages: int
    cpu: float
    rss_mb: float
    pss_mb: float


@dataclass(slots=True)
class Step:
    """One fifth of the way."""

    samples: list[Sample] = field(default_factory=list)

    @property
    def speed(self) -> float:
        """Pages a second."""
        first, last = self.samples[0], self.samples[-1]
        return (last.pages - first.pages) / max(last.at - first.at, 1e-9)

    @property
    def pages_per_cpu_second(self) -> float:
        """Pages a CPU second, over all processes of the crawl."""
        first, last = self.samples[0], self.samples[-1]
        return (last.pages - first.pages) / max(last.cpu - first.cpu, 1e-9)

    @property
    def usual_mb(self) -> float:
        """RSS at the end of the step, at the median."""
        return median(sample.rss_mb for sample in self.samples[-LAST_SAMPLES:])

    @property
    def most_mb(self) -> float:
        """RSS at the highest."""
        return max(sample.rss_mb for sample in self.samples)

    def line(self) -> str:
        """Return the row of the table."""
        last = self.samples[-1]
        pss = median(sample.pss_mb for sample in self.samples[-LAST_SAMPLES:])
        return (
            f"{last.known / 1e6:9.2f} {last.pages:9d} {self.usual_mb:9.0f} {self.most_mb:9.0f}"
            f" {pss:9.0f} {self.speed:9.0f} {self.pages_per_cpu_second:12.0f}"
        )


@contextmanager
def endless_web(hosts: int) -> Iterator[list[str]]:
    """Serve the web from a process of its own; gives the start URLs."""
    server = subprocess.Popen(
        [sys.executable, str(BENCH / "endless_server.py"), str(hosts)], stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        yield [f"http://127.0.0.{number}:{port}/" for number in range(1, hosts + 1)]
    finally:
        server.kill()
        server.wait()


@contextmanager
def crawl(urls: list[str], directory: Path, flags: list[str]) -> Iterator["Watched"]:
    """Crawl in a session of its own; at the end it is told to stop, as Ctrl-C does."""
    log = directory.with_name(f"{directory.name}.log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [TELUSUR, "crawl", *urls, "--to", directory, *FLAGS, *flags],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    watched = Watched(process, directory)
    try:
        yield watched
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(120)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        watched.close()
    print(f"The crawl ended with {process.returncode}; {log} has what it said.")


class Watched:
    """Reads what the crawl needs and has done, from outside."""

    def __init__(self, process: "subprocess.Popen[bytes]", directory: Path) -> None:
        self._process = process
        self._directory = directory
        self._started = time.monotonic()
        self._db: sqlite3.Connection | None = None
        self._cpu: dict[int, float] = {}

    def close(self) -> None:
        """Close the database."""
        if self._db is not None:
            self._db.close()

    def sample(self) -> Sample:
        """Look once."""
        if self._process.poll() is not None:
            raise SystemExit(f"The crawl ended by itself with {self._process.returncode}.")
        rss = pss = 0.0
        for pid, cpu in _processes_of(self._process.pid):
            self._cpu[pid] = cpu  # those that are gone keep what they had
            memory = _memory_of(pid)
            rss += memory.get("Rss", 0) / 1000
            pss += memory.get("Pss", 0) / 1000
        known, pages = self._numbers()
        at = time.monotonic() - self._started
        return Sample(at, known, pages, sum(self._cpu.values()), rss, pss)

    def _numbers(self) -> tuple[int, int]:
        database = self._directory / "collection.db"
        if self._db is None and database.exists():
            self._db = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)
        if self._db is None:
            return 0, 0
        (known,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM urls").fetchone()
        (pages,) = self._db.execute("SELECT coalesce(max(seq), 0) FROM pages").fetchone()
        return known, pages


def _processes_of(session: int) -> Iterator[tuple[int, float]]:
    """Walk over the processes of a session with the CPU seconds of each."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                yield int(entry.name), (int(fields[11]) + int(fields[12])) / TICKS


def _memory_of(pid: int) -> dict[str, int]:
    """Return Rss and Pss in kilobytes; nothing when the process is gone."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return {}
    return {name: int(rest.split()[0]) for name, _, rest in (x.partition(":") for x in lines)}


def watch(watched: Watched, urls: int) -> list[Step]:
    """Sample until so many URLs are known; print a line for each fifth of the way."""
    print("  million     pages    RSS MB   most MB    PSS MB   pages/s  pages/CPU-s")
    steps = []
    for number in range(1, STEPS + 1):
        step = Step([steps[-1].samples[-1]] if steps else [])
        while not step.samples or step.samples[-1].known < urls * number / STEPS:
            time.sleep(SAMPLE_SECONDS)
            sample = watched.sample()
            if sample.pages or step.samples:  # the start of the processes is nobody's speed
                step.samples.append(sample)
        print(step.line(), flush=True)
        steps.append(step)
    return steps


def judge(steps: list[Step]) -> bool:
    """Print how the crawl stands against what was promised."""
    first, last = steps[0], steps[-1]
    most = max(step.most_mb for step in steps)
    growth = max(step.usual_mb for step in steps[1:]) / first.usual_mb
    speed = last.speed / first.speed
    by_cpu = last.pages_per_cpu_second / first.pages_per_cpu_second
    verdicts = [
        (most <= MOST_MB, f"memory at most {most:.0f} MB (limit {MOST_MB})"),
        (growth <= MOST_GROWTH, f"memory grew to {growth:.2f} of the start (limit {MOST_GROWTH})"),
        (speed >= LEAST_SPEED, f"speed at the end {speed:.2f} of the start (least {LEAST_SPEED})"),
        (by_cpu >= LEAST_SPEED, f"pages a CPU second {by_cpu:.2f} of the start (the same)"),
    ]
    for is_kept, sentence in verdicts:
        print("kept  " if is_kept else "BROKEN", sentence)
    return all(is_kept for is_kept, _ in verdicts)


def main() -> int:
    """Crawl the endless web and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--urls", type=int, default=5_000_000)
    parser.add_argument("--hosts", type=int, default=4)
    parser.add_argument("flags", nargs="*", help="more flags of `telusur crawl`, after --")
    options = parser.parse_args()
    if options.directory.exists():
        parser.error(f"{options.directory} exists; name a directory that does not.")
    with (
        endless_web(options.hosts) as urls,
        crawl(urls, options.directory, options.flags) as watched,
    ):
        steps = watch(watched, options.urls)
    return 0 if judge(steps) else 1


if __name__ == "__main__":
    sys.exit(main())
