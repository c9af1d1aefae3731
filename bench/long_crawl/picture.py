"""Draws a crawl as SVG: pages per second above, memory below, over the pages fetched."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log10
from statistics import median

WIDTH, PANEL = 860, 210
LEFT, RIGHT, TOP, GAP, BOTTOM = 64, 150, 40, 58, 48
SPEED, BY_CPU, MEMORY, OWN = "#1f6feb", "#1a7f37", "#d1570a", "#7d4a9e"
GRID, INK = "#d8dee4", "#24292f"
# The speed at a moment is measured over this many seconds around it.
WINDOW_SECONDS = 20.0
# The name of a line stands as high as the line at its end.
LAST_POINTS = 60


@dataclass(slots=True, frozen=True)
class Moment:
    """The crawl at one moment: seconds since its start, pages fetched, memory in MB.

    `own_mb` leaves out mapped files, which the system can reclaim. `cpu` is CPU seconds so far.
    """

    at: float
    pages: int
    memory_mb: float
    own_mb: float
    cpu: float


Point = tuple[float, float]


def draw(moments: Sequence[Moment]) -> str:
    """Return the picture."""
    most_pages = max(moment.pages for moment in moments)
    speeds = list(speeds_of(moments, lambda moment: moment.at))
    by_cpu = list(speeds_of(moments, lambda moment: moment.cpu))
    memory = [(moment.pages, moment.memory_mb) for moment in moments]
    own = [(moment.pages, moment.own_mb) for moment in moments]
    height = TOP + 2 * PANEL + GAP + BOTTOM
    second = TOP + PANEL + GAP
    body = [
        *_panel(
            TOP, "pages", most_pages,
            [(by_cpu, BY_CPU, "per CPU second"), (speeds, SPEED, "per second")],
        ),
        *_panel(
            second, "memory in MB (proportional set size, all processes)", most_pages,
            [(memory, MEMORY, "all"), (own, OWN, "without mapped files")],
        ),
        _text(LEFT + _inner() / 2, height - 10, "pages fetched", "middle"),
    ]  # fmt: skip
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'font-family="sans-serif" font-size="13" fill="{INK}">'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    )
    return "\n".join([head, *body, "</svg>\n"])


def speeds_of(moments: Sequence[Moment], clock: Callable[[Moment], float]) -> Iterator[Point]:
    """Yield pages fetched, and pages per second of a clock."""
    start = 0
    for end, moment in enumerate(moments):
        while moments[start].at < moment.at - WINDOW_SECONDS:
            start += 1
        passed = clock(moment) - clock(moments[start])
        if moment.at - moments[start].at >= WINDOW_SECONDS / 2 and end > start and passed > 0:
            yield moment.pages, (moment.pages - moments[start].pages) / passed


def _panel(
    top: float, title: str, most_x: float, lines: Iterable[tuple[Sequence[Point], str, str]]
) -> Iterator[str]:
    drawn = [line for line in lines if line[0]]
    ticks_x, ticks_y = ticks(most_x), ticks(max(y for points, *_ in drawn for _, y in points))

    def place(x: float, y: float) -> Point:
        return LEFT + x / ticks_x[-1] * _inner(), top + PANEL * (1 - y / ticks_y[-1])

    yield _text(LEFT, top - 14, title, "start", "bold")
    yield from _grid(place, ticks_x, ticks_y)
    for points, colour, name in drawn:
        path = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>'
        x, y = place(points[-1][0], median(y for _, y in points[-LAST_POINTS:]))
        yield _text(x + 8, y + 4, name, "start", colour=colour)


def _grid(
    place: Callable[[float, float], Point], ticks_x: Sequence[float], ticks_y: Sequence[float]
) -> Iterator[str]:
    for value in ticks_y:
        (x, y), (end, _) = place(0, value), place(ticks_x[-1], value)
        yield f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{end:.1f}" y2="{y:.1f}" stroke="{GRID}"/>'
        yield _text(x - 8, y + 4, f"{value:,.0f}", "end")
    for value in ticks_x:
        x, y = place(value, 0)
        yield _text(x, y + 18, f"{value:,.0f}", "middle")


def ticks(most: float) -> list[float]:
    """Return round numbers from 0 to at least `most`, four to eight of them."""
    size = 10.0 ** ceil(log10(max(most, 1e-9)) - 1)
    step = next(
        part * size for part in (0.2, 0.25, 0.5, 1.0, 2.0, 2.5) if most / (part * size) <= 6
    )
    return [step * number for number in range(ceil(most / step) + 1)]


def _inner() -> float:
    return WIDTH - LEFT - RIGHT


def _text(
    x: float, y: float, words: str, anchor: str, weight: str = "normal", *, colour: str = INK
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{colour}">{words}</text>'
    )
