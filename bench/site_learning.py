"""Reading pages with and without the record of their site: `python -m bench.site_learning DATA_DIR
CACHE_DIR`.

DATA_DIR/extraction has sets of labelled pages. Of each set, the sites with three or more pages take
part. Each page is read alone, and with a record learned from other pages of its site; the labels
are only used to measure. Prints a table of the sets and the curve over the number of pages seen.
See docs/decisions/0080-learning-a-site.md.
"""

import argparse
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from zlib import crc32

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: faster for small matrices

from bench.extraction.furniture import Furniture, find_furniture
from bench.extraction.sets import unpack_sets
from bench.extraction.tables import Cell, Table, mean
from telusur.extract.content.model import SHIPPED, Model, load_model
from telusur.extract.document import read_page
from telusur.extract.site.evidence import PageEvidence
from telusur.extract.site.record import SiteRecord
from telusur.learn.measures import (
    Overlap,
    compare_counts,
    mean_overlap,
    normalize,
    normalize_fact,
    runs_of,
    words_of,
)
from telusur.learn.pages.dataset import LabelledPage

LEAST_PAGES = 3
MOST_PAGES = 40
ALL = 10_000
# What is measured of each reading.
PLAIN, FAIR = "as it is", "fair"
_KINDS = (PLAIN, FAIR)


@dataclass(slots=True)
class Seen:
    """A page of a site with its evidence and its first reading."""

    page: LabelledPage
    evidence: PageEvidence
    furniture: Furniture | None
    alone: "Reading"


@dataclass(slots=True)
class Reading:
    """How good one reading of a page is; None where the truth is unknown."""

    runs: dict[str, Overlap] = field(default_factory=dict)
    # The share of the wanted snippets that are in the text.
    wanted: float | None = None
    title: float | None = None


def main() -> int:
    """Read the pages of all sets, and print the tables."""
    options = _options()
    model = load_model(SHIPPED if options.model == "shipped" else Path(options.model))
    trained = model.about.get("sources", {})
    curve: dict[int, list[dict[str, Cell]]] = defaultdict(list)
    rows: list[list[Cell]] = []
    for pages in unpack_sets(Path(options.data), Path(options.cache), options.sets):
        sites = _sites(pages.pages(), model)
        if not sites:
            continue
        alone = [one.alone for site in sites for one in site]
        name = pages.name + ("*" if pages.name in trained else "")
        known = {count: _read_again(sites, count, model) for count in options.pages_seen}
        rows.append(_row(name, sites, alone, known[max(options.pages_seen)]))
        for count, readings in {0: alone, **known}.items():
            curve[count].append(_figures(readings))
    heads = ["set", "sites", "pages", *_heads("alone"), *_heads("site"), "title", "with site"]
    rows.append(["mean", None, None, *_means([row[3:] for row in rows])])
    print(Table("Runs of four words; *: trained the model", heads, rows).as_text())
    print()
    for kind in _KINDS:
        print(_curve(kind, curve).as_text(), end="\n\n")
    return 0


def _sites(pages: Iterator[LabelledPage], model: Model) -> list[list[Seen]]:
    """Return the pages of each site with enough of them, read alone."""
    by_site: dict[str, list[LabelledPage]] = defaultdict(list)
    for page in pages:
        has_truth = page.text or (page.wanted and "text" not in page.known)
        if page.site and has_truth and len(by_site[page.site]) < MOST_PAGES:
            by_site[page.site].append(page)
    sites = [each for each in by_site.values() if len(each) >= LEAST_PAGES]
    found = [[one for page in site if (one := _read_alone(page, model))] for site in sites]
    return [site for site in found if len(site) >= LEAST_PAGES]


def _read_alone(page: LabelledPage, model: Model) -> Seen | None:
    # Pages of the data may share an address; here each is its own.
    reading = read_page(page.html, page.url or page.id, model=model, site=SiteRecord())
    if reading.site is None:
        return None
    furniture = find_furniture(page, reading.document.blocks) if page.text else None
    document = reading.document
    alone = _measure(page, furniture, document.text, document.title)
    evidence = reading.site.evidence
    evidence.address = crc32(f"{page.id} {page.url}".encode())
    return Seen(page, evidence, furniture, alone)


def _read_again(sites: Sequence[Sequence[Seen]], count: int, model: Model) -> list[Reading]:
    """Read every page with a record of so many other pages of its site."""
    readings = []
    for site in sites:
        for one in site:
            others = [other for other in site if other is not one]
            Random(one.page.id).shuffle(others)
            record = SiteRecord()
            record.learn(other.evidence for other in others[:count])
            page = one.page
            document = read_page(page.html, page.url or page.id, model=model, site=record).document
            readings.append(_measure(page, one.furniture, document.text, document.title))
    return readings


def _measure(page: LabelledPage, furniture: Furniture | None, text: str, title: str) -> Reading:
    reading = Reading()
    if page.text and furniture is not None:
        reading.runs[PLAIN] = _overlap(page.text, text)
        reading.runs[FAIR] = _overlap(furniture.remove_from(page.text), furniture.remove_from(text))
    elif page.wanted:
        shown = normalize(text)
        reading.wanted = mean([float(normalize(one) in shown) for one in page.wanted])
    if page.title:
        reading.title = float(normalize_fact(title) == normalize_fact(page.title))
    return reading


def _overlap(truth: str, text: str) -> Overlap:
    right, said = (Counter(runs_of(words_of(each))) for each in (truth, text))
    return compare_counts(right, said)


def _figures(readings: Sequence[Reading]) -> dict[str, Cell]:
    """Return the figures of some readings by name."""
    figures: dict[str, Cell] = {"title": mean([one.title for one in readings])}
    for kind in _KINDS:
        overlap = mean_overlap([one.runs[kind] for one in readings if kind in one.runs])
        names = (f"{kind} P", f"{kind} R", f"{kind} F1")
        if overlap is None:
            wanted = mean([one.wanted for one in readings])
            figures |= {names[0]: None, names[1]: wanted, names[2]: None}
        else:
            values = (overlap.precision, overlap.recall, overlap.f1)
            figures |= dict(zip(names, values, strict=True))
    return figures


def _heads(name: str) -> list[str]:
    return [f"{name} P", "R", "F1", "fair F1"]


def _row(
    name: str, sites: Sequence[Sequence[Seen]], alone: Sequence[Reading], known: Sequence[Reading]
) -> list[Cell]:
    before, after = _figures(alone), _figures(known)
    columns = [f"{PLAIN} P", f"{PLAIN} R", f"{PLAIN} F1", f"{FAIR} F1"]
    cells = [figures[column] for figures in (before, after) for column in columns]
    return [name, len(sites), len(alone), *cells, before["title"], after["title"]]


def _means(rows: Sequence[Sequence[Cell]]) -> list[Cell]:
    return [_mean_of(column) for column in zip(*rows, strict=True)]


def _mean_of(cells: Sequence[Cell]) -> float | None:
    return mean([cell for cell in cells if isinstance(cell, float)])


def _curve(kind: str, curve: dict[int, list[dict[str, Cell]]]) -> Table:
    """Return the mean over the sets with texts for each number of pages seen."""
    rows = []
    for count, sets in sorted(curve.items()):
        texts = [figures for figures in sets if figures[f"{kind} F1"] is not None]
        names = (f"{kind} P", f"{kind} R", f"{kind} F1")
        figures = [_mean_of([each[name] for each in texts]) for name in names]
        rows.append(["all" if count >= ALL else str(count), *figures])
    title = f"Mean over sets by the number of other pages seen, {kind}"
    return Table(title, ["pages", "P", "R", "F1"], rows)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench.site_learning", description="Read pages with and without their site."
    )
    parser.add_argument("data", metavar="DATA_DIR", help="has extraction/*.jsonl.xz")
    parser.add_argument("cache", metavar="CACHE_DIR", help="where the sets are unpacked")
    parser.add_argument(
        "--sets", type=_names, default=[], metavar="SET,SET", help="only these sets"
    )
    parser.add_argument(
        "--pages-seen", type=_numbers, default=[1, 2, 3, 5, 10, 20, ALL], metavar="N,N",
        help="how many other pages a record is learned from, if there are so many",
    )  # fmt: skip
    parser.add_argument("--model", default="shipped", help="read with this model")
    return parser.parse_args()


def _names(text: str) -> list[str]:
    return [name for name in text.replace(",", " ").split() if name]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in _names(text)]


if __name__ == "__main__":
    raise SystemExit(main())
