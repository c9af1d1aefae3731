"""Extractors side by side: `python -m bench.extraction DATA_DIR CACHE_DIR --train SET,SET`.

DATA_DIR/extraction has sets of labelled pages. Everybody reads the same pages: up to 400 of each
set. Telusur reads each page with a model that saw neither the page's set nor its site; the peers
are installed into CACHE_DIR. Answers, verdicts and models are kept there under hashes of what they
depend on, so that a second run does only what has changed. Prints the main tables, and writes all
of them to CACHE_DIR/report.md. See docs/extraction.md.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: faster for small matrices

from bench.extraction.answers import Asked, asked_peers
from bench.extraction.contestants import PEERS
from bench.extraction.hashes import READER, hash_of, hash_of_code
from bench.extraction.judging import Judge, Verdict
from bench.extraction.models import Classroom, models_by_site, models_by_source
from bench.extraction.report import beaten_text, long_report, main_tables
from bench.extraction.sets import PageSet, unpack_sets
from bench.extraction.verdicts import VerdictBook
from bench.extraction.witnesses import WITNESSES, ask_witnesses
from telusur.errors import UsageError
from telusur.extract.content.model import SHIPPED, load_model
from telusur.learn.lessons.witnesses import Witnesses
from telusur.learn.pages.dataset import LabelledPage

_FOLDS = 4


@dataclass(slots=True, frozen=True)
class Column:
    """A contestant: its name, and who is asked about a set, or about a site of it."""

    name: str
    asked: dict[str, Asked]
    is_by_site: bool = False

    def reader_of(self, page: LabelledPage) -> Asked | None:
        """Return who is asked about a page; None if this contestant has no model for it."""
        return self.asked.get((page.site or page.id) if self.is_by_site else page.source)


def main() -> int:
    """Let everybody read, judge the answers, print the tables."""
    options = _options()
    try:
        return _run(options)
    except (UsageError, ChildProcessError) as error:
        print(error, file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    cache = Path(options.cache).resolve()
    sets = unpack_sets(Path(options.data), cache, [])
    tested = [one for one in sets if not options.sets or one.name in options.sets]
    if not tested:
        raise UsageError(f"--sets: there are only {', '.join(one.name for one in sets)}.")
    columns = [*_our_columns(options, sets, tested, cache), *_peer_columns(options, tested, cache)]
    samples = _samples(options, sets, tested)
    verdicts: dict[str, list[Verdict]] = {column.name: [] for column in columns}
    for column in columns:
        _ask(column, tested, samples)
    for name, pages in samples.items():
        found = _judge(columns, name, pages, cache / "verdicts")
        for column in columns:
            verdicts[column.name] += [found[column.name, key] for key, _ in pages
                                      if (column.name, key) in found]  # fmt: skip
    ours = [column.name for column in columns if column.name.startswith("telusur")]
    print(*(table.as_text() for table in main_tables(verdicts, ours)), sep="\n\n")
    print(f"\n{beaten_text(verdicts, ours)}")
    about = f"{sum(map(len, samples.values()))} pages of {len(samples)} sets."
    (cache / "report.md").write_text(long_report(verdicts, ours, about), encoding="utf-8")
    print(f"\nAll tables: {cache / 'report.md'}", file=sys.stderr)
    return 0


def _our_columns(
    options: argparse.Namespace, sets: Sequence[PageSet], tested: Sequence[PageSet], cache: Path
) -> Iterator[Column]:
    """Yield our contestants, with their models trained."""
    if options.only and "telusur" not in options.only:
        return
    if options.model:
        path = SHIPPED if options.model == "shipped" else Path(options.model)
        seen = load_model(path).about.get("sources", {})
        names = [one.name for one in tested if one.name not in seen]
        yield _column("telusur", dict.fromkeys(names, path), cache)
        return
    train = [one for one in sets if one.name in options.train]
    rooms = [("telusur", train)]
    if options.all_train:
        rooms.append(("telusur-all", list(sets)))
    said = _witnesses_of(sets if options.all_train else train, cache)
    for name, lessons in rooms:
        room = Classroom(lessons, said, cache)
        others = [one for one in tested if one not in lessons]
        yield _column(name, models_by_source(room, lessons, others, options.groups), cache)
    known = [one for one in train if one.name == options.known]
    if known:
        models = models_by_site(Classroom(train, said, cache), known[0], _FOLDS)
        yield _column("telusur-known", models, cache, is_by_site=True)


def _column(name: str, models: dict[str, Path], cache: Path, *, is_by_site: bool = False) -> Column:
    code = hash_of_code(*READER)
    by_path = {
        path: Asked(
            "telusur", Path(sys.executable),
            cache / "answers" / f"telusur-{code}-{hash_of(path.read_bytes())}", model=path,
        )
        for path in set(models.values())
    }  # fmt: skip
    return Column(name, {key: by_path[path] for key, path in models.items()}, is_by_site)


def _witnesses_of(sets: Sequence[PageSet], cache: Path) -> Witnesses:
    rows = ask_witnesses(sets, asked_peers(cache, WITNESSES))
    return {f"{row['source']}/{row['id']}": tuple(row["texts"]) for row in rows}


def _peer_columns(
    options: argparse.Namespace, tested: Sequence[PageSet], cache: Path
) -> Iterator[Column]:
    names = [
        one.name for one in PEERS
        if (one.name in options.only if options.only else options.all_settings or not one.is_extra)
    ]  # fmt: skip
    for asked in asked_peers(cache, names) if names else ():
        yield Column(asked.name, dict.fromkeys((one.name for one in tested), asked))


def _ask(
    column: Column, tested: Sequence[PageSet], samples: dict[str, list[tuple[str, LabelledPage]]]
) -> None:
    """Have each page read by its reader."""
    wanted: dict[Path, dict[str, list[str]]] = {}
    readers = {}
    for name, pages in samples.items():
        for key, page in pages:
            if reader := column.reader_of(page):
                readers[reader.directory] = reader
                wanted.setdefault(reader.directory, {}).setdefault(name, []).append(key)
    for directory, reader in readers.items():
        reader.ask(tested, wanted[directory])


def _judge(
    columns: Sequence[Column], name: str, pages: Sequence[tuple[str, LabelledPage]], kept: Path
) -> dict[tuple[str, str], Verdict]:
    """Return the verdicts on all answers to the pages of a set, by contestant and key."""
    asked = [
        (column.name, key, reader)
        for column in columns
        for key, page in pages
        if (reader := column.reader_of(page))
    ]
    books = {reader: VerdictBook(kept, reader, name) for _, _, reader in asked}
    for key, page in pages:
        judge = None
        for reader in {reader for _, other, reader in asked if other == key}:
            if not books[reader].has(key):
                judge = judge or Judge(page)
                books[reader].add(key, judge)
    for book in books.values():
        book.save()
    return {(column, key): books[reader].verdict(key) for column, key, reader in asked}


def _samples(
    options: argparse.Namespace, sets: Sequence[PageSet], tested: Sequence[PageSet]
) -> dict[str, list[tuple[str, LabelledPage]]]:
    """Return keys and pages of each set; for a ready model only of sets and sites unknown to it."""
    most = options.pages or None
    if not options.model:
        return {one.name: list(islice(one.keyed(), most)) for one in tested}
    known = {site for one in sets if one.name in options.train for site in one.sites()}
    return {
        one.name: list(islice(
            (pair for pair in one.keyed() if (pair[1].site or pair[1].id) not in known), most
        ))
        for one in tested
        if one.name not in options.train
    }  # fmt: skip


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.extraction", description="Compare extractors.")
    parser.add_argument("data", metavar="DATA_DIR", help="has extraction/*.jsonl.xz")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where everything is kept")
    parser.add_argument(
        "--train", type=_names, default=[], metavar="SET,SET",
        help="the sets that may train our models; all others only test them",
    )  # fmt: skip
    parser.add_argument(
        "--pages", type=int, default=400, metavar="N", help="up to so many of each set; 0: all"
    )
    parser.add_argument(
        "--groups", type=int, metavar="N",
        help="hold back the sets that train in so many groups; left out: one by one",
    )  # fmt: skip
    parser.add_argument(
        "--model", metavar="MODEL|shipped",
        help="test this model, trained on the sets of --train, on pages of other sets and sites",
    )  # fmt: skip
    parser.add_argument(
        "--all-train", action="store_true",
        help="also test models that all other sets train, whatever their licence",
    )  # fmt: skip
    parser.add_argument(
        "--known", metavar="SET", help="also test a set by models that know its other sites"
    )
    parser.add_argument("--sets", type=_names, metavar="SET,SET", help="test only these sets")
    names = ["telusur", *(one.name for one in PEERS)]
    parser.add_argument(
        "--only", action="append", choices=names, metavar="NAME", help="only this extractor"
    )
    parser.add_argument(
        "--all-settings", action="store_true", help="peers also in settings that are worse"
    )
    return parser.parse_args()


def _names(text: str) -> list[str]:
    return [name for name in text.replace(",", " ").split() if name]


if __name__ == "__main__":
    raise SystemExit(main())
