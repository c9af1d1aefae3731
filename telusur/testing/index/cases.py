"""Documents and queries for the suite of indexes."""

from typing import Any

from telusur.index.contract import Index, IndexItem
from telusur.index.query import Query, Words
from telusur.models import Document, url_id_of


def make_item(name: str, text: str = "", **more: Any) -> IndexItem:
    """Return a document at https://docs.example.org/<name>."""
    url = f"https://docs.example.org/{name}"
    document = Document(**{"text": text, "language": "en", **more})
    return IndexItem(url_id_of(url), url, document, "example.org", 1_700_000_000.5)


def word(*variants: str, **more: Any) -> Words:
    """Return a word by its forms; a form with spaces is a phrase."""
    return Words(tuple(tuple(variant.split()) for variant in variants), **more)


def names_of(index: Index, query: Query, **more: int) -> list[str]:
    """Return the names of the documents that match, the best first."""
    return [entry.url.rsplit("/", 1)[1] for entry in index.search(query, **more).entries]


def fill(index: Index, *items: IndexItem) -> None:
    """Put documents into an index and commit."""
    index.replace(items)
    index.commit()
