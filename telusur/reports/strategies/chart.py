"""Draws the curves of several strategies as one SVG, for files and the workbench."""

from collections.abc import Callable, Sequence
from html import escape

from telusur.reports.strategies.harvest import HarvestCourse

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 56, 180, 36, 44
TICKS = 5
# Distinguishable with colour blindness, on white and on black.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#7f7f7f", "#9467bd")
DASHES = ("", "7 3", "2 3", "9 3 2 3")

Height = Callable[[HarvestCourse, int, int], float]


def recall_height(course: HarvestCourse, pages: int, relevant: int) -> float:
    """Return the share of the known relevant pages fetched so far."""
    return relevant / course.known if course.known else 0.0


def harvest_height(course: HarvestCourse, pages: int, relevant: int) -> float:
    """Return the share of the pages fetched so far that are relevant."""
    return relevant / pages if pages else 0.0


def draw(courses: Sequence[HarvestCourse], title: str, height: Height) -> str:
    """Return the chart: pages fetched on the x axis, a share from 0 to 1 on the y axis."""
    most = max([1, *(course.pages for course in courses)])
    lines = [_line(course, number, most, height) for number, course in enumerate(courses)]
    names = [_name(course, number) for number, course in enumerate(courses)]
    spoken = "; ".join(f"{course.strategy} {_last(course, height):.2f}" for course in courses)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="currentColor">'
        f"<title>{escape(title)}</title><desc>{escape(spoken)}</desc>"
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="600">{escape(title)}</text>'
        f"{_grid(most)}{''.join(lines)}{''.join(names)}</svg>"
    )


def as_file(picture: str) -> str:
    """Return a stand-alone picture: black on white."""
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    head, rest = picture.split(">", 1)
    return f'{head} color="#111" width="{WIDTH}" height="{HEIGHT}">{ground}{rest}\n'


def _last(course: HarvestCourse, height: Height) -> float:
    return height(course, *course.curve[-1])


def _x(pages: float, most: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * pages / most, 1)


def _y(share: float) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(1.0, share), 1)


def _grid(most: int) -> str:
    parts = []
    for tick in range(TICKS + 1):
        share = tick / TICKS
        y, x = _y(share), _x(share * most, most)
        parts.append(
            f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity=".15"/>'
            f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{share:.1f}</text>'
            f'<text x="{x}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">'
            f"{round(share * most):,}</text>"
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    label = f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">pages fetched</text>'
    return "".join(parts) + label


def _style(number: int) -> str:
    dash = DASHES[number // len(COLOURS) % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="2"{dashed}'


def _line(course: HarvestCourse, number: int, most: int, height: Height) -> str:
    points = " ".join(
        f"{_x(pages, most)},{_y(height(course, pages, relevant))}"
        for pages, relevant in course.curve
    )
    return f'<polyline points="{points}" {_style(number)}/>'


def _name(course: HarvestCourse, number: int) -> str:
    x, y = WIDTH - RIGHT + 16, TOP + 16 + 20 * number
    return (
        f'<path d="M{x} {y - 4}h22" {_style(number)}/>'
        f'<text x="{x + 28}" y="{y}">{escape(course.strategy)}</text>'
    )
