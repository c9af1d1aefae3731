"""Small charts over time as SVG, drawn by the server: numbers in, paths out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from telusur.adapters.timeline_file import Sample

WIDTH, HEIGHT = 600, 100
SPARK = (120, 24)
_SMOOTHED_STEPS = 60
"""Speeds are averages over a sixtieth of the crawl, at least over two samples."""

Point = tuple[float, float]


@dataclass(slots=True, frozen=True)
class Chart:
    """A line over time. `most` is the value at the top; the line ends at `now`."""

    name: str
    title: str
    line: str
    area: str
    now: str
    most: str
    text: str
    """What it shows, for those who do not see it."""
    width: int = WIDTH
    height: int = HEIGHT


def draw(
    name: str,
    title: str,
    points: Sequence[Point],
    show: Callable[[float], str],
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> Chart:
    """Return the chart of these points, which are in order of time."""
    width, height = size
    most = max((value for _, value in points), default=0.0)
    now = points[-1][1] if points else 0.0
    line = _line(points, most, width, height)
    area = f"{line}V{height}H0Z" if line else ""
    text = f"{title}: now {show(now)}, at most {show(most)}"
    return Chart(name, title, line, area, show(now), show(most), text, width, height)


def _line(points: Sequence[Point], most: float, width: int, height: int) -> str:
    if len(points) < 2:
        return ""
    first, last = points[0][0], points[-1][0]
    span, room = max(last - first, 1e-9), height - 2
    steps = [
        f"{(at - first) / span * width:.1f} {height - 1 - room * value / (most or 1):.1f}"
        for at, value in points
    ]
    return "M" + "L".join(steps)


def speeds(samples: Sequence[Sample]) -> list[Point]:
    """Return pages a second over time."""
    step = max(len(samples) // _SMOOTHED_STEPS, 1)
    picked = [*samples[::step], *(samples[-1:] if (len(samples) - 1) % step else ())]
    return [
        (later.at, max(later.fetched - earlier.fetched, 0) / max(later.at - earlier.at, 0.2))
        for earlier, later in pairwise(picked)
    ]


def draw_all(samples: Sequence[Sample], show_bytes: Callable[[float], str]) -> list[Chart]:
    """Return the charts of a crawl; none while there is nothing to draw."""
    if len(samples) < 3:
        return []

    def over_time(read: Callable[[Sample], float | None]) -> list[Point]:
        return [(one.at, float(read(one) or 0)) for one in samples]

    charts = [
        draw("speed", "Pages a second", speeds(samples), lambda value: f"{value:,.1f}"),
        draw("done", "Done", over_time(lambda one: one.done), show_count),
        draw("waiting", "Waiting", over_time(lambda one: one.waiting), show_count),
        draw("found", "URLs known", over_time(lambda one: one.found), show_count),
        draw("failed", "Failed", over_time(lambda one: one.failed), show_count),
    ]
    if any(one.memory_bytes for one in samples):
        memory = over_time(lambda one: one.memory_bytes)
        charts.append(draw("memory", "Memory", memory, show_bytes))
    return charts


def draw_spark(samples: Sequence[Sample]) -> Chart:
    """Return pages fetched over time, small enough for a line of a table."""
    points = [(one.at, float(one.pages)) for one in samples]
    return draw("spark", "Pages fetched over time", points, show_count, SPARK)


def show_count(number: float) -> str:
    """Return a number as people read it."""
    return f"{round(number):,}"
