"""How often title, author and date of real pages are right, set by set.

Usage: python bench/metadata.py DATA_DIR [--half 0|1] [--sets A,B] [--most N] [--by page_type]
                                [--peers DIR]
       python bench/metadata.py DATA_DIR --half 0 --errors title

DATA_DIR/extraction/SET.jsonl.xz holds pages with html, url, site, and of title, author and date
those that its `labels` name. Rules are written looking at half 0 only; sites are divided by a hash
of their name. `--errors` prints each page of which a field is wrong. `--peers` names a directory
made by `pip install --target DIR trafilatura htmldate`; their figures then stand beside ours, and
their answers are kept in DIR.

Two texts are equal when they are after NFKC, case folding, and without differences of white space,
quotes, dashes and surrounding punctuation. Authors are compared as sets of names. "equal" is the
share of right answers among the pages that have a truth; "wrong" and "missing" are the rest.
"false" is the share of pages with an answer among those of which the set says that they have none.
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
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from telusur.extract.document import extract_document

SETS = (
    "news_articles", "trafilatura", "mercury", "snacktory", "goose", "newspaper4k", "id_news",
    "zh_clean", "htmldate", "recipes", "swde", "wcxb_dev",
)  # fmt: skip
FIELDS = ("title", "author", "date")
# The sets in which a field without a value means that the page has none.
COMPLETE = ("zh_clean", "wcxb_dev")
_SIGNS = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})
_JOINTS = re.compile(r"[,;]| and | & ")

Page = dict[str, Any]
Answer = dict[str, str | None]
Reader = Callable[[str, str], Answer]


def read_pages(data: Path, name: str, half: int | None, most: int | None = None) -> list[Page]:
    """Return the labelled pages of a set that are on one half of the sites, or all.

    Of more than `most` pages those are returned whose ids have the lowest hashes.
    """
    found = []
    with lzma.open(data / "extraction" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            is_chosen = half is None or half_of(page["site"] or "") == half
            if is_chosen and fields_of(page, name):
                found.append(page)
    if most is not None and len(found) > most:
        found.sort(key=lambda page: hashlib.md5(page["id"].encode()).digest())
    return found[:most]


def half_of(site: str) -> int:
    """Tell in which half the pages of a site are."""
    return hashlib.md5(site.encode()).digest()[0] % 2


def read_with_telusur(html: str, url: str) -> Answer:
    """Extract a page as a crawl does; some facts come from its lines, and depend on its type."""
    found = extract_document(html, url)
    return {"title": found.title, "author": found.author, "date": found.date}


def reader_of_trafilatura() -> Reader:
    """Return a reader by trafilatura."""
    extract_metadata = importlib.import_module("trafilatura.metadata").extract_metadata

    def read(html: str, url: str) -> Answer:
        found = extract_metadata(html, default_url=url or None, extensive=True)
        return {name: found and getattr(found, name) for name in FIELDS}

    return read


def reader_of_htmldate() -> Reader:
    """Return a reader by htmldate, which reads dates only."""
    find_date = importlib.import_module("htmldate").find_date

    def read(html: str, url: str) -> Answer:
        return {"date": find_date(html, original_date=True, url=url or None)}

    return read


PEERS = {"trafilatura": reader_of_trafilatura, "htmldate": reader_of_htmldate}


@lru_cache(maxsize=4096)
def plain(text: str | None) -> str:
    """Return a text without the differences that do not count."""
    folded = unicodedata.normalize("NFKC", text or "").casefold().translate(_SIGNS)
    return " ".join(folded.split()).strip(" .,;:!?|-'\"()[]")


def names(text: str | None) -> set[str]:
    """Return the set of names in a list of authors."""
    return {name for part in _JOINTS.split(text or "") if (name := plain(part))}


def is_equal(name: str, answer: str | None, truth: str | None) -> bool:
    """Tell whether an answer is the truth."""
    if name == "author":
        return names(answer) == names(truth)
    if name == "date":
        return (answer or "")[:10] == (truth or "")[:10]
    return plain(answer) == plain(truth)


@dataclass(slots=True)
class Count:
    """What a reader's answers to one question were worth."""

    results: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, name: str, answer: str | None, truth: str | None) -> str:
        """Count an answer; return what it is: equal, wrong, missing, none or false."""
        if not truth:
            kind = "false" if answer else "none"
        elif is_equal(name, answer, truth):
            kind = "equal"
        else:
            kind = "wrong" if answer else "missing"
        self.results[kind] += 1
        return kind

    def shares(self, *kinds: str) -> list[str]:
        """Return the share of each of some kinds of results among all of them."""
        whole = sum(self.results[kind] for kind in kinds)
        return [f"{self.results[kind] / whole:.3f}" if whole else "-" for kind in kinds]

    @property
    def equal(self) -> float:
        """Return the share of right answers among the pages that have a truth."""
        return self.results["equal"] / max(1, self.asked)

    @property
    def asked(self) -> int:
        """Return how many pages have a truth."""
        return sum(self.results[kind] for kind in ("equal", "wrong", "missing"))


def fields_of(page: Page, name: str) -> list[str]:
    """Return the fields of which a page says the truth."""
    labels = page.get("labels", FIELDS)
    return [each for each in FIELDS if each in labels and (page[each] or name in COMPLETE)]


class Peer:
    """A peer whose answers are kept in a file."""

    def __init__(self, name: str, directory: Path) -> None:
        """Load what it answered before."""
        self.read = PEERS[name]()
        self.file = directory / f"answers-{name}.json"
        self.known: dict[str, Answer] = {}
        if self.file.exists():
            self.known = json.loads(self.file.read_text())

    def answer(self, page: Page) -> Answer:
        """Return its answer to a page; nothing if it fails."""
        if page["id"] not in self.known:
            try:
                found = self.read(page["html"], page["url"] or "")
            except Exception:
                found = {}
            self.known[page["id"]] = found
        return self.known[page["id"]]

    def save(self) -> None:
        """Keep the answers for the next run."""
        self.file.write_text(json.dumps(self.known))


def find_peers(directory: Path | None) -> dict[str, Peer]:
    """Return the peers that are installed in a directory."""
    if directory is None:
        return {}
    sys.path.append(str(directory))
    found = {}
    for name in PEERS:
        try:
            found[name] = Peer(name, directory)
        except ImportError:
            print(f"{name} is not in {directory}: pip install --target {directory} {name}")
    return found


def measure(options: argparse.Namespace, chosen: list[str]) -> None:
    """Print a row for each set and field, and ours and the peers' shares in it."""
    peers = find_peers(options.peers)
    print(
        f"{'set':15}{'field':8}{'pages':>6}{'equal':>8}{'wrong':>8}{'missing':>9}{'false':>8}"
        + "".join(f"{name:>14}" for name in peers)
    )
    seconds, read = 0.0, 0
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for name in chosen:
        counts: dict[tuple[str, str, str], Count] = defaultdict(Count)
        for page in read_pages(options.data, name, options.half, options.most):
            asked = fields_of(page, name)
            start = time.process_time()
            answer = read_with_telusur(page["html"], page["url"] or "")
            seconds += time.process_time() - start
            read += 1
            answers = {"": answer} | {peer: each.answer(page) for peer, each in peers.items()}
            group = f"{name} {page[options.by]}" if options.by else name
            for reader, given in answers.items():
                for each in asked:
                    counts[group, each, reader].add(each, given.get(each), page[each])
        print_rows(counts, list(peers))
        for (_, each, reader), count in counts.items():
            shares[each, reader] += [count.equal] * bool(count.asked)
        for peer in peers.values():
            peer.save()
    for each in FIELDS:
        row = [
            f"{sum(found) / len(found):.3f}" if (found := shares[each, reader]) else "-"
            for reader in ("", *peers)
        ]
        print(
            f"{'mean of sets':15}{each:8}{len(shares[each, '']):6}{row[0]:>8}{'':25}"
            + "".join(f"{share:>14}" for share in row[1:])
        )
    print(f"{seconds / max(1, read) * 1e6:.0f} us of CPU a page, for the whole document")


def print_rows(counts: dict[tuple[str, str, str], Count], peers: list[str]) -> None:
    """Print the rows of one set."""
    for group, each in sorted(
        {key[:2] for key in counts}, key=lambda key: (key[0], FIELDS.index(key[1]))
    ):
        ours = counts[group, each, ""]
        equal, wrong, missing = ours.shares("equal", "wrong", "missing")
        row = f"{group:15}{each:8}{ours.asked:6}{equal:>8}{wrong:>8}{missing:>9}"
        row += f"{ours.shares('false', 'none')[0]:>8}"
        for peer in peers:
            theirs = counts[group, each, peer]
            equal = theirs.shares("equal", "wrong", "missing")[0]
            false = theirs.shares("false", "none")[0]
            row += f"{equal + ('' if false == '-' else f'/{false}'):>14}"
        print(row)


def show_errors(options: argparse.Namespace, chosen: list[str]) -> None:
    """Print the pages of which a field is not as the set has it."""
    for name in chosen:
        for page in read_pages(options.data, name, options.half, options.most):
            if options.errors not in fields_of(page, name):
                continue
            answer = read_with_telusur(page["html"], page["url"] or "")[options.errors]
            kind = Count().add(options.errors, answer, page[options.errors])
            if kind not in ("equal", "none"):
                print(f"{kind}\t{page['id']}\t{page['url']}")
                print(f"\ttruth\t{page[options.errors]}\n\tours\t{answer}")


def main() -> int:
    """Print one table, or the errors in one field."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="DATA_DIR")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only this half of the sites")
    parser.add_argument("--sets", default="", help="only these sets, joined by commas")
    parser.add_argument("--most", type=int, help="at most so many pages of each set")
    parser.add_argument("--by", default="", help="a row for each value of this key of the pages")
    parser.add_argument("--peers", type=Path, help="where trafilatura and htmldate are")
    parser.add_argument("--errors", choices=FIELDS, help="print the errors in this field")
    options = parser.parse_args()
    chosen = options.sets.split(",") if options.sets else list(SETS)
    for name in chosen:
        if not (options.data / "extraction" / f"{name}.jsonl.xz").exists():
            parser.error(
                f"{options.data} has no extraction/{name}.jsonl.xz; name the data directory"
            )
    if options.errors:
        show_errors(options, chosen)
    else:
        measure(options, chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
