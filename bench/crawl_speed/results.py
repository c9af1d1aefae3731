"""The results of all rounds as one table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from bench.crawl_speed.measure import Cost

# The two settings of Telusur that others are compared with: less work, and all of it.
CRAWL, WHOLE = "telusur", "telusur-default"
# Runs of so different lengths say nothing about each other: the first pages are the heaviest.
SAME_LENGTH = 1.2

Round = Mapping[str, "Result"]


@dataclass(slots=True, frozen=True)
class Result:
    """One run of one crawler."""

    name: str
    what: str
    pages: int
    cost: Cost

    @property
    def cpu_per_thousand(self) -> float:
        """CPU seconds for a thousand pages, all processes together."""
        return 1000 * self.cost.cpu_seconds / max(1, self.pages)

    @property
    def pages_per_second(self) -> float:
        """Pages saved in a second from start to end of the program."""
        return self.pages / self.cost.wall_seconds


def table(rounds: Sequence[Round], names: Sequence[str]) -> str:
    """Return the medians of all rounds as a Markdown table, with the spread of the ratios.

    A ratio is the CPU of a crawler divided by that of Telusur in the same round.
    """
    head = (
        "| crawler | setting | pages | CPU-s per 1,000 | to the whole pipeline "
        "| to the crawl alone | pages/s | peak MB |\n|---|---|---:|---:|---:|---:|---:|---:|"
    )
    return "\n".join([head, *(_row(rounds, name) for name in names)])


def short_line(result: Result) -> str:
    """Return one run in one line."""
    over = " (cut off)" if result.cost.timed_out else ""
    return (
        f"{result.name}{over}: {result.pages:,} pages, {result.cpu_per_thousand:.2f} CPU-s per "
        f"1,000, {result.pages_per_second:,.0f} pages/s, {result.cost.peak_mb:.0f} MB"
    )


def split_lines(rounds: Sequence[Round]) -> Iterator[str]:
    """Yield which of its processes took how much of a crawler's CPU time, by medians."""
    for name, first in rounds[0].items():
        if len(first.cost.split) > 1:
            shares = {role: _median_share(rounds, name, role) for role in first.cost.split}
            ordered = sorted(shares.items(), key=lambda pair: -pair[1])
            words = ", ".join(f"{role} {seconds:.2f}" for role, seconds in ordered)
            yield f"{name}, CPU-s per 1,000 pages by process: {words}"


def _median_share(rounds: Sequence[Round], name: str, role: str) -> float:
    runs = [results[name] for results in rounds]
    return median(1000 * run.cost.split.get(role, 0.0) / max(1, run.pages) for run in runs)


def _row(rounds: Sequence[Round], name: str) -> str:
    runs = [results[name] for results in rounds]
    over = " (cut off)" if any(run.cost.timed_out for run in runs) else ""
    return (
        f"| {name} | {runs[0].what}{over} | {median(run.pages for run in runs):,.0f} "
        f"| {median(run.cpu_per_thousand for run in runs):.2f} "
        f"| {_ratio(rounds, name, WHOLE)} | {_ratio(rounds, name, CRAWL)} "
        f"| {median(run.pages_per_second for run in runs):,.0f} "
        f"| {median(run.cost.peak_mb for run in runs):.0f} |"
    )


def _ratio(rounds: Sequence[Round], name: str, base: str) -> str:
    """Return the median and the range of the ratios; a dash where there is nothing to compare."""
    pairs = [(results[name], results[base]) for results in rounds if base in results]
    if not pairs or any(_differ(run, other) for run, other in pairs):
        return "–"
    ratios = [run.cpu_per_thousand / other.cpu_per_thousand for run, other in pairs]
    return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def _differ(run: Result, other: Result) -> bool:
    return max(run.pages, other.pages) > SAME_LENGTH * min(run.pages, other.pages)
