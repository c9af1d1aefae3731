"""Focused crawling: `python -m bench.focus DATA_DIR CACHE_DIR --strategies focused,shark-search`.

Serves encyclopedia pages on loopback and lets the real crawler, `telusur crawl`, look for each
topic from near and from far seeds, one request at a time, until it has fetched a tenth of the
pages it could reach. Prints, as the mean over topics, how many of the relevant pages it had found
after 5 and 10 %, and the share of relevant pages among the first 1 %; see docs/benchmarks.md.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import telusur
from bench.focus.pages import Topic, Web, path_of, read_topics, read_web
from bench.focus.server import serving

PROGRAM = str(Path(sys.executable).with_name("telusur"))
KINDS = ("near", "far")
# What a simulation of the same topics reached; for focused, what is asked for.
SIMULATED = {
    ("breadth-first", "near"): (0.335, 0.402), ("breadth-first", "far"): (0.037, 0.084),
    ("shark-search", "near"): (0.499, 0.647), ("shark-search", "far"): (0.465, 0.624),
    ("focused", "near"): (0.68, 0.83), ("focused", "far"): (0.65, 0.82),
    ("focused+labels", "near"): (0.76, 0.89), ("focused+labels", "far"): (0.76, 0.89),
}  # fmt: skip
# Behind the name of a strategy: it is shown all labels.
LABELS = "+labels"


@dataclass(slots=True, frozen=True)
class Score:
    """One crawl: recall after 5 and 10 % of the reachable pages, harvest over the first 1 %."""

    recall_5: float
    recall_10: float
    harvest_1: float


def main() -> int:
    """Read the arguments, crawl, print a line for each strategy and kind of seeds."""
    options = _options()
    data, cache = Path(options.data), Path(options.cache)
    data = data / "focus" if (data / "focus").is_dir() else data
    web = read_web(data, cache)
    topics = [t for t in read_topics(data) if not options.topics or t.name in options.topics]
    print("| strategy | seeds | recall 5 % | recall 10 % | harvest 1 % | simulated | pages/s |")
    print("|---|---|---|---|---|---|---|")
    with serving(web) as origin:
        for strategy in options.strategies.split(","):
            for kind in options.seeds.split(","):
                started, pages, scores = time.monotonic(), 0, []
                for topic in topics:
                    order = crawl(web, topic, kind, strategy, origin=origin, more=options.more)
                    scores.append(score(web, topic, kind, order))
                    pages += len(order)
                    if options.each:
                        print(f"{strategy} {kind} {topic.name} {scores[-1]}", flush=True)
                speed = pages / (time.monotonic() - started)
                print(_line(strategy, kind, scores, speed), flush=True)
    return 0


def crawl(
    web: Web, topic: Topic, kind: str, strategy: str, *, origin: str, more: Sequence[str]
) -> list[str]:
    """Let the crawler look for a topic; return the pages in the order they were fetched."""
    seeds = topic.seeds[kind]
    budget = math.ceil(0.10 * len(web.reachable(seeds)))
    with tempfile.TemporaryDirectory(prefix="focus-") as place:
        command = [PROGRAM, "crawl", *(origin + seed for seed in seeds)]
        command += ["--to", f"{place}/c", "--pages", str(budget), "--topic", topic.query]
        command += ["--strategy", strategy.removesuffix(LABELS), "--per-host", "1", "--delay", "0"]
        command += ["--allow-private", "--no-index", "--render", "never", *more]
        if strategy.endswith(LABELS):
            Path(place, "labels").write_text(_labels(web, topic, origin))
            command += ["--labels", f"{place}/labels"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
        with telusur.open(f"{place}/c") as collection:
            return [path_of(row["url"]) for row in collection.pages() if row["status"] == 200]


def _labels(web: Web, topic: Topic, origin: str) -> str:
    return "\n".join(
        f"{'good' if topic.name in topics else 'bad'} {origin}{quote(path)}"
        for path, topics in web.topics.items()
    )


def score(web: Web, topic: Topic, kind: str, order: Sequence[str]) -> Score:
    """Count what a crawl found."""
    reachable = web.reachable(topic.seeds[kind])
    relevant = {path for path in reachable if topic.name in web.topics[path]}
    size = len(reachable)

    def found(share: float) -> int:
        return len(relevant.intersection(order[: math.ceil(share * size)]))

    first = math.ceil(0.01 * size)
    return Score(found(0.05) / len(relevant), found(0.10) / len(relevant), found(0.01) / first)


def _mean(numbers: Iterable[float]) -> float:
    values = list(numbers)
    return sum(values) / len(values)


def _line(strategy: str, kind: str, scores: Sequence[Score], speed: float) -> str:
    means = [_mean(getattr(s, name) for s in scores) for name in Score.__slots__]
    simulated = SIMULATED.get((strategy, kind))
    shown = "" if simulated is None else f"{simulated[0]:.3f} {simulated[1]:.3f}"
    return (
        f"| {strategy} | {kind} | "
        + " | ".join(f"{mean:.3f}" for mean in means)
        + (f" | {shown} | {speed:.0f} |")
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", help="directory with topics.json and the pages")
    parser.add_argument("cache", help="where the pages made ready are kept")
    parser.add_argument("--strategies", default="breadth-first,best-first")
    parser.add_argument("--seeds", default=",".join(KINDS))
    parser.add_argument("--topics", nargs="*", default=[], help="only these topics")
    parser.add_argument("--each", action="store_true", help="also print each topic")
    parser.add_argument("--more", type=json.loads, default=[], help="more flags, a JSON list")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
