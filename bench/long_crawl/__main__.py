"""Speed and memory over a long crawl, as a picture: `python -m bench.long_crawl NEW_DIR SVG`.

A made web on loopback is crawled with default flags, article and index on. NEW_DIR must not exist;
the collection is made there, and left to be looked at. All processes share the machine with the
server of the web.
"""

import argparse
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.crawl_speed.measure import installed_environment, processes_of
from bench.endless_web import FLAGS, TELUSUR, endless_web
from bench.long_crawl.picture import Moment, draw

SAMPLE_SECONDS = 1.0
HOSTS = 4
_MEMORY = re.compile(r"^(Pss|Pss_File):\s+(\d+) kB", re.MULTILINE)


@dataclass(slots=True, frozen=True)
class Use:
    """Proportional set size in MB: shared pages count once. `files` can be reclaimed."""

    total: float
    files: float
    cpu: float


def main() -> int:
    """Crawl, and draw what was seen on the way."""
    options = _options()
    if options.directory.exists():
        print(f"{options.directory} exists; name a directory that does not.", file=sys.stderr)
        return 2
    with endless_web(HOSTS) as urls:
        moments = list(crawl(urls, options.directory, options.pages, options.seconds))
    last = moments[-1]
    print(
        f"{last.pages:,} pages in {last.at:,.0f} s: {last.pages / last.at:.0f} pages/s; memory at "
        f"most {max(each.memory_mb for each in moments):.0f} MB, without index files "
        f"{max(each.own_mb for each in moments):.0f} MB"
    )
    options.picture.write_text(draw(moments), encoding="utf-8")
    return 0


def crawl(urls: list[str], directory: Path, pages: int, seconds: int) -> Iterator[Moment]:
    """Run a crawl in a session of its own; yield what it has done and needs, once a second."""
    limits = ["--pages", str(pages), "--seconds", str(seconds)]
    log = directory.with_name(f"{directory.name}.log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            [TELUSUR, "crawl", *urls, "--to", directory, *FLAGS, *limits],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
            env=installed_environment(),
        )  # fmt: skip
    started, watched = time.monotonic(), Watched()
    while process.poll() is None:
        use, fetched = watched.look(process.pid), _pages_in(directory)
        if fetched:
            at = time.monotonic() - started
            yield Moment(at, fetched, use.total, use.total - use.files, use.cpu)
        time.sleep(SAMPLE_SECONDS)
    if process.returncode:
        raise SystemExit(f"The crawl failed; {log} has what it said.")


def _pages_in(directory: Path) -> int:
    database = directory / "collection.db"
    if not database.exists():
        return 0
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=30)
    try:
        (pages,) = connection.execute("SELECT coalesce(max(seq), 0) FROM pages").fetchone()
    except sqlite3.OperationalError:  # its tables are being made
        return 0
    finally:
        connection.close()
    return int(pages)


class Watched:
    """What the processes of a session use; those that have ended keep their CPU time."""

    def __init__(self) -> None:
        self._cpu: dict[int, float] = {}

    def look(self, session: int) -> Use:
        """Return the memory now and the CPU seconds so far."""
        total = files = 0.0
        for pid, cpu in processes_of(session):
            self._cpu[pid] = cpu
            try:
                found = _MEMORY.findall(Path(f"/proc/{pid}/smaps_rollup").read_text())
            except OSError:
                continue
            sizes = {name: int(number) / 1000 for name, number in found}
            total += sizes.get("Pss", 0.0)
            files += sizes.get("Pss_File", 0.0)
        return Use(total, files, sum(self._cpu.values()))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="long_crawl", description="Speed and memory over time.")
    parser.add_argument("directory", metavar="NEW_DIR", type=Path)
    parser.add_argument("picture", metavar="SVG", type=Path)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=7200, help="the crawl ends after this")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
