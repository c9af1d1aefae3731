"""Test collections in BEIR layout: corpus, queries, judgements; and how a ranking is scored."""

import json
import lzma
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

DEPTH = 10
_SYNTAX = str.maketrans(dict.fromkeys('"()-:*~+^/[]{}<>!?|&\\', " "))


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file that may be compressed."""
    packed = path.with_name(path.name + ".xz")
    if packed.exists():
        with lzma.open(packed, "rt", encoding="utf-8") as file:
            yield from file
    else:
        with path.open(encoding="utf-8") as file:
            yield from file


def read_documents(directory: Path) -> Iterator[dict[str, str]]:
    """Yield `id`, `title` and `text` of each document."""
    for line in read_lines(directory / "corpus.jsonl"):
        row = json.loads(line)
        yield {"id": row["_id"], "title": row.get("title") or "", "text": row["text"] or ""}


def read_judgements(directory: Path) -> dict[str, dict[str, int]]:
    """Return, by query, how relevant each judged document is."""
    judged: dict[str, dict[str, int]] = {}
    lines = read_lines(directory / "qrels" / "test.tsv")
    next(lines)
    for line in lines:
        query, document, grade = line.split("\t")
        judged.setdefault(query, {})[document] = int(grade)
    return judged


def read_queries(directory: Path, judged: dict[str, dict[str, int]]) -> list[dict[str, str]]:
    """Return the queries that have an answer."""
    rows = (json.loads(line) for line in read_lines(directory / "queries.jsonl"))
    asked = (row for row in rows if any(judged.get(row["_id"], {}).values()))
    return [{"id": row["_id"], "text": without_syntax(row["text"])} for row in asked]


def without_syntax(text: str) -> str:
    """Return a query in plain prose: its dashes and ORs were not meant for a search engine."""
    return text.translate(_SYNTAX).lower()


def ndcg(ranked: Sequence[str], grades: dict[str, int]) -> float:
    """Return the normalised discounted cumulative gain at `DEPTH`, with linear gains."""

    def gain(values: list[int]) -> float:
        return sum(value / math.log2(place + 2) for place, value in enumerate(values[:DEPTH]))

    best = gain(sorted(grades.values(), reverse=True))
    return gain([grades.get(name, 0) for name in ranked]) / best if best else 0.0
