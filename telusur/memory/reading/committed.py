"""Queries that several readers share: documents and fetches in order, kinds of reasons."""

import re
from collections.abc import Callable

from telusur.memory.state import StoredDocument, StoredFetch, Tables

#: Returns the tables as of the last commit.
Committed = Callable[[], Tables]


def documents_of(tables: Tables, site: str = "") -> list[StoredDocument]:
    """Return the documents of a site, or of all, in the order they came in."""
    found = [one for one in tables.documents.values() if not site or one.site == site]
    return sorted(found, key=lambda one: one.number)


def indexed_of(tables: Tables, site: str = "") -> list[StoredDocument]:
    """Return those of them that are in the index."""
    return [one for one in documents_of(tables, site) if not one.not_indexed]


def fetches_of(tables: Tables) -> list[tuple[bytes, StoredFetch]]:
    """Return all fetches with the ids of their URLs, in the order they were made."""
    found = [(url_id, one) for url_id, fetches in tables.fetches.items() for one in fetches]
    return sorted(found, key=lambda pair: pair[1].number)


def url_of(tables: Tables, url_id: bytes | None) -> str | None:
    """Return the address of a URL that a crawl found."""
    url = None if url_id is None else tables.urls.get(url_id)
    return None if url is None else url.url


def fate_of(tables: Tables, url_id: bytes) -> tuple[str, str, int | None]:
    """Return state, reason and last status of a URL; empty if it is not in the frontier."""
    url = tables.urls.get(url_id)
    if url is None:
        return "", "", None
    fetches = tables.fetches.get(url_id, ())
    return url.state.value, url.reason, fetches[-1].page.status if fetches else None


def kind_of(reason: str) -> str:
    """Return a reason without its details: `robots` of `robots: Disallow: /a`."""
    return re.split("[:,]", reason, maxsplit=1)[0].rstrip(" ")
