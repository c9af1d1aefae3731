"""Results as Markdown tables and as lines of JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from contestants import Contestant

from telusur.learn.measures import ALL_TYPES, Figures

# The extractor that the others are compared with, page type by page type.
MEASURE = "trafilatura"
SPEED_MEASURES = ("trafilatura", "resiliparse")


@dataclass(slots=True, frozen=True)
class Cost:
    """What the best round of an extractor took."""

    cpu_seconds: float
    worst_seconds: float
    worst_page: str
    peak_mb: float


@dataclass(slots=True, frozen=True)
class Result:
    """One extractor on all pages; `figures` by page type, those of all pages first."""

    contestant: Contestant
    figures: dict[str, Figures]
    cost: Cost
    failed: int

    @property
    def pages_per_second(self) -> float:
        """Pages in a second of CPU time."""
        return self.figures[ALL_TYPES].pages / max(1e-9, self.cost.cpu_seconds)


def show(results: Sequence[Result]) -> str:
    """Return all tables."""
    parts = [quality_table(results), type_table(results)]
    if any(one.contestant.name == MEASURE for one in results) and len(results) > 1:
        parts.append(difference_table(results))
    parts.append(cost_table(results))
    return "\n\n".join(parts)


def quality_table(results: Sequence[Result]) -> str:
    """Return text and facts over all pages."""
    head = (
        "| extractor | setting | BoW P | BoW R | BoW F1 | 4-gram P | R | F1 | page F1 | with "
        "| without | title | author | date |\n|---|---|" + "---:|" * 12
    )
    return "\n".join([head, *map(_quality_row, results)])


def _quality_row(result: Result) -> str:
    all_pages = result.figures[ALL_TYPES]
    words, runs = all_pages.words, all_pages.runs
    figures = (
        words and words.precision, words and words.recall, all_pages.words_f1,
        runs and runs.precision, runs and runs.recall, runs and runs.f1, all_pages.runs_f1,
        all_pages.wanted, all_pages.unwanted,
    )  # fmt: skip
    facts = (all_pages.title, all_pages.author, all_pages.date)
    return _row(
        result.contestant.name, result.contestant.what, *map(_share, figures),
        *(_share(fact or None) for fact in facts),  # never right: it does not give any
    )  # fmt: skip


def type_table(results: Sequence[Result]) -> str:
    """Return the bag-of-words F1 by page type."""
    types = [name for name in results[0].figures if name != ALL_TYPES]
    counts = [results[0].figures[name].pages for name in types]
    titles = [f"{name} ({count})" for name, count in zip(types, counts, strict=True)]
    lines = [_row("BoW F1", *titles), _row("---", *["---:"] * len(types))]
    for result in results:
        figures = (result.figures[name].words_f1 for name in types)
        lines.append(_row(result.contestant.name, *map(_share, figures)))
    return "\n".join(lines)


def difference_table(results: Sequence[Result]) -> str:
    """Return how far each is above (+) or below (-) the measure, by page type."""
    measure = next(one for one in results if one.contestant.name == MEASURE)
    types = list(measure.figures)
    lines = [_row(f"BoW F1 - {MEASURE}'s", *types), _row("---", *["---:"] * len(types))]
    for result in results:
        if result is not measure:
            differences = (
                _difference(result.figures[name].words_f1, measure.figures[name].words_f1)
                for name in types
            )
            lines.append(_row(result.contestant.name, *differences))
    return "\n".join(lines)


def cost_table(results: Sequence[Result]) -> str:
    """Return CPU and memory, and the speed as a multiple of the measures'."""
    bases = [one for one in results if one.contestant.name in SPEED_MEASURES]
    titles = [f"times {base.contestant.name}" for base in bases]
    head = ["extractor", "CPU-s", "pages/CPU-s", *titles, "worst page s", "peak MB", "failed"]
    lines = [_row(*head), _row("---", *["---:"] * (len(head) - 1))]
    for result in results:
        ratios = [f"{result.pages_per_second / base.pages_per_second:.2f}" for base in bases]
        cost = result.cost
        lines.append(_row(
            result.contestant.name, f"{cost.cpu_seconds:.1f}", f"{result.pages_per_second:,.0f}",
            *ratios, f"{cost.worst_seconds:.2f} ({cost.worst_page})", f"{cost.peak_mb:.0f}",
            str(result.failed),
        ))  # fmt: skip
    return "\n".join(lines)


def json_lines(results: Sequence[Result], summary: dict[str, Any]) -> str:
    """Return one object a line, the last one of type `summary`."""
    lines = [
        {
            "type": "extractor", "name": one.contestant.name, "setting": one.contestant.what,
            "figures": {name: _plain(figures) for name, figures in one.figures.items()},
            "cost": asdict(one.cost), "pages_per_cpu_second": one.pages_per_second,
            "failed": one.failed,
        }
        for one in results
    ]  # fmt: skip
    return "\n".join(json.dumps(line) for line in [*lines, {"type": "summary", **summary}])


def _plain(figures: Figures) -> dict[str, Any]:
    plain = asdict(figures)
    for name, overlap in (("words", figures.words), ("runs", figures.runs)):
        plain[name] = overlap and {**overlap._asdict(), "f1": overlap.f1}
    return plain


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}".removeprefix("0")


def _difference(value: float | None, base: float | None) -> str:
    return "-" if value is None or base is None else f"{value - base:+.3f}"
