"""Give `telusur.extract` everything a page can be, and hold it to its limits.

    python bench/extraction_limits.py DATA_DIR [--all] [--seed 4]

The pages of DATA_DIR/extraction as they are, cut at a random place, and with flipped bytes; and the
bodies of DATA_DIR/hostile, each fetched once from its server on loopback. They are read in a child
process. Wrong is: an exception, a crash, more than 2 s of CPU time, more than 500 MB of memory.
A page that was slow is read again, twice at most, and its best time counts: the machine may have
been busy. Prints the ten slowest and the ten largest; exit code 1 when anything is wrong. Without
`--all` every page is read once and some of them mutilated, which takes about two minutes.
"""

import argparse
import json
import lzma
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from extraction_child import Child, Measured
from hostile_bodies import hostile_bodies

MOST_SECONDS = 2.0
MOST_MEGABYTES = 500
WORST_SHOWN = 10
# Without `--all`, every tenth page is mutilated.
SAMPLE_EVERY = 10
# How often a page is cut and flipped with `--all`; otherwise once.
MUTILATIONS = 3


@dataclass(slots=True, frozen=True)
class Case:
    """A body and where it comes from: its name begins with page, cut, flipped or hostile."""

    name: str
    body: bytes
    content_type: str = "text/html; charset=utf-8"
    url: str = "http://page.example/"


# The name of a case, the size of its body, and what was measured.
Row = tuple[str, int, Measured]


def page_cases(data: Path, seed: int, *, is_all: bool) -> Iterator[Case]:
    """Yield every page, and cut and flipped variants of some or all, the same ones each time."""
    with lzma.open(data / "extraction" / "wcxb_dev.jsonl.xz", "rt", encoding="utf-8") as rows:
        for number, row in enumerate(map(json.loads, rows)):
            body, name = row["html"].encode("utf-8", "surrogatepass"), row["id"]
            url = row["url"] or ""
            yield Case(f"page {name}", body, url=url)
            if not is_all and number % SAMPLE_EVERY != seed % SAMPLE_EVERY:
                continue
            for turn in range(MUTILATIONS if is_all else 1):
                chance = random.Random(f"{seed} {name} {turn}")
                yield Case(f"cut {name}/{turn}", cut(body, chance), "", url)
                yield Case(f"flipped {name}/{turn}", flip(body, chance), "", url)


def cut(body: bytes, chance: random.Random) -> bytes:
    """Return the beginning of a body, up to a random byte."""
    return body[: chance.randrange(len(body) + 1)]


def flip(body: bytes, chance: random.Random) -> bytes:
    """Return a body with up to one bit in a hundred bytes turned over."""
    flipped = bytearray(body)
    share = chance.choice((0.0001, 0.001, 0.01))
    for _ in range(1 + int(len(body) * share) if body else 0):
        flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def all_cases(data: Path, seed: int, *, is_all: bool) -> Iterator[Case]:
    """Yield everything there is to read."""
    for name, body, content_type in hostile_bodies(data):
        yield Case(f"hostile {name}", body, content_type)
    yield from page_cases(data, seed, is_all=is_all)


def measure(child: Child, case: Case) -> Measured:
    """Read a case; again when it was slow, and return the best."""
    measured = child.read(case.body, case.url, case.content_type)
    for _ in range(2):
        if measured.trouble or measured.seconds <= MOST_SECONDS:
            break
        again = child.read(case.body, case.url, case.content_type)
        measured = min(measured, again, key=lambda one: (bool(one.trouble), one.seconds))
    return measured


def violations(measured: Measured) -> list[str]:
    """Return what is wrong with one reading."""
    wrong = [measured.trouble] if measured.trouble else []
    if measured.seconds > MOST_SECONDS:
        wrong.append(f"{measured.seconds:.2f} s of CPU, at most {MOST_SECONDS:.0f}")
    if measured.megabytes > MOST_MEGABYTES:
        wrong.append(f"{measured.megabytes:.0f} MB of memory, at most {MOST_MEGABYTES}")
    return wrong


def main() -> int:
    """Read everything, print the worst, return the exit code."""
    options = _options()
    data = Path(options.data)
    if not (data / "extraction").is_dir():
        print(f"There is no {data / 'extraction'}.", file=sys.stderr)
        return 2
    seen: list[Row] = []
    wrong = 0
    with Child() as child:
        for case in all_cases(data, options.seed, is_all=options.all):
            measured = measure(child, case)
            seen.append((case.name, len(case.body), measured))
            if complaints := violations(measured):
                wrong += 1
                print(f"WRONG {case.name}: {'; '.join(complaints)}", flush=True)
    kinds = Counter(name.partition(" ")[0] for name, _, _ in seen)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    print(f"{len(seen)} bodies ({counts}); {wrong} wrong")
    show_worst("slowest", seen, key=lambda row: row[2].seconds)
    show_worst("largest", seen, key=lambda row: row[2].megabytes)
    return 1 if wrong else 0


def show_worst(title: str, seen: list[Row], key: Callable[[Row], float]) -> None:
    """Print the ten worst in one respect."""
    print(f"\n{title + ':':<32}{'CPU s':>7}{'MB':>6}{'bytes':>12}")
    for name, size, measured in sorted(seen, key=key, reverse=True)[:WORST_SHOWN]:
        print(f"{name[:31]:<32}{measured.seconds:>7.2f}{measured.megabytes:>6.0f}{size:>12,}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="extraction_limits", description="Hold telusur.extract to its limits."
    )
    parser.add_argument("data", metavar="DATA_DIR", help="has extraction/ and hostile/")
    parser.add_argument("--all", action="store_true", help="mutilate every page, several times")
    parser.add_argument("--seed", type=int, default=4, help="for what is cut and flipped")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
