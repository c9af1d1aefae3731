"""How well hits are grouped by topic: `python -m bench.topics DATA_DIR`.

Abstracts of four fields become one collection. Words that several fields use are searched for, and
the groups of the best 100 hits are compared with the fields they come from (B-cubed).
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import telusur
from bench.relevance.judged import read_documents

FIELDS = ("cranfield", "med", "cisi", "cacm")
WORDS = (
    "cell", "transfer", "pressure", "memory", "language", "network", "culture", "boundary",
    "model", "function", "growth", "separation", "program", "service", "response", "test",
    "blood", "analysis", "plate", "record",
)  # fmt: skip


def main() -> int:
    """Group the hits of every word, print a line for each, and the means."""
    parser = argparse.ArgumentParser(prog="topics", description=__doc__)
    parser.add_argument("data", metavar="DATA_DIR", help="has relevance/NAME in BEIR layout")
    data = Path(parser.parse_args().data)
    data = data / "relevance" if (data / "relevance").is_dir() else data
    missing = [name for name in FIELDS if not (data / name / "qrels").is_dir()]
    if missing:
        print(f"{data} has no test collection named {', '.join(missing)}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as place, telusur.open(Path(place, "c")) as collection:
        for field in FIELDS:
            collection.add(
                telusur.Document(f"http://{field}.invalid/{n}", row["title"], text=row["text"])
                for n, row in enumerate(read_documents(data / field))
            )
        rows = [measure(collection, word) for word in WORDS]
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    print("{:12} P {:.2f}  R {:.2f}  {:4.1f} groups  {:4.1f} ms CPU".format("mean", *means))
    return 0


def measure(collection: telusur.Collection, word: str) -> tuple[float, float, float, float]:
    """Return precision, recall, number of groups, and what grouping costs in milliseconds."""
    collection.search(word, limit=100, per_site=0)
    begun = time.process_time()
    collection.search(word, limit=1, per_site=0)
    plain = time.process_time()
    collection.search(word, limit=1, per_site=0, group="topic")
    milliseconds = 1000 * (time.process_time() - plain - (plain - begun))
    groups = collection.search(word, limit=100, per_site=0, group="topic").groups
    print(f"{word:12}", "; ".join(f"{group.name} ({group.total})" for group in groups))
    labels, truth = [], []
    for number, group in enumerate(groups):
        for hit in group.hits:
            labels.append(number if group.name != "other" else -1 - len(labels))
            truth.append(hit.site)
    return b_cubed(labels, truth), b_cubed(truth, labels), len(groups), milliseconds


def b_cubed(labels: Sequence[object], truth: Sequence[object]) -> float:
    """Return the mean share of a hit's group that is of its kind; swapped, that is recall."""
    shares = []
    for label, kind in zip(labels, truth, strict=True):
        group = [other for one, other in zip(labels, truth, strict=True) if one == label]
        shares.append(group.count(kind) / len(group))
    return sum(shares) / len(shares)


if __name__ == "__main__":
    raise SystemExit(main())
