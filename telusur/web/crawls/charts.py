"""Small charts over time as SVG, drawn by the server: numbers in, paths out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from telusur.pipeline.control.progress import RECENT_SECONDS
from telusur.store.views import TimelinePoint

WIDTH, HEIGHT = 600, 100
SPARK = (120, 24)
# The speeds of a long crawl are averages over this fraction of it.
_STEPS = 60
# Two samples may be taken in the same moment.
_SHORTEST_SECONDS = 0.2

Point = tuple[float, float]


@dataclass(slots=True, frozen=True)
class Chart:
    """A line over time. `most` is the value at its highest point, `now` the current value."""

    name: str
    title: str
    line: str
    area: str
    now: str
    most: str
    # Both values in words.
    caption: str
    # A description for screen readers.
    text: str
    width: int = WIDTH
    height: int = HEIGHT


def draw(
    name: str,
    title: str,
    points: Sequence[Point],
    show: Callable[[float], str],
    size: tuple[int, int] = (WIDTH, HEIGHT),
    *,
    now: float | None = None,
    meaning: str = "now",
) -> Chart:
    """Return the chart of these points, which are in order of time.

    The last point is the current value unless `now` gives another; `meaning` is what the caption
    calls it.
    """
    width, height = size
    most = max((value for _, value in points), default=0.0)
    if now is None:
        now = points[-1][1] if points else 0.0
    most = max(most, now)
    line = _line(points, most, width, height)
    area = f"{line}V{height}H0Z" if line else ""
    caption = f"{meaning} {show(now)}, maximum {show(most)}"
    text = f"{title}: {caption}"
    return Chart(name, title, line, area, show(now), show(most), caption, text, width, height)


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


def speeds(samples: Sequence[TimelinePoint]) -> list[Point]:
    """Return pages per second over time, each an average over the seconds before it.

    The average covers as many seconds as the current speed does, or a sixtieth of a long crawl.
    """
    if not samples:
        return []
    window = _window(samples)
    # A new run counts from zero.
    gains = (max(later.fetched - earlier.fetched, 0) for earlier, later in pairwise(samples))
    totals = list(accumulate(gains, initial=0))
    points, start = [], 0
    for number, one in enumerate(samples[1:], start=1):
        while start + 1 < number and samples[start + 1].at <= one.at - window:
            start += 1
        seconds = max(one.at - samples[start].at, _SHORTEST_SECONDS)
        points.append((one.at, (totals[number] - totals[start]) / seconds))
    return points


def _window(samples: Sequence[TimelinePoint]) -> float:
    return max(RECENT_SECONDS, (samples[-1].at - samples[0].at) / _STEPS)


def draw_all(
    samples: Sequence[TimelinePoint], show_bytes: Callable[[float], str], speed: float | None = None
) -> list[Chart]:
    """Return the charts of a crawl; none while there is nothing to draw.

    `speed` is the current speed, or None after the end.
    """
    if len(samples) < 3:
        return []
    meaning = "last" if speed is None else "now"

    def over_time(
        name: str,
        title: str,
        read: Callable[[TimelinePoint], float | None],
        show: Callable[[float], str] = show_count,
    ) -> Chart:
        points = [(one.at, float(read(one) or 0)) for one in samples]
        return draw(name, title, points, show, meaning=meaning)

    charts = [
        _draw_speed(samples, speed),
        over_time("done", "Done", lambda one: one.done),
        over_time("waiting", "Waiting", lambda one: one.waiting),
        over_time("found", "Known URLs", lambda one: one.found),
        over_time("failed", "Failed", lambda one: one.failed),
    ]
    if any(one.memory_bytes for one in samples):
        charts.append(over_time("memory", "Memory", lambda one: one.memory_bytes, show_bytes))
    return charts


def _draw_speed(samples: Sequence[TimelinePoint], speed: float | None) -> Chart:
    """Return the chart of the speed: with the current speed, or with the average after the end.

    The line ends in the current speed if that is an average over as many seconds as the line, and
    at 0 in a pause. The smoothed line of a long crawl would jump at its end.
    """
    points = speeds(samples)
    if speed is not None and (speed == 0 or _window(samples) == RECENT_SECONDS):
        points[-1] = (points[-1][0], speed)
    if speed is not None:
        return draw("speed", "Pages per second", points, _show_speed, now=speed)
    average = _average_speed(samples)
    return draw("speed", "Pages per second", points, _show_speed, now=average, meaning="average")


def _average_speed(samples: Sequence[TimelinePoint]) -> float:
    first, last = samples[0], samples[-1]
    return max(last.fetched - first.fetched, 0) / max(last.at - first.at, _SHORTEST_SECONDS)


def draw_spark(samples: Sequence[TimelinePoint]) -> Chart:
    """Return pages fetched over time, small enough for a table row."""
    points = [(one.at, float(one.pages)) for one in samples]
    return draw("spark", "Pages fetched over time", points, show_count, SPARK)


def show_count(number: float) -> str:
    """Return a number with thousands separators."""
    return f"{round(number):,}"


def _show_speed(speed: float) -> str:
    return f"{speed:,.1f}"
