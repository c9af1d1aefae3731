"""Small pictures of where the blocks of a cluster stand on a page, as SVG paths."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from telusur.reports.clusters.places import BlockPlace, PagePlaces

WIDTH, HEIGHT = 100, 140
# Thinner rectangles would be invisible.
_LEAST = 3
_LEAST_OF_ALL = 1


@dataclass(slots=True, frozen=True)
class Picture:
    """A page in grey, by the number of its `<path>`, and the blocks of a cluster on it."""

    page: int
    path: str
    url: str


def draw_pages(pages: Sequence[PagePlaces]) -> list[str]:
    """Return the blocks of each page as one path."""
    return [_path(page, page.places, _LEAST_OF_ALL) for page in pages]


def draw_cluster(pages: Sequence[PagePlaces], cluster: int) -> Picture | None:
    """Return the blocks of a cluster on the first page that has some; None if no page has."""
    for number, page in enumerate(pages):
        if own := [place for place in page.places if place.cluster == cluster]:
            return Picture(number, _path(page, own, _LEAST), page.url)
    return None


def _path(page: PagePlaces, places: Iterable[BlockPlace], least: int) -> str:
    """Return rectangles scaled to the picture, equal ones once."""
    by, down = WIDTH / page.width, HEIGHT / page.height
    drawn = dict.fromkeys(_rectangle(place, by, down, least) for place in places)
    return "".join(drawn)


def _rectangle(place: BlockPlace, by: float, down: float, least: int) -> str:
    width, height = max(round(place.width * by), least), max(round(place.height * down), least)
    x, y = min(round(place.x * by), WIDTH - least), min(round(place.y * down), HEIGHT - least)
    return f"M{x} {y}h{width}v{height}h-{width}z"
