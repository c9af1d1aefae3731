"""A map as a picture that needs no script and no network: SVG with fixed places and colours."""

from collections.abc import Iterable, Iterator
from math import sqrt

from telusur.graph.contract import MapNode, WebMap
from telusur.graph.formats import xml_text, xml_value
from telusur.web.text import clean_line
from telusur.web.urls import live_href
from telusur.web.views import hue_of

# Those of tokens.css for light paper: a picture is saved, printed and sent around.
HUES = (
    "#1f7a8c", "#b5651d", "#5b6abf", "#4c8a3f", "#a8477a", "#8a7a1f", "#2f6fb0", "#8b5a4a",
    "#7a4fb0", "#2f8a6b", "#c04f4f", "#5f7486",
)  # fmt: skip
PAPER, LINE, FAINT, INK = "#faf9f6", "#dedad1", "#8b867a", "#1c2326"
SIZE = 1000
MARGIN = 30
LEGEND_ROWS = 12
_ROW = 20


def radius_of(rank: float) -> float:
    """Return how large a page is drawn: its area grows with its rank."""
    return 2.5 + min(2.2 * sqrt(max(rank, 0.0)), 16.0)


def write_svg(shown: WebMap, title: str) -> Iterator[str]:
    """Yield the picture."""
    places = list(_fit(shown.nodes))
    rows = shown.sites[:LEGEND_ROWS]
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
        yield _draw(node, x, y)
    for number, site in enumerate(rows):
        y = SIZE + _ROW * number + 10
        yield f'<circle cx="{MARGIN}" cy="{y}" r="6" fill="{HUES[hue_of(site.domain)]}"/>'
        name = xml_text(clean_line(site.domain, 80))
        yield f'<text x="{MARGIN + 14}" y="{y + 5}" fill="{INK}">{name}: {site.pages:,}</text>\n'
    yield "</svg>\n"


def _draw(node: MapNode, x: float, y: float) -> str:
    name = xml_text(clean_line(node.title or node.url))
    colour = HUES[hue_of(node.domain)] if node.fits else FAINT
    circle = (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius_of(node.rank):.1f}" fill="{colour}">'
        f"<title>{name}</title></circle>"
    )
    href = live_href(node.url)
    return f"<a href={xml_value(href)}>{circle}</a>\n" if href else f"{circle}\n"


def _fit(nodes: Iterable[MapNode]) -> Iterator[tuple[float, float]]:
    """Yield where each page is drawn, the whole map as large as fits."""
    points = [(node.x, node.y) for node in nodes]
    reach = max((max(abs(x), abs(y)) for x, y in points), default=1.0) or 1.0
    scale = min((SIZE / 2 - MARGIN) / reach, 3.0)
    return ((SIZE / 2 + x * scale, SIZE / 2 + y * scale) for x, y in points)
