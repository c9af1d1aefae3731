"""The head of every view of one page: its title, and tabs to the other views."""

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from telusur.models import Document, Story
from telusur.web.frame import urls, views
from telusur.web.frame.crumbs import read_crumbs
from telusur.web.page.reader import page_reader_of
from telusur.web.search.pages import read_page

_TABS = (
    (urls.PAGE, "Text"),
    (urls.PAGE_BLOCKS, "Blocks"),
    (urls.PAGE_LINKS, "Links"),
    (urls.PAGE_POSTS, "Posts"),
    (urls.PAGE_PARTS, "Parts"),
    (urls.PAGE_RECORD, "Record"),
    (urls.PAGE_SCORE, "Score"),
)


@dataclass(slots=True, frozen=True)
class Tab:
    """A view of the page and whether it is the one shown."""

    text: str
    address: str
    is_shown: bool


@dataclass(slots=True, frozen=True)
class Steps:
    """Links to the previous and next page of a list."""

    first: int
    last: int
    total: int
    previous_url: str | None
    next_url: str | None


def view_tabs(url: str, shown: str) -> list[Tab]:
    """Return the views of a page; `shown` is the route of the current one."""
    return [Tab(text, urls.of_page(road, url), road == shown) for road, text in _TABS]


async def read_head(
    request: Request, url: str, road: str
) -> tuple[dict[str, Any], Document | None, Story | None]:
    """Return what the head of a view shows, or raise 404 for an unknown URL."""
    document, story = await read_page(page_reader_of(request), url)
    address = document.url if document and document.url else story.url if story else url
    head = {
        "title": views.title_of(address, document, story),
        "crumbs": read_crumbs(address),
        "href": urls.live_href(address),
        "copy_url": urls.copy_url(url) if document else None,
        "tabs": view_tabs(url, road),
    }
    return head, document, story


def view_steps(
    road: str, url: str, page: int, limit: int, total: int, **wishes: str | int
) -> Steps:
    """Return the position in a list, and links to the pages before and after."""

    def link(number: int) -> str | None:
        if not 1 <= number <= max(1, -(-total // limit)) or number == page:
            return None
        return urls.of_page(road, url, page=number if number > 1 else "", limit=limit, **wishes)

    first = (page - 1) * limit + 1 if total else 0
    return Steps(first, min(page * limit, total), total, link(page - 1), link(page + 1))
