"""A map as an SVG picture with fixed positions and colours; it needs no script and no network."""

from collections.abc import Iterable, Iterator
from math import sqrt

from telusur.graph.contract import MapNode, WebMap
from telusur.graph.formats import xml_text, xml_value
from telusur.web.frame.site_colours import SHADES, SITE_HUES, Hues, shade_of
from telusur.web.frame.text import clean_line
from telusur.web.frame.urls import live_href

# The light colours of tokens.css: a picture is saved, printed and sent to others.
HUES = (
    "#1f7a8c", "#b5651d", "#4f5cc9", "#4c8a3f", "#a8477a", "#8a7a1f", "#1b78bb", "#8b5a4a",
    "#9040b8", "#2f8a6b", "#c04f4f", "#66696d",
    "#c9c4b8", "#b3c7c2", "#7fb0ae", "#3f8c8f", "#0b6169",
)  # fmt: skip
PAPER, LINE, FAINT, INK = "#faf9f6", "#dedad1", "#8b867a", "#1c2326"
SIZE = 1000
MARGIN = 30
LEGEND_ROWS = 12
_ROW = 20


def radius_of(rank: float) -> float:
    """Return the radius of a page: its area grows with its rank."""
    return 2.5 + min(2.2 * sqrt(max(rank, 0.0)), 16.0)


def write_svg(shown: WebMap, title: str, hues: Hues, *, by_topic: bool = False) -> Iterator[str]:
    """Yield the picture, coloured by site or by topic score."""
    places = list(_fit(shown.nodes))
    rows = _topic_legend() if by_topic else _site_legend(shown, hues)
    height = SIZE + _ROW * len(rows) + MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {height}" role="img"'
        ' font-family="sans-serif" font-size="14">\n'
    )
    yield f"<title>{xml_text(clean_line(title))}</title>\n"
    yield f'<rect width="{SIZE}" height="{height}" fill="{PAPER}"/>\n'
    for is_tree, colour in ((False, LINE), (True, FAINT)):
        parts = (
            f"M{places[link.source][0]:.0f} {places[link.source][1]:.0f}"
            f"L{places[link.target][0]:.0f} {places[link.target][1]:.0f}"
            for link in shown.links
            if link.tree is is_tree
        )
        yield f'<path fill="none" stroke="{colour}" stroke-width="0.6" d="{"".join(parts)}"/>\n'
    for node, (x, y) in zip(shown.nodes, places, strict=True):
        yield _draw(node, x, y, _colour(node, hues, by_topic=by_topic))
    for number, (colour, words) in enumerate(rows):
        y = SIZE + _ROW * number + 10
        yield f'<circle cx="{MARGIN}" cy="{y}" r="6" fill="{colour}"/>'
        yield f'<text x="{MARGIN + 14}" y="{y + 5}" fill="{INK}">{xml_text(words)}</text>\n'
    yield "</svg>\n"


def _site_legend(shown: WebMap, hues: Hues) -> list[tuple[str, str]]:
    return [
        (HUES[hues.of(site.domain)], f"{clean_line(site.domain, 80)}: {site.pages:,}")
        for site in shown.sites[:LEGEND_ROWS]
    ]


def _topic_legend() -> list[tuple[str, str]]:
    return [
        (HUES[SITE_HUES + shade], f"topic score from {shade / SHADES:g}") for shade in range(SHADES)
    ]


def _colour(node: MapNode, hues: Hues, *, by_topic: bool) -> str:
    if not node.fits or (by_topic and node.topic is None):
        return FAINT
    return HUES[shade_of(node.topic or 0.0) if by_topic else hues.of(node.domain)]


def _draw(node: MapNode, x: float, y: float, colour: str) -> str:
    name = xml_text(clean_line(node.title or node.url))
    circle = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius_of(node.rank):.1f}" fill="{colour}">'
        f"<title>{name}</title></circle>"
    )
    href = live_href(node.url)
    return f"<a href={xml_value(href)}>{circle}</a>\n" if href else f"{circle}\n"


def _fit(nodes: Iterable[MapNode]) -> Iterator[tuple[float, float]]:
    """Yield the position of each page; the map is scaled to fill the picture."""
    points = [(node.x, node.y) for node in nodes]
    reach = max((max(abs(x), abs(y)) for x, y in points), default=1.0) or 1.0
    scale = min((SIZE / 2 - MARGIN) / reach, 3.0)
    return ((SIZE / 2 + x * scale, SIZE / 2 + y * scale) for x, y in points)
