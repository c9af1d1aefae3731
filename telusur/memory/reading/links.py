"""Links to and from one page."""

import re

from telusur.crawl.urls.link_record import unpack_links
from telusur.errors import UsageError
from telusur.memory.reading.committed import fate_of
from telusur.memory.state import Tables
from telusur.store.records import Cursor, StoredLink
from telusur.store.views import LinkPage, LinkView


def links_of(tables: Tables, url_id: bytes) -> list[StoredLink]:
    """Return the links of a page, in reading order."""
    if url_id not in tables.links:
        return []
    targets, record = tables.links[url_id]
    return [
        StoredLink(targets[16 * place : 16 * place + 16], link)
        for place, link in enumerate(unpack_links(record))
    ]


def links_from(tables: Tables, url_id: bytes, page: int, limit: int) -> LinkPage:
    """Return the links of a page in reading order, with the state of each target."""
    links = links_of(tables, url_id)
    first = (page - 1) * limit
    views = [_view(tables, one.link.url, one, one.url_id) for one in links[first : first + limit]]
    return LinkPage(len(links), tuple(views))


def links_to(
    tables: Tables, url_id: bytes, shown: tuple[int, int], after: Cursor, most: int
) -> LinkPage:
    """Return the pages that link to a page and that a crawl found, in the order of their ids.

    `shown` is the page of the list and its length. A cursor is the first id that was not searched.
    """
    start = _read_cursor(after)
    sources = [
        source
        for source, (targets, _) in sorted(tables.links.items())
        if source >= start
        and source != url_id
        and _stands_in(url_id, targets)
        and source in tables.urls
    ]
    stretch, rest = sources[:most], sources[most:]
    page, limit = shown
    views = [
        _view_source(tables, source, url_id)
        for source in stretch[(page - 1) * limit : page * limit]
    ]
    return LinkPage(
        len(stretch),
        tuple(views),
        after,
        Cursor(rest[0].hex()) if rest else None,
        _share_before(tables, rest[0]) if rest else 1.0,
    )


def _read_cursor(cursor: Cursor) -> bytes:
    """Return the id that a cursor names; it may come from anyone, so it is checked."""
    if cursor and not re.fullmatch("[0-9a-f]{32}", cursor):
        raise UsageError(
            f"after: {cursor[:40]!r} is not a position in this list; start without it."
        )
    return bytes.fromhex(cursor)


def _share_before(tables: Tables, url_id: bytes) -> float:
    """Return the share of linking pages whose ids come before an id."""
    return sum(source < url_id for source in tables.links) / len(tables.links)


def _stands_in(url_id: bytes, targets: bytes) -> bool:
    return any(targets[at : at + 16] == url_id for at in range(0, len(targets), 16))


def _view_source(tables: Tables, source: bytes, target: bytes) -> LinkView:
    """Return the first link of a page to another."""
    own = next((one for one in links_of(tables, source) if one.url_id == target), None)
    return _view(tables, tables.urls[source].url, own, source)


def _view(tables: Tables, url: str, stored: StoredLink | None, other: bytes) -> LinkView:
    link = None if stored is None else stored.link
    said = ("", "", "") if link is None else (link.anchor, link.around, link.rel)
    return LinkView(url, *said, *fate_of(tables, other))
