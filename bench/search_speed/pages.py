"""The texts that are searched, and words to search them for: real pages, the same every time."""

import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import telusur
from bench.crawl_speed.pages import fetch_sites

WORD = re.compile(r"[a-z]{3,20}")
_CHANCE = 3


def fetch_pages(cache: Path, least: int) -> Path:
    """Return a file with the content of real pages, one a line; made once, with Telusur."""
    file = cache / f"content-{least}.jsonl"
    if not file.is_file():
        print("Reading the pages ...", file=sys.stderr)
        part = file.with_suffix(".part")
        with part.open("w", encoding="utf-8") as output:
            for row in _extract_all(cache, least):
                output.write(json.dumps(row, ensure_ascii=False) + "\n")
        part.rename(file)
    return file


def _extract_all(cache: Path, least: int) -> Iterator[dict[str, str]]:
    for number, site in enumerate(fetch_sites(cache, least)):
        for path in sorted(_html_files(site.root)):
            url = f"http://site{number}.invalid/{path.relative_to(site.root).as_posix()}"
            document = telusur.extract(path.read_bytes(), url)
            if document.text:
                yield {"id": url, "title": document.title, "text": document.text}


def _html_files(root: Path) -> Iterator[Path]:
    for directory, _, names in os.walk(root):
        for name in names:
            path = Path(directory, name)
            if name.endswith(".html") and path.is_file() and not path.is_symlink():
                yield path


def read_rows(file: Path) -> list[dict[str, str]]:
    """Return all pages of a file."""
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def make_queries(rows: Sequence[dict[str, str]], number: int) -> list[dict[str, str]]:
    """Return queries of two and three words that stand close together on some page.

    So frequent and rare words come as they do in the texts, and every query has an answer. Every
    second query trades a word for one of the thousand most frequent: those are the slow ones.
    """
    chance = random.Random(_CHANCE)
    frequent = _frequent_words(rows)
    queries = []
    while len(queries) < number:
        words = WORD.findall(chance.choice(rows)["text"].lower())
        length = chance.choice((2, 3))
        if len(words) < 20:
            continue
        at = chance.randrange(len(words) - 12)
        chosen = chance.sample(words[at : at + 12], length)
        if len(queries) % 2:
            chosen[0] = chance.choice(frequent)
        queries.append({"id": str(len(queries)), "text": " ".join(chosen)})
    return queries


def _frequent_words(rows: Sequence[dict[str, str]]) -> list[str]:
    """Return words that stand on the most pages of a sample, without the fifty at the top."""
    pages = Counter(word for row in rows[::20] for word in set(WORD.findall(row["text"].lower())))
    return [word for word, _ in pages.most_common(1050)[50:]]
