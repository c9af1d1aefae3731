"""How well everybody ranks: nDCG@10 side by side, `python -m bench.relevance DATA_DIR CACHE_DIR`.

DATA_DIR/relevance/NAME (or DATA_DIR/NAME) holds corpus.jsonl, queries.jsonl and qrels/test.tsv,
plain or as .xz. The peers are installed into CACHE_DIR once. See docs/benchmarks.md.
"""

import argparse
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.relevance.judged import (
    DEPTH,
    ndcg,
    read_documents,
    read_judgements,
    read_queries,
)
from bench.search_peers.environment import (
    Peers,
    Task,
    make_peers,
    run_engine,
    versions,
    write_lines,
)
from bench.search_peers.options import read_options

CLASSICS = ("cranfield", "med", "cisi", "cacm")
OTHERS = ("xquad-en", "handbook-id")
LANGUAGES = {"handbook-id": "indonesian"}
# The best lexical engine on each when the target was set.
LEAST = {"cranfield": 0.365, "med": 0.705, "cisi": 0.396, "cacm": 0.494}
LEAST_ABOVE_BM25S = 0.01
# The least mean of the classics by each model.
LEAST_SEMANTIC = {"semantic=true": 0.51, "semantic=transformer": 0.53}


@dataclass(slots=True, frozen=True)
class Contestant:
    """An engine in one setting."""

    name: str
    engine: str
    options: dict[str, Any]


def main() -> int:
    """Read the arguments, let everybody rank, print the table and how Telusur stands."""
    options = _options()
    data = Path(options.data)
    data = data / "relevance" if (data / "relevance").is_dir() else data
    names = options.collection or [*CLASSICS, *OTHERS]
    missing = [name for name in names if not (data / name / "qrels").is_dir()]
    if missing:
        print(f"{data} has no test collection named {', '.join(missing)}.", file=sys.stderr)
        return 2
    cache = Path(options.cache).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    peers = make_peers(cache)
    wanted = contestants(options.also, options.semantic, peers)
    if options.only:
        wanted = [one for one in wanted if one.engine in options.only]
    print(f"nDCG@{DEPTH}; {versions(peers)}\n")
    scores: dict[str, dict[str, float]] = {one.name: {} for one in wanted}
    for name in names:
        for contestant, score in measure(data / name, wanted, peers, cache):
            scores[contestant.name][name] = score
        print(f"{name} is done", file=sys.stderr, flush=True)
    print(table(scores, names))
    return 0 if judge(scores) else 1


def contestants(also: list[str], semantic: bool, peers: Peers) -> list[Contestant]:
    """Return Telusur as it is, Telusur with other options, and the peers."""
    more = [*also, "semantic=true"] if semantic else also
    return [
        Contestant("telusur", "telusur", {}),
        *(Contestant(f"telusur {words}", "telusur", read_options(words)) for words in more),
        *(Contestant(name, name, {}) for name in peers.names),
    ]


def measure(
    directory: Path, wanted: list[Contestant], peers: Peers, cache: Path
) -> list[tuple[Contestant, float]]:
    """Return the mean nDCG of everybody on one collection."""
    judged = read_judgements(directory)
    queries = read_queries(directory, judged)
    found = []
    with tempfile.TemporaryDirectory(dir=cache, prefix="relevance-") as place:
        task = Task(
            write_lines(Path(place, "documents.jsonl"), read_documents(directory)),
            write_lines(Path(place, "queries.jsonl"), queries),
            Path(place),
            DEPTH,
            LANGUAGES.get(directory.name, "english"),
        )
        for one in wanted:
            answer = run_engine(one.engine, replace(task, options=one.options), peers)
            scores = [
                ndcg(ids, judged[query["id"]])
                for ids, query in zip(answer["found"], queries, strict=True)
            ]
            found.append((one, sum(scores) / len(scores)))
    return found


def table(scores: dict[str, dict[str, float]], names: list[str]) -> str:
    """Return everybody's figures as a Markdown table; differences are to the first row."""
    classics = [name for name in names if name in CLASSICS]
    head = "| engine | " + " | ".join(names) + " | mean of the classics | Telusur is above by |"
    lines = [head, "|---|" + "---:|" * (len(names) + 2)]
    first = next(iter(scores.values()))
    for name, row in scores.items():
        figures = " | ".join(f"{row[one]:.3f}" for one in names)
        mean, base = _mean(row, classics), _mean(first, classics)
        lines.append(f"| {name} | {figures} | {mean:.3f} | {base - mean:+.3f} |")
    return "\n".join(lines)


def judge(scores: dict[str, dict[str, float]]) -> bool:
    """Print how Telusur stands against what was promised."""
    ours = scores.get("telusur")
    if ours is None or any(name not in ours for name in CLASSICS):
        return True
    verdicts = []
    for name, least in LEAST.items():
        best = max([least, *(row[name] for peer, row in scores.items() if "telusur" not in peer)])
        verdicts.append((ours[name] >= best, f"{name}: {ours[name]:.3f}, best peer {best:.3f}"))
    for peer in [name for name in scores if name.startswith("bm25s")]:
        above = _mean(ours, CLASSICS) - _mean(scores[peer], CLASSICS)
        sentence = f"mean {above:+.3f} above {peer} (least {LEAST_ABOVE_BM25S:+.3f})"
        verdicts.append((above >= LEAST_ABOVE_BM25S, sentence))
    for words, least in LEAST_SEMANTIC.items():
        if (fused := scores.get(f"telusur {words}")) is not None:
            mean = _mean(fused, CLASSICS)
            verdicts.append((mean >= least, f"{words}: mean {mean:.3f} (least {least})"))
    print()
    for is_kept, sentence in verdicts:
        print("reached" if is_kept else "MISSED ", sentence)
    return all(is_kept for is_kept, _ in verdicts)


def _mean(row: dict[str, float], names: "list[str] | tuple[str, ...]") -> float:
    return sum(row[name] for name in names) / max(1, len(names))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="relevance", description="Compare rankings.")
    parser.add_argument("data", metavar="DATA_DIR", help="has relevance/NAME in BEIR layout")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where the peers are kept")
    parser.add_argument("--collection", action="append", metavar="NAME", help="only this one")
    parser.add_argument("--only", action="append", metavar="ENGINE", help="only this engine")
    parser.add_argument(
        "--also", action="append", default=[], metavar="NAME=VALUE,...",
        help="a row of Telusur with these options of Collection.search",
    )  # fmt: skip
    parser.add_argument("--semantic", action="store_true", help="the same as --also semantic=true")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
