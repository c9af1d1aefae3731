"""How often title, author and date of real pages are right, by kind of page.

Usage: python bench/metadata.py DATA_DIR [--half 0|1]
DATA_DIR/extraction/wcxb_dev.jsonl.xz holds pages with html, url, site, page_type, title, author and
date. Rules are written looking at half 0 only; sites are divided by a hash of their name. With
trafilatura installed, its figures stand beside ours.

Two texts are equal when they are after NFKC, case folding, and without differences of white space,
quotes, dashes and surrounding punctuation. Authors are compared as sets of names. "has" counts
pages that have an author or a date, "all" every page: giving nothing is right where there is none.
"""

import argparse
import hashlib
import importlib
import json
import lzma
import re
import sys
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from telusur.extract.facts.metadata import read_metadata
from telusur.extract.page.dom import TagIndex, parse_html

PAGES = Path("extraction") / "wcxb_dev.jsonl.xz"
COLUMNS = ("title", "author has", "author all", "date has", "date all")
_SIGNS = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})
_JOINTS = re.compile(r"[,;]| and | & ")


@dataclass(slots=True)
class Answer:
    """What a reader of pages says of one."""

    title: str | None
    author: str | None
    date: str | None


Reader = Callable[[str, str], Answer]


def read_pages(path: Path, half: int | None) -> Iterator[dict[str, Any]]:
    """Yield the pages of one half of the sites, or of all."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            if half is None or half_of(page["site"] or "") == half:
                yield page


def half_of(site: str) -> int:
    """Tell in which half the pages of a site are."""
    return hashlib.md5(site.encode()).digest()[0] % 2


def read_with_telusur(html: str, url: str) -> Answer:
    """Parse a page and read its metadata."""
    tree = parse_html(html)
    found = read_metadata(tree, TagIndex(tree), url, url)
    return Answer(found.title, found.author, found.date)


def reader_of_trafilatura() -> Reader | None:
    """Return a reader by trafilatura, if it is installed."""
    try:
        extract_metadata = importlib.import_module("trafilatura.metadata").extract_metadata
    except ImportError:
        return None

    def read(html: str, url: str) -> Answer:
        found = extract_metadata(html, default_url=url or None, extensive=True)
        if found is None:
            return Answer(None, None, None)
        return Answer(found.title, found.author, found.date)

    return read


def plain(text: str | None) -> str:
    """Return a text without the differences that do not count."""
    folded = unicodedata.normalize("NFKC", text or "").casefold().translate(_SIGNS)
    return " ".join(folded.split()).strip(" .,;:!?|-'\"()[]")


def names(text: str | None) -> set[str]:
    """Return the set of names in a list of authors."""
    return {name for part in _JOINTS.split(text or "") if (name := plain(part))}


def judge(page: dict[str, Any], answer: Answer) -> Iterator[tuple[str, bool]]:
    """Yield each column the page counts in, and whether the answer is right there."""
    yield "title", plain(answer.title) == plain(page["title"])
    is_author = names(answer.author) == names(page["author"])
    is_date = (answer.date or "")[:10] == (page["date"] or "")[:10]
    for field, is_right in (("author", is_author), ("date", is_date)):
        yield f"{field} all", is_right
        if page[field]:
            yield f"{field} has", is_right


def measure(name: str, read: Reader, pages: list[dict[str, Any]]) -> None:
    """Print the share of right answers by kind of page, and the CPU time."""
    counts: dict[tuple[str, str], list[bool]] = defaultdict(list)
    start = time.process_time()
    answers = [read(page["html"], page["url"] or "") for page in pages]
    seconds = time.process_time() - start
    for page, answer in zip(pages, answers, strict=True):
        for column, is_right in judge(page, answer):
            counts[page["page_type"], column].append(is_right)
            counts["all", column].append(is_right)
    print(f"{name}, {seconds / len(pages) * 1e6:.0f} us a page with parsing")
    print(f"  {'':14}{'pages':>6}" + "".join(f"{column:>12}" for column in COLUMNS))
    kinds = sorted({kind for kind, _ in counts} - {"all"})
    for kind in [*kinds, "all"]:
        shares = "".join(show_share(counts[kind, column]) for column in COLUMNS)
        print(f"  {kind:14}{len(counts[kind, 'title']):6}{shares}")


def show_share(answers: list[bool]) -> str:
    """Return a share with three digits, or a dash where nothing was asked."""
    return f"{sum(answers) / len(answers):12.3f}" if answers else f"{'-':>12}"


def main() -> int:
    """Print one table for each reader."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="DATA_DIR")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only this half of the sites")
    options = parser.parse_args()
    path = options.data / PAGES
    if not path.exists():
        parser.error(f"{path} does not exist; name the directory that holds {PAGES}")
    pages = list(read_pages(path, options.half))
    measure("telusur", read_with_telusur, pages)
    if theirs := reader_of_trafilatura():
        measure("trafilatura", theirs, pages)
    else:
        print("trafilatura is not installed: pip install trafilatura lxml_html_clean")
    return 0


if __name__ == "__main__":
    sys.exit(main())
