"""Converts a change of the catalogue to an item of the index."""

from telusur.index.contract import Anchor, IndexItem
from telusur.store.records import Change


def make_item(change: Change, anchors: tuple[Anchor, ...] = ()) -> IndexItem:
    """Return a document as an item of the index."""
    url = change.document.url
    return IndexItem(change.url_id, url, change.document, change.site, change.fetched_at, anchors)
