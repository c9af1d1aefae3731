"""Ranking on a web with links: Python's documentation, asked what its own index asks.

    python -m bench.documentation_web CACHE_DIR

The Debian package of the documentation is unpacked into CACHE_DIR, served on loopback and crawled
by Telusur; index and search pages are left out. Queries are entries of the general index, the right
answers the pages they point to. See docs/benchmarks.md.
"""

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import telusur
from bench.crawl_speed.pages import fetch_package
from bench.documentation_web.general_index import make_queries, read_entries
from bench.relevance.judged import DEPTH, ndcg
from bench.search_peers.environment import Peers, Task, make_peers, run_engine, write_lines
from bench.search_peers.options import read_options

PACKAGES = ("python3.13-doc", "python3.11-doc")
INDEX = "genindex-all.html"
LEFT_OUT = (r"/genindex[^/]*\.html$", r"/search\.html", r"/_sources/", r"/_static/")
LEAST_ABOVE_BODY = 0.05
SETTLED = "Telusur, settled"

Queries = list[tuple[str, dict[str, int]]]


def main() -> int:
    """Crawl, ask, print one line for each way to rank."""
    options = _options()
    cache = Path(options.cache).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    root = find_documentation(fetch_package(cache, PACKAGES))
    peers = make_peers(cache)
    with tempfile.TemporaryDirectory(dir=cache, prefix="documentation-") as place:
        directory = Path(place, "collection")
        with serving(root) as origin:
            crawl(origin, directory)
        rows = read_pages(directory, origin)
        pages = frozenset(row["id"] for row in rows)
        queries = make_queries(read_entries(root / INDEX), pages, options.queries)
        links = sum(len(grades) for _, grades in queries)
        print(f"{len(rows)} pages, {len(queries)} queries with {links} right answers; "
              f"for instance: {'; '.join(words for words, _ in queries[:4])}\n")  # fmt: skip
        scores = {
            "bm25s, body only": by_engine("bm25s", body_only(rows), queries, Path(place), peers),
            "Telusur, body only": by_engine(
                "telusur", body_only(rows), queries, Path(place), peers
            ),
            "Telusur, title and body": by_engine("telusur", rows, queries, Path(place), peers),
            "Telusur as crawled": by_collection(directory, origin, queries, {}),
        }
        for words in options.also:
            name = f"Telusur as crawled, {words}"
            scores[name] = by_collection(directory, origin, queries, read_options(words))
        if settle(directory):
            scores[SETTLED] = by_collection(directory, origin, queries, {})
    return 0 if report(scores) else 1


def find_documentation(package: Path) -> Path:
    """Return the directory with the documentation's start page and general index."""
    found = [path.parent for path in package.rglob(INDEX) if not path.is_symlink()]
    if not found:
        raise SystemExit(f"{package} has no {INDEX}; is it Python's documentation?")
    return found[0]


@contextmanager
def serving(root: Path) -> Iterator[str]:
    """Serve a directory on loopback from a process of its own; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "-d", root],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()


def crawl(origin: str, directory: Path) -> None:
    """Crawl everything but the indexes, from the start page."""
    command = [
        str(Path(sys.executable).with_name("telusur")), "crawl", f"{origin}index.html", "--to",
        str(directory), "--allow-private", "--delay", "0", "--per-host", "4", "--render", "never",
    ]  # fmt: skip
    for pattern in LEFT_OUT:
        command += ["--exclude", pattern]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def read_pages(directory: Path, origin: str) -> list[dict[str, str]]:
    """Return the documents that can be found: `id` is the path, as the index writes it."""
    with telusur.open(directory) as collection:
        return [
            {"id": row["url"].removeprefix(origin), "title": row["title"], "text": row["text"]}
            for row in collection.pages()
            if row["status"] == 200 and row["text"] and not row["reason"]
        ]


def body_only(rows: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return documents that have nothing but their text."""
    return [row | {"title": ""} for row in rows]


def by_engine(
    engine: str, rows: list[dict[str, str]], queries: Queries, place: Path, peers: Peers
) -> float:
    """Return the mean nDCG of an engine that is given documents without their links."""
    asked = [{"id": str(number), "text": words} for number, (words, _) in enumerate(queries)]
    task = Task(
        write_lines(place / "documents.jsonl", rows),
        write_lines(place / "queries.jsonl", asked),
        place,
        DEPTH,
    )
    return mean(run_engine(engine, task, peers)["found"], queries)


def by_collection(directory: Path, origin: str, queries: Queries, options: dict[str, Any]) -> float:
    """Return the mean nDCG of the collection as the crawl left it."""
    with telusur.open(directory) as collection:
        found = [
            [hit.url.removeprefix(origin)
             for hit in collection.search(words, limit=DEPTH, **options).hits]
            for words, _ in queries
        ]  # fmt: skip
    return mean(found, queries)


def settle(directory: Path) -> bool:
    """Bring static rank and link texts up to date for all pages; False if Telusur cannot yet."""
    with telusur.open(directory) as collection:
        index = getattr(collection, "index", None)
        if index is not None:
            index(settle=True)
    return index is not None


def mean(found: Sequence[Sequence[str]], queries: Queries) -> float:
    """Return the mean nDCG of rankings."""
    pairs = zip(found, queries, strict=True)
    return sum(ndcg(ids, grades) for ids, (_, grades) in pairs) / len(queries)


def report(scores: dict[str, float]) -> bool:
    """Print each way to rank and how far it is above the body alone."""
    base = scores["Telusur, body only"]
    print(f"| ranking | nDCG@{DEPTH} | above body only |\n|---|---:|---:|")
    for name, score in scores.items():
        print(f"| {name} | {score:.3f} | {score - base:+.3f} |")
    above = scores.get(SETTLED, scores["Telusur as crawled"]) - base
    is_kept = above >= LEAST_ABOVE_BODY
    print(f"\n{'reached' if is_kept else 'MISSED '} {above:+.3f} (least {LEAST_ABOVE_BODY:+.3f})")
    return is_kept


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="documentation_web", description="Rank a web with links.")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where pages and peers are kept")
    parser.add_argument("--queries", type=int, default=400, help="how many to ask")
    parser.add_argument(
        "--also", action="append", default=[], metavar="NAME=VALUE,...",
        help="a row with these options of Collection.search",
    )  # fmt: skip
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
