"""How well the real pipeline ranks: nDCG@10 on test collections in BEIR layout.

Usage: python bench/relevance.py DATA_DIR [NAME ...]
DATA_DIR/NAME holds corpus.jsonl, queries.jsonl and qrels/test.tsv, plain or as .xz.
"""

import json
import lzma
import math
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from telusur.adapters.tantivy_index import TantivyIndex
from telusur.index.contract import IndexItem
from telusur.language.detect import detect_language
from telusur.models import Document, url_id_of
from telusur.search.engine import search

CLASSICS = ("cranfield", "med", "cisi", "cacm")
DEPTH = 10


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file that may be compressed."""
    packed = path.with_name(path.name + ".xz")
    if packed.exists():
        with lzma.open(packed, "rt", encoding="utf-8") as file:
            yield from file
    else:
        with path.open(encoding="utf-8") as file:
            yield from file


def read_judgements(directory: Path) -> dict[str, dict[str, int]]:
    """Return, by query, how relevant each judged document is."""
    judged: dict[str, dict[str, int]] = {}
    lines = read_lines(directory / "qrels" / "test.tsv")
    next(lines)
    for line in lines:
        query, document, grade = line.split("\t")
        judged.setdefault(query, {})[document] = int(grade)
    return judged


def build_index(directory: Path, index: TantivyIndex) -> int:
    """Index a corpus; the URL of a document is its id."""
    rows = [json.loads(line) for line in read_lines(directory / "corpus.jsonl")]
    index.replace(make_item(row) for row in rows)
    index.commit()
    return len(rows)


def make_item(row: dict[str, str]) -> IndexItem:
    """Return a row of a corpus as the crawl would have given it."""
    text, title = row["text"] or "", row.get("title") or ""
    language = detect_language(f"{title}\n{text}")
    document = Document(title=title, text=text, language=language)
    return IndexItem(url_id_of(row["_id"]), row["_id"], document)


def without_syntax(text: str) -> str:
    """Return a query in plain prose: its quotes and dashes were not meant for a search engine."""
    return text.replace('"', " ").replace("-", " ").replace(":", " ")


def ndcg(ranked: list[str], grades: dict[str, int]) -> float:
    """Return the normalised discounted cumulative gain at `DEPTH`, with linear gains."""

    def gain(values: list[int]) -> float:
        return sum(value / math.log2(place + 2) for place, value in enumerate(values[:DEPTH]))

    best = gain(sorted(grades.values(), reverse=True))
    return gain([grades.get(name, 0) for name in ranked]) / best if best else 0.0


def measure(directory: Path) -> tuple[float, float, float]:
    """Return nDCG@10, documents indexed per CPU second, and milliseconds a query."""
    judged = read_judgements(directory)
    queries = [json.loads(line) for line in read_lines(directory / "queries.jsonl")]
    asked = [query for query in queries if any(judged.get(query["_id"], {}).values())]
    with tempfile.TemporaryDirectory() as place:
        index = TantivyIndex(Path(place))
        started = time.process_time()
        documents = build_index(directory, index)
        indexed = time.process_time()
        scores = []
        for query in asked:
            hits = search(index, without_syntax(query["text"]), limit=DEPTH).hits
            scores.append(ndcg([hit.url for hit in hits], judged[query["_id"]]))
        ended = time.process_time()
        index.close()
    rate = documents / (indexed - started)
    return sum(scores) / len(scores), rate, (ended - indexed) / len(asked) * 1000


def main() -> None:
    """Print one line a collection, and the mean."""
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    names = sys.argv[2:] or CLASSICS
    detect_language("load the model before anything is timed")
    print(f"{'':15} nDCG@10  docs/CPU-s  query ms")
    means = []
    for name in names:
        quality, rate, milliseconds = measure(Path(sys.argv[1]) / name)
        means.append(quality)
        print(f"{name:15}   {quality:.3f}  {rate:10,.0f}  {milliseconds:8.2f}")
    print(f"{'mean':15}   {sum(means) / len(means):.3f}")


if __name__ == "__main__":
    main()
