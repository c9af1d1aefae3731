"""The links of the bar at the top of every page, as one table."""

from dataclasses import dataclass
from typing import Any

from telusur.web.frame import urls


@dataclass(slots=True, frozen=True)
class NavigationEntry:
    """One link of the bar; a template names its own entry with `{% block here %}`."""

    name: str
    label: str
    path: str
    # Shown only on pages about a collection; a server of several also has pages about all of them.
    in_collection: bool = True
    # Shown only if crawls may be watched.
    of_crawls: bool = False
    # Shown only on a server of several collections; its address is the same in all of them.
    of_shelf: bool = False

    @property
    def address(self) -> str:
        """Return its address: inside the shown collection, unless it is about all of them."""
        return self.path if self.of_shelf else urls.here(self.path)


NAVIGATION = (
    NavigationEntry("collections", "Collections", urls.HOME, in_collection=False, of_shelf=True),
    NavigationEntry("search", "Search", urls.HOME),
    NavigationEntry("crawls", "Crawls", urls.CRAWLS, in_collection=False, of_crawls=True),
    NavigationEntry("map", "Map", urls.MAP),
    NavigationEntry("sites", "Sites", urls.SITES),
    NavigationEntry("about", "About", urls.ABOUT, in_collection=False),
)


def entries_for(state: Any, *, has_collection: bool) -> list[NavigationEntry]:
    """Return the links that apply to this page."""
    has_crawls = state.crawls is not None and not state.access.read_only
    has_shelf = state.crawls is not None and not state.crawls.holds_one
    return [
        entry
        for entry in NAVIGATION
        if (has_collection or not entry.in_collection)
        and (has_crawls or not entry.of_crawls)
        and (has_shelf or not entry.of_shelf)
    ]
