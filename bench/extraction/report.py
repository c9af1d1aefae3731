"""Tables of verdicts: a short one for the terminal, and long ones in Markdown."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.extraction.judging import Summary, Verdict, summary_of
from bench.extraction.sets import NEWS

# A set of fewer pages decides nothing.
MANY_PAGES = 100
# A peer that is better by less is not.
MARGIN = 0.01
# Groups of fewer pages are not shown.
_FEW = 10

# The verdicts of each extractor, in the same order of pages.
Verdicts = Mapping[str, Sequence[Verdict]]
Figure = Callable[[Summary], float | None]


def f1(summary: Summary) -> float | None:
    """The F1 of the mean precision and recall of runs of four words."""
    return summary.figures.runs.f1 if summary.figures.runs else None


def _fair(summary: Summary) -> float | None:
    return summary.fair.f1 if summary.fair else None


def _label(name: str) -> Figure:
    return lambda summary: summary.blocks[name].f1 if summary.blocks[name].wanted else None


def _of(part: str, name: str) -> Figure:
    """Return a figure of the words, runs or fair runs by its name."""

    def figure(summary: Summary) -> float | None:
        overlap = summary.fair if part == "fair" else getattr(summary.figures, part)
        return getattr(overlap, name) if overlap else None

    return figure


PRECISION, RECALL = _of("runs", "precision"), _of("runs", "recall")
FIGURES: dict[str, Figure] = {
    "4-gram F1": f1,
    "4-gram precision": PRECISION,
    "4-gram recall": RECALL,
    "bag of words": lambda summary: summary.figures.words_f1,
    "fair F1 (without titles, bylines, dates, captions)": _fair,
    "fair precision": _of("fair", "precision"),
    "fair recall": _of("fair", "recall"),
    "snippets that are there": lambda summary: summary.figures.wanted,
    "snippets that are kept out": lambda summary: summary.figures.unwanted,
    "title": lambda summary: summary.figures.title,
    "author": lambda summary: summary.figures.author,
    "date": lambda summary: summary.figures.date,
    "content blocks F1": _label("content"),
    "title blocks F1": _label("title"),
    "author blocks F1": _label("author"),
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


def short_report(verdicts: Verdicts, ours: Sequence[str]) -> str:
    """Return the main table, the sets where a peer is better, and the costs."""
    parts = [_main_table(verdicts), _news_table(verdicts), _facts_table(verdicts)]
    worse = beaten(verdicts, ours)
    lines = [
        f"  {one.source} ({one.pages} pages): {_share(one.ours)}, {one.peer} {_share(one.theirs)}"
        for one in worse
    ]
    head = f"Sets of {MANY_PAGES} pages or more where a peer is better by more than {MARGIN}:"
    parts.append("\n".join([head, *(lines or ["  none"])]) if ours else "")
    return "\n\n".join(filter(None, parts))


def long_report(verdicts: Verdicts, about: str) -> str:
    """Return every figure by every way to group the pages, as Markdown."""
    parts = ["# Extractors on pages that none was trained on", about, _costs(verdicts)]
    for way, group_of in WAYS.items():
        parts.append(f"## By {way}")
        groups = _grouped(verdicts, group_of)
        for name, figure in FIGURES.items():
            rows = {
                group: [figure(summary) for summary in own.values()]
                for group, own in groups.items()
            }
            rows = {group: row for group, row in rows.items() if any(x is not None for x in row)}
            if rows:
                sizes = {group: _pages(groups[group]) for group in rows}
                rows["mean"] = [_mean([row[at] for row in rows.values()])
                                for at in range(len(verdicts))]  # fmt: skip
                parts.append(_markdown(f"{name}", list(verdicts), rows, sizes))
    return "\n\n".join(parts) + "\n"


def beaten(verdicts: Verdicts, ours: Sequence[str]) -> list[Beaten]:
    """Return the large sets on which our first contestant is worse than the best peer."""
    peers = [name for name in verdicts if name not in ours]
    found = []
    for source, own in _grouped(verdicts, WAYS["set"]).items():
        values = {name: f1(summary) for name, summary in own.items()}
        scored = {name: value for name in peers if (value := values[name]) is not None}
        if not ours or not scored or (mine := values[ours[0]]) is None:
            continue
        best = max(scored, key=lambda name: scored[name])
        if _pages(own) >= MANY_PAGES and scored[best] > mine + MARGIN:
            found.append(Beaten(source, _pages(own), mine, best, scored[best]))
    return found


def _main_table(verdicts: Verdicts) -> str:
    """Return 4-gram F1 by set; for the first contestant also precision and recall."""
    first, *others = verdicts
    names = [first, "P", "R", *others]
    rows: list[tuple[str, int, list[float | None]]] = []
    for source, own in _grouped(verdicts, WAYS["set"]).items():
        values = [f1(summary) for summary in own.values()]
        if any(value is not None for value in values):
            row = [values[0], PRECISION(own[first]), RECALL(own[first]), *values[1:]]
            rows.append((source, _pages(own), row))
    means = [_mean(column) for column in zip(*(row for _, _, row in rows), strict=True)]
    rows.append(("mean of the sets", sum(pages for _, pages, _ in rows), means))
    head = _heads(["4-gram F1", "pages"], names)
    return "\n".join([head, *(_line(title, pages, names, row) for title, pages, row in rows)])


def _news_table(verdicts: Verdicts) -> str:
    """Return the plain and the fair figures of news, and the means of the sets of it."""
    chosen = {
        name: [one for one in own if one.groups.source in NEWS] for name, own in verdicts.items()
    }
    if not any(chosen.values()):
        return ""
    names = ("fair precision", "fair recall", "4-gram precision", "4-gram recall")
    titles = ("without titles etc.: P", "R", "plain: P", "R")
    lines = ["News of all years and languages, mean of the sets"]
    groups = _grouped(chosen, WAYS["set"])
    lines.append(f"{'':<26}" + "".join(f"{title:>24}" for title in titles))
    for name in verdicts:
        cells = [_mean([FIGURES[one](own[name]) for own in groups.values()]) for one in names]
        lines.append(f"{name:<26}" + "".join(f"{_share(cell):>24}" for cell in cells))
    return "\n".join(lines)


def _facts_table(verdicts: Verdicts) -> str:
    """Return figures over all pages, one row per extractor."""
    columns: dict[str, Figure] = {
        "BoW": FIGURES["bag of words"], "with": FIGURES["snippets that are there"],
        "without": FIGURES["snippets that are kept out"], "title": FIGURES["title"],
        "author": FIGURES["author"], "date": FIGURES["date"],
        "content": FIGURES["content blocks F1"], "titles": FIGURES["title blocks F1"],
        "authors": FIGURES["author blocks F1"], "types": lambda summary: summary.types,
    }  # fmt: skip
    lines = ["All pages: words, snippets, equal facts, F1 of blocks, page types, speed"]
    head = "".join(f"{title:>9}" for title in columns)
    lines.append(f"{'':<26}{head}{'pages/CPU-s':>13}{'slowest s':>11}{'failed':>8}")
    for name, own in verdicts.items():
        summary = summary_of(own)
        # An extractor that is never right does not give any.
        cells = "".join(f"{_share(figure(summary) or None):>9}" for figure in columns.values())
        speed = f"{summary.pages_per_second:>13.1f}{summary.slowest:>11.2f}"
        lines.append(f"{name:<26}{cells}{speed}{summary.failed:>8}")
    return "\n".join(lines)


def _costs(verdicts: Verdicts) -> str:
    heads = "| extractor | CPU-s | pages/CPU-s | slowest page s | failed |"
    rows = [heads, "|---|---:|---:|---:|---:|"]
    for name, own in verdicts.items():
        one = summary_of(own)
        speed = f"{one.seconds:.1f} | {one.pages_per_second:.1f} | {one.slowest:.2f}"
        rows.append(f"| {name} | {speed} | {one.failed} |")
    return "\n".join(rows)


def _grouped(
    verdicts: Verdicts, group_of: Callable[[Verdict], str]
) -> dict[str, dict[str, Summary]]:
    """Return a summary for each extractor in each group of pages, the largest group first."""
    sizes = Counter(group_of(one) for one in next(iter(verdicts.values())))
    few = {group for group, size in sizes.items() if size < _FEW} if len(sizes) > 30 else set()
    return {
        group: {
            name: summary_of([one for one in own if group_of(one) == group])
            for name, own in verdicts.items()
        }
        for group, _ in sizes.most_common()
        if group not in few
    }


def _pages(own: Mapping[str, Summary]) -> int:
    return max(summary.figures.pages for summary in own.values())


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}".removeprefix("0")


def _heads(start: Sequence[str], names: Sequence[str]) -> str:
    return f"{start[0]:<18}{start[1]:>6}" + "".join(f"{name:>{_width(name)}}" for name in names)


def _line(title: str, pages: int, names: Sequence[str], row: Sequence[float | None]) -> str:
    cells = (f"{_share(x):>{_width(name)}}" for name, x in zip(names, row, strict=True))
    return f"{title:<18}{pages:>6}" + "".join(cells)


def _width(name: str) -> int:
    return max(7, len(name) + 2)


def _markdown(
    title: str, names: Sequence[str], rows: Mapping[str, Sequence[float | None]],
    sizes: Mapping[str, int],
) -> str:  # fmt: skip
    lines = [f"| {title} | pages | {' | '.join(names)} |", "|---|" + "---:|" * (len(names) + 1)]
    for group, row in rows.items():
        cells = " | ".join(map(_share, row))
        lines.append(f"| {group} | {sizes.get(group, '')} | {cells} |")
    return "\n".join(lines)
