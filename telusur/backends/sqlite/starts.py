"""Why the start URLs of the last crawl failed, if nothing was fetched."""

import json
import sqlite3

from telusur.backends.sqlite.frontier.intake import STATES
from telusur.crawl.urls.identity import normalize_url
from telusur.models import Reason, State, url_id_of
from telusur.store.views import FailedStarts

#: The most start URLs that are looked up; more would take too long for a status.
MOST_STARTS = 1_000
#: Redirect targets are looked up only in collections up to this many URLs: they have no index.
MOST_URLS = 10_000
MOST_HOPS = 10

_Row = tuple[bytes, str, int, str]


def find_failed_starts(connection: sqlite3.Connection) -> FailedStarts | None:
    """Return the start URLs of the last crawl if it fetched nothing and all of them failed."""
    last = connection.execute(
        "SELECT start_urls, started_at FROM crawls ORDER BY id DESC LIMIT 1"
    ).fetchone()
    if last is None or _has_fetched(connection, last[1]):
        return None
    start_urls = json.loads(last[0])[:MOST_STARTS]
    ends = []
    for url in start_urls:
        end = _end_of(connection, url)
        if end is None:
            return None
        ends.append(end)
    if not ends:
        return None
    _, url, state, reason = ends[0]
    return FailedStarts(len(ends), url, STATES[state].value, reason)


def _has_fetched(connection: sqlite3.Connection, since: float) -> bool:
    """Tell whether a page was fetched successfully since then, starting with the newest."""
    row = connection.execute(
        "SELECT fetched_at FROM pages WHERE status BETWEEN 200 AND 299 ORDER BY seq DESC LIMIT 1"
    ).fetchone()
    return row is not None and row[0] >= since


def _end_of(connection: sqlite3.Connection, url: str) -> _Row | None:
    """Follow the redirect chain of a start URL; return its end if it failed or was skipped."""
    key = normalize_url(url)
    row: _Row | None = None
    if key is not None:
        row = connection.execute(
            "SELECT url_id, url, state, reason FROM urls WHERE seq = seq_of(?)", (url_id_of(key),)
        ).fetchone()
    for _ in range(MOST_HOPS):
        if row is None or STATES[row[2]] in (State.FAILED, State.SKIPPED):
            return row
        row = _next_of(connection, row)
    return None


def _next_of(connection: sqlite3.Connection, row: _Row) -> _Row | None:
    """Return the URL that another one redirects to."""
    (known,) = connection.execute("SELECT max(seq) FROM urls").fetchone()
    if not row[3].startswith(Reason.REDIRECT) or known > MOST_URLS:
        return None
    found: _Row | None = connection.execute(
        "SELECT url_id, url, state, reason FROM urls WHERE parent = ? LIMIT 1", (row[0],)
    ).fetchone()
    return found
