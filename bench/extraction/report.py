"""Tables of verdicts: the main ones, and one for every figure by every way to group the pages."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.extraction.judging import Summary, Verdict, summary_of
from bench.extraction.sets import NEWS
from bench.extraction.tables import Cell, Table, mean

# A set of fewer pages decides nothing.
MANY_PAGES = 100
# A peer that is better by less is not.
MARGIN = 0.01
# Of many groups, such as languages, those of fewer pages are left out.
_MANY_GROUPS = 12
_FEW = 10

# The verdicts of each extractor, ours first. An extractor may have read only some of the pages.
Verdicts = Mapping[str, Sequence[Verdict]]
Figure = Callable[[Summary], float | None]
Summaries = dict[str, Summary]


def f1(summary: Summary) -> float | None:
    """Return the F1 of mean precision and mean recall of runs of four words."""
    return summary.figures.runs.f1 if summary.figures.runs else None


def _runs(name: str) -> Figure:
    return lambda summary: getattr(summary.figures.runs, name, None)


def _fair(name: str) -> Figure:
    return lambda summary: getattr(summary.fair, name, None)


def _label(name: str) -> Figure:
    return lambda summary: summary.blocks[name].f1 if summary.blocks[name].wanted else None


FIGURES: dict[str, Figure] = {
    "4-gram F1": f1,
    "4-gram precision": _runs("precision"),
    "4-gram recall": _runs("recall"),
    "bag of words": lambda summary: summary.figures.words_f1,
    "fair F1": _fair("f1"),
    "fair precision": _fair("precision"),
    "fair recall": _fair("recall"),
    "snippets found": lambda summary: summary.figures.wanted,
    "snippets kept out": lambda summary: summary.figures.unwanted,
    "title": lambda summary: summary.figures.title,
    "author": lambda summary: summary.figures.author,
    "date": lambda summary: summary.figures.date,
    "content blocks F1": _label("content"),
    "content blocks F1, mean of pages": lambda summary: summary.content_by_page,
    "title blocks F1": _label("title"),
    "author blocks F1": _label("author"),
    "page type": lambda summary: summary.types,
}
WAYS: dict[str, Callable[[Verdict], str]] = {
    "set": lambda verdict: verdict.groups.source,
    "years": lambda verdict: verdict.groups.age,
    "language": lambda verdict: verdict.groups.language,
    "page type": lambda verdict: verdict.groups.page_type,
}


@dataclass(slots=True, frozen=True)
class Beaten:
    """A set on which a peer is better than we are."""

    source: str
    pages: int
    ours: float
    peer: str
    theirs: float


def main_tables(verdicts: Verdicts, ours: Sequence[str]) -> Iterator[Table]:
    """Yield texts by set with our margin, texts of news, and everything over all pages."""
    yield _by_set(verdicts, ours)
    if any(one.groups.source in NEWS for own in verdicts.values() for one in own):
        yield _of_news(verdicts)
    yield _over_all(verdicts)
    yield _costs(verdicts)


def beaten(verdicts: Verdicts, ours: Sequence[str]) -> list[Beaten]:
    """Return the large sets on which our first contestant is worse than the best peer."""
    found = []
    for source, own in _grouped(verdicts, WAYS["set"]).items():
        mine, best = _mine_and_best(own, ours)
        if mine is None or best is None or _pages(own) < MANY_PAGES:
            continue
        theirs = f1(own[best]) or 0.0
        if theirs > mine + MARGIN:
            found.append(Beaten(source, _pages(own), mine, best, theirs))
    return found


def beaten_text(verdicts: Verdicts, ours: Sequence[str]) -> str:
    """Return the list of such sets as text, which is also Markdown."""
    lines = [
        f"- {one.source} ({one.pages} pages): {one.peer} {one.theirs:.3f}, ours {one.ours:.3f}"
        for one in beaten(verdicts, ours)
    ]
    head = f"Sets of {MANY_PAGES} pages or more where a peer is better by more than {MARGIN}:"
    return "\n".join([head, "", *lines]) if lines else f"{head} none."


def long_report(verdicts: Verdicts, ours: Sequence[str], about: str) -> str:
    """Return all tables as Markdown."""
    parts = ["# Extractors on pages that no model saw", about]
    parts += [table.as_markdown() for table in main_tables(verdicts, ours)]
    parts.append(beaten_text(verdicts, ours))
    for way, group_of in WAYS.items():
        parts.append(f"## By {way}")
        groups = _grouped(verdicts, group_of)
        for name, figure in FIGURES.items():
            rows = [[group, _pages(own), *map(figure, own.values())]
                    for group, own in groups.items()]  # fmt: skip
            if rows := [row for row in rows if any(cell is not None for cell in row[2:])]:
                table = Table(name, [way, "pages", *verdicts], [*rows, _mean_row(rows)])
                parts.append(table.as_markdown())
    return "\n\n".join(parts) + "\n"


def _by_set(verdicts: Verdicts, ours: Sequence[str]) -> Table:
    """Return 4-gram F1 by set, with our precision and recall, and our margin to the best peer."""
    first, *others = verdicts
    rows: list[list[Cell]] = []
    for source, own in _grouped(verdicts, WAYS["set"]).items():
        if all(f1(summary) is None for summary in own.values()):
            continue
        mine, best = _mine_and_best(own, ours)
        margin = None if mine is None or best is None else mine - (f1(own[best]) or 0.0)
        rows.append([
            source, _pages(own), f1(own[first]), FIGURES["4-gram precision"](own[first]),
            FIGURES["4-gram recall"](own[first]), *(f1(own[name]) for name in others), margin,
        ])  # fmt: skip
    heads = ["set", "pages", first, "P", "R", *others, "margin"]
    return Table("Text, 4-gram F1 by set", heads, [*rows, _mean_row(rows)])


def _of_news(verdicts: Verdicts) -> Table:
    chosen = {
        name: [one for one in own if one.groups.source in NEWS] for name, own in verdicts.items()
    }
    groups = _grouped(chosen, WAYS["set"]).values()
    figures = ("fair precision", "fair recall", "4-gram precision", "4-gram recall")
    rows = [
        [name, *(mean([FIGURES[one](own[name]) for own in groups]) for one in figures)]
        for name in verdicts
    ]
    heads = ["extractor", "fair P", "fair R", "plain P", "plain R"]
    return Table("News of all years and languages, mean of the sets, 4-grams", heads, rows)


def _over_all(verdicts: Verdicts) -> Table:
    columns = {
        "BoW": "bag of words", "with": "snippets found", "without": "snippets kept out",
        "title": "title", "author": "author", "date": "date", "content": "content blocks F1",
        "by page": "content blocks F1, mean of pages",
        "titles": "title blocks F1", "authors": "author blocks F1", "type": "page type",
    }  # fmt: skip
    rows: list[list[Cell]] = []
    for name, own in verdicts.items():
        summary = summary_of(own)
        # An extractor that is never right does not give any.
        rows.append([name, len(own), *(FIGURES[one](summary) or None for one in columns.values())])
    title = "All pages: bag of words, snippets, equal facts, F1 of blocks, page types"
    return Table(title, ["extractor", "pages", *columns], rows)


def _costs(verdicts: Verdicts) -> Table:
    rows = [
        [name, f"{one.seconds:.1f}", f"{one.pages_per_second:.1f}", f"{one.slowest:.2f}",
         f"{one.peak_mb:.0f}", one.failed]
        for name, one in ((name, summary_of(own)) for name, own in verdicts.items())
    ]  # fmt: skip
    heads = ["extractor", "CPU-s", "pages/CPU-s", "slowest page s", "peak MB", "failed"]
    return Table("Cost", heads, rows)


def _mine_and_best(own: Summaries, ours: Sequence[str]) -> tuple[float | None, str | None]:
    """Return the F1 of our first contestant, and the name of the best peer."""
    peers = {name: value for name, summary in own.items()
             if name not in ours and (value := f1(summary)) is not None}  # fmt: skip
    mine = f1(own[ours[0]]) if ours else None
    return mine, max(peers, key=lambda name: peers[name]) if peers else None


def _mean_row(rows: Sequence[Sequence[Cell]]) -> list[Cell]:
    columns = list(zip(*rows, strict=True))
    pages = sum(one for one in columns[1] if isinstance(one, int))
    figures = ([one for one in column if isinstance(one, float)] for column in columns[2:])
    return ["mean", pages, *map(mean, figures)]


def _grouped(verdicts: Verdicts, group_of: Callable[[Verdict], str]) -> dict[str, Summaries]:
    """Return a summary for each extractor in each group of pages, the largest group first."""
    sizes = Counter(group_of(one) for one in max(verdicts.values(), key=len))
    least = _FEW if len(sizes) > _MANY_GROUPS and group_of is not WAYS["set"] else 1
    return {
        group: {
            name: summary_of([one for one in own if group_of(one) == group])
            for name, own in verdicts.items()
        }
        for group, size in sizes.most_common()
        if size >= least
    }


def _pages(own: Summaries) -> int:
    return max(summary.figures.pages for summary in own.values())
