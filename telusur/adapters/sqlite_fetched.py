"""Which URLs of a collection were answered before: what budgets are counted from."""

import sqlite3
from collections.abc import Iterator


def answered_urls(connection: sqlite3.Connection) -> Iterator[str]:
    """Walk over the URLs that were answered and are not to be tried again."""
    rows = connection.execute(
        "SELECT url FROM urls WHERE state IN (2, 3, 4)"
        " AND seq NOT IN (SELECT seq FROM sitemaps)"
        " AND url_id IN (SELECT url_id FROM pages WHERE status IS NOT NULL)"
    )
    for (url,) in rows:
        yield url
