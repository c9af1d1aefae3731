"""A million small documents: how long a search takes then, and how much memory.

    python -m bench.million DIR [--documents 1000000] [--keep]

DIR must not exist; the collection is made there, and removed at the end. Words are made up, and
come as often as words do (Zipf). Queries have two or three words, frequent and rare ones. A fresh
process asks them, one after the other, ten hits with snippets each.
"""

import argparse
import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import telusur

VOCABULARY = 100_000
WORDS, TITLE_WORDS = 40, 4
AT_ONCE = 20_000
DISK_BYTES_A_DOCUMENT = 4_000
# A language's most frequent words are stop words, which nobody looks for.
ASKED_RANKS = (20, 50_000)
QUERIES, WARM_UP = 2_000, 50
MOST_P99_MS, MOST_MB = 60.0, 1_000.0

_SYLLABLES = [first + second for first in "bdfgklmnprst" for second in ("a", "e", "i", "o", "u")]


def make_word(rank: int) -> str:
    """Return the made-up word of a rank: short ones for frequent words, as in every language."""
    syllables = ""
    rank += len(_SYLLABLES)
    while rank:
        rank, digit = divmod(rank, len(_SYLLABLES))
        syllables += _SYLLABLES[digit]
    return syllables


def make_documents(number: int) -> Iterator[telusur.Document]:
    """Yield the documents, always the same ones."""
    words = [make_word(rank) for rank in range(VOCABULARY)]
    steps = np.cumsum(1 / np.arange(1, VOCABULARY + 1))
    chance = np.random.default_rng(1)
    for start in range(0, number, AT_ONCE):
        drawn = chance.random((min(AT_ONCE, number - start), WORDS + TITLE_WORDS)) * steps[-1]
        for offset, ranks in enumerate(np.searchsorted(steps, drawn)):
            chosen = [words[rank] for rank in ranks]
            yield telusur.Document(
                url=f"http://site{(start + offset) % 1000}.invalid/{start + offset}",
                title=" ".join(chosen[:TITLE_WORDS]),
                text=" ".join(chosen[TITLE_WORDS:]) + ".",
                language="en",
            )


def make_queries() -> list[str]:
    """Return queries whose words are as often from the tens as from the ten thousands."""
    chance = random.Random(2)
    low, high = ASKED_RANKS

    def word() -> str:
        return make_word(int(low * (high / low) ** chance.random()))

    return [" ".join(word() for _ in range(chance.choice((2, 3)))) for _ in range(QUERIES)]


def build(directory: Path, number: int) -> float:
    """Index everything, some thousands at a time; return the CPU seconds."""
    started = time.process_time()
    documents = make_documents(number)
    done = 0
    with telusur.open(directory) as collection:
        while done < number:
            done += collection.add(next(documents) for _ in range(min(AT_ONCE, number - done)))
            spent = time.process_time() - started
            print(f"\r{done:,} documents, {spent:,.0f} CPU-s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return time.process_time() - started


def ask(directory: Path) -> dict[str, Any]:
    """Ask all queries; return the times in milliseconds and what the process then holds."""
    wall, cpu, found = [], [], 0
    queries = make_queries()
    with telusur.open(directory) as collection:
        for query in queries[:WARM_UP]:
            collection.search(query)
        for query in queries:
            at, used = time.perf_counter(), time.process_time()
            found += bool(collection.search(query).hits)
            wall.append(1000 * (time.perf_counter() - at))
            cpu.append(1000 * (time.process_time() - used))
        return {"wall": sorted(wall), "cpu": sorted(cpu), "found": found, "memory": _memory_mb()}


def _memory_mb() -> dict[str, float]:
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    values = (line.partition(":") for line in lines)
    return {name: int(rest.split()[0]) / 1000 for name, _, rest in values}


def report(answer: dict[str, Any]) -> bool:
    """Print the figures and how they stand against what was promised."""
    wall, cpu, memory = answer["wall"], answer["cpu"], answer["memory"]

    def at(values: list[float], share: float) -> float:
        return values[min(len(values) - 1, int(len(values) * share))]

    print(f"{len(wall):,} queries, {answer['found']:,} with hits")
    for name, values in (("wall", wall), ("CPU", cpu)):
        print(f"{name} ms: p50 {at(values, 0.5):.2f}, p90 {at(values, 0.9):.2f}, "
              f"p99 {at(values, 0.99):.2f}, most {values[-1]:.2f}")  # fmt: skip
    print(f"memory: RSS {memory['Rss']:.0f} MB, PSS {memory['Pss']:.0f} MB; "
          f"{memory['Anonymous']:.0f} MB of it are its own, the rest are files")  # fmt: skip
    p99 = at(wall, 0.99)
    verdicts = [
        (p99 <= MOST_P99_MS, f"p99 {p99:.1f} ms (at most {MOST_P99_MS:.0f})"),
        (memory["Rss"] <= MOST_MB, f"memory {memory['Rss']:.0f} MB (at most {MOST_MB:.0f})"),
    ]
    for is_kept, sentence in verdicts:
        print("reached" if is_kept else "MISSED ", sentence)
    return all(is_kept for is_kept, _ in verdicts)


def main() -> int:
    """Build, ask in a fresh process, report, tidy up."""
    parser = argparse.ArgumentParser(description="Search a million made-up documents.")
    parser.add_argument("directory", type=Path, metavar="DIR")
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--keep", action="store_true", help="leave the collection there")
    parser.add_argument("--ask", action="store_true", help="only ask a collection that was kept")
    parser.add_argument("--json", action="store_true", help="with --ask: all times")
    options = parser.parse_args()
    if options.ask:
        answer = ask(options.directory)
        if options.json:
            print(json.dumps(answer))
            return 0
        return 0 if report(answer) else 1
    if options.directory.exists():
        parser.error(f"{options.directory} exists; name a directory that does not.")
    needed = options.documents * DISK_BYTES_A_DOCUMENT
    if shutil.disk_usage(options.directory.resolve().parent).free < needed:
        parser.error(f"{needed / 1e9:.1f} GB of disk should be free for that many documents.")
    try:
        seconds = build(options.directory, options.documents)
        size = sum(path.stat().st_size for path in options.directory.rglob("*") if path.is_file())
        print(f"{options.documents:,} documents of {WORDS} words: {seconds:,.0f} CPU-s, "
              f"{size / 1e6:,.0f} MB on disk")  # fmt: skip
        command = [sys.executable, "-m", "bench.million", options.directory, "--ask", "--json"]
        asked = subprocess.run(command, capture_output=True, check=True)
        return 0 if report(json.loads(asked.stdout)) else 1
    finally:
        if not options.keep:
            shutil.rmtree(options.directory, ignore_errors=True)


if __name__ == "__main__":
    raise SystemExit(main())
