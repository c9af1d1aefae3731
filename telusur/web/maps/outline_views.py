"""The outline on a page: the path to one page is open, everything else closed."""

from dataclasses import dataclass

from telusur.graph.contract import Branch, Branches
from telusur.web.frame import urls
from telusur.web.frame.site_colours import Hues
from telusur.web.maps.api import BranchView, view_branch
from telusur.web.reader import MapReader

BRANCHES_SHOWN = 50
# Only the end of a longer path is shown: deeper lists do not fit on a screen.
MOST_LEVELS = 30


@dataclass(slots=True, frozen=True)
class ItemView:
    """A page in the outline, with the pages found on it if it is open."""

    branch: BranchView
    page_url: str
    toggle_url: str
    is_selected: bool
    inside: "ListView | None" = None


@dataclass(slots=True, frozen=True)
class ListView:
    """Some of the pages found on one page, and links to the others."""

    parent: str
    start: int
    total: int
    items: list[ItemView]
    earlier_url: str | None
    later_url: str | None


def view_tree(maps: MapReader, selected: str, start: int, hues: Hues) -> tuple[ListView, bool]:
    """Return the outline opened at a page, and whether the beginning of the path is left out.

    `start` is the first of the page's own branches that is shown.
    """
    way = maps.way_to(selected) if selected else ()
    is_cut = len(way) > MOST_LEVELS
    way = way[-MOST_LEVELS:]
    inside: ListView | None = None
    if way and (found := maps.branches(way[-1].url, start, BRANCHES_SHOWN)) and found.total:
        inside = _view_list(found, None, None, hues, selected="")
    for at in range(len(way) - 1, -1, -1):
        parent = way[at - 1].url if at else ""
        if is_cut and not at:
            found = Branches(None, way[:1], 0, 1)
        else:
            first = way[at].at // BRANCHES_SHOWN * BRANCHES_SHOWN
            found = maps.branches(parent, first, BRANCHES_SHOWN)
        assert found is not None, "a page of the way is gone"
        inside = _view_list(found, way[at], inside, hues, selected=way[-1].url)
    if inside is None:
        roots = maps.branches("", start, BRANCHES_SHOWN)
        assert roots is not None, "there is always a list of start URLs"
        inside = _view_list(roots, None, None, hues, selected="")
    return inside, is_cut


def _view_list(
    found: Branches, opened: Branch | None, inside: ListView | None, hues: Hues, *, selected: str
) -> ListView:
    parent = found.parent.url if found.parent else ""
    end = found.start + len(found.branches)
    before = max(found.start - BRANCHES_SHOWN, 0)
    items = []
    for branch in found.branches:
        is_open = opened is not None and branch.url == opened.url
        items.append(
            ItemView(
                branch=view_branch(branch, hues),
                page_url=urls.page_url(branch.url),
                toggle_url=urls.branches_url(parent if is_open else branch.url),
                is_selected=is_open and branch.url == selected,
                inside=inside if is_open else None,
            )
        )
    return ListView(
        parent=parent,
        start=found.start,
        total=found.total,
        items=items,
        earlier_url=urls.branches_url(parent, before) if found.start else None,
        later_url=urls.branches_url(parent, end) if end < found.total else None,
    )
