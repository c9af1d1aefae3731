"""What the bar on top of every page offers, as one table."""

from dataclasses import dataclass
from typing import Any

from telusur.web import urls


@dataclass(slots=True, frozen=True)
class Entry:
    """One link of the bar; a template names its own entry with `{% block here %}`."""

    name: str
    label: str
    path: str
    in_collection: bool = True
    """Shown only where a collection is; a server of several also has pages about all of them."""
    of_crawls: bool = False
    """Shown only where crawls may be watched."""


NAVIGATION = (
    Entry("search", "Search", urls.HOME, in_collection=False),
    Entry("crawls", "Crawls", urls.CRAWLS, in_collection=False, of_crawls=True),
    Entry("map", "Map", urls.MAP),
    Entry("sites", "Sites", urls.SITES),
    Entry("about", "About", urls.ABOUT, in_collection=False),
)


def entries_for(state: Any, *, has_collection: bool) -> list[Entry]:
    """Return the links that lead somewhere on this page."""
    has_crawls = state.crawls is not None and not state.access.read_only
    return [
        entry
        for entry in NAVIGATION
        if (has_collection or not entry.in_collection) and (has_crawls or not entry.of_crawls)
    ]
