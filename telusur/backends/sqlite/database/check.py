"""Checks that `collection.db` is consistent: counters, states, pages, documents, links."""

import sqlite3
from collections.abc import Iterator

from telusur.backends.sqlite.catalogue import SqliteCatalogue
from telusur.backends.sqlite.frontier.intake import DONE, FAILED, LEASED, STATES, WAITING
from telusur.backends.sqlite.seen.known_urls import SeenSet
from telusur.backends.sqlite.seen.lookup import DEPTH_BITS, ID_BYTES
from telusur.models import Reason
from telusur.store.problems import Finding, Note, Problem, Tick

RESTORE = "restore collection.db from a copy of the collection, or crawl again into a new one"
CRAWL = "run `telusur crawl --to` on it: a crawl counts again when it starts"
MOST_FAULTS = 20
BATCH = 5000

_COUNTERS = f"""
SELECT host, waiting, coalesce(counted.urls, 0) FROM hosts
LEFT JOIN (SELECT host_id, count(*) AS urls FROM urls WHERE state = {WAITING} GROUP BY host_id)
    AS counted ON counted.host_id = hosts.id
WHERE waiting != coalesce(counted.urls, 0)
"""  # noqa: S608 - numbers of ours

_LEASES = f"""
SELECT host FROM hosts WHERE leased = 0
AND EXISTS (SELECT 1 FROM urls WHERE host_id = hosts.id AND state = {LEASED})
"""  # noqa: S608

_STATES = f"SELECT url, state FROM urls WHERE state NOT BETWEEN 0 AND {len(STATES) - 1}"  # noqa: S608

_NEVER_FETCHED = f"""
SELECT url FROM urls
WHERE (state = {DONE} OR (state = {FAILED} AND reason LIKE '{Reason.HTTP_ERROR} %'))
AND NOT EXISTS (SELECT 1 FROM pages WHERE pages.url_id = urls.url_id)
"""  # noqa: S608

_NO_DOCUMENT = f"""
SELECT url FROM urls WHERE state = {DONE} AND reason = ''
AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.url_id = urls.url_id)
"""  # noqa: S608

_UNKNOWN_PAGES = """
SELECT seq FROM pages
WHERE NOT EXISTS (SELECT 1 FROM urls WHERE urls.seq = seq_of(pages.url_id))
"""

_NO_PLACE = """
SELECT url FROM pages JOIN urls ON urls.seq = seq_of(pages.url_id)
WHERE status IS NOT NULL AND (warc_file IS NULL OR warc_offset IS NULL OR warc_length IS NULL)
"""

_NO_PAGE = """
SELECT url FROM documents
WHERE NOT EXISTS (SELECT 1 FROM pages WHERE pages.url_id = documents.url_id)
AND EXISTS (SELECT 1 FROM links WHERE links.url_id = documents.url_id)
"""

_TWICE = "SELECT min(url), count(*) FROM urls GROUP BY url_id HAVING count(*) > 1"


def check_database(db: sqlite3.Connection) -> Iterator[Problem]:
    """Ask SQLite whether the file and its references are intact."""
    for (fault,) in db.execute(f"PRAGMA integrity_check({MOST_FAULTS})"):
        if fault != "ok":
            sentence = f"collection.db is damaged: {' '.join(str(fault).split())}."
            yield Problem("catalogue", sentence, RESTORE, "integrity")
    for table, row, target, _ in db.execute("PRAGMA foreign_key_check"):
        sentence = f"Row {row} of {table} refers to a row of {target} that is not there."
        yield Problem("catalogue", sentence, RESTORE, f"reference {table}")


def check_frontier(db: sqlite3.Connection, *, is_crawling: bool) -> Iterator[Finding]:
    """Compare the counters of hosts with their URLs, and the states of URLs with their pages."""
    for host, told, counted in db.execute(_COUNTERS):
        sentence = f"{host} has a count of {told} waiting URLs, but {counted} are waiting."
        yield Problem("frontier", sentence, CRAWL, "counter")
    for (host,) in db.execute(_LEASES):
        sentence = f"{host} has leased URLs but is not leased."
        yield Problem("frontier", sentence, CRAWL, "lease")
    for url, state in db.execute(_STATES):
        yield Problem("frontier", f"{url} has the unknown state {state}.", RESTORE, "state")
    for url, number in db.execute(_TWICE):
        sentence = f"{url} is in the frontier {number} times."
        yield Problem("frontier", sentence, RESTORE, "twice")
    for (url,) in db.execute(_NEVER_FETCHED):
        sentence = f"{url} was fetched, but its page is not in the catalogue."
        yield Problem("frontier", sentence, RESTORE, "never fetched")
    for (seq,) in db.execute(_UNKNOWN_PAGES):
        sentence = f"Page {seq} belongs to a URL that the frontier does not know."
        yield Problem("frontier", sentence, RESTORE, "unknown page")
    (leased,) = db.execute(f"SELECT count(*) FROM urls WHERE state = {LEASED}").fetchone()  # noqa: S608
    if leased and not is_crawling:
        sentence = f"{leased} URLs were in flight when the last crawl ended; the next frees them."
        yield Note("frontier", sentence)


def check_seen(db: sqlite3.Connection, tick: Tick) -> Iterator[Problem]:
    """Look up each URL by its id, as a crawl does."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'seen_runs'").fetchone():
        # A collection of format 1 that was not migrated.
        return
    seen = SeenSet(db)
    seen.open()
    rows = db.execute("SELECT url_id, seq, url FROM urls ORDER BY seq")
    while batch := rows.fetchmany(BATCH):
        found = seen.find([url_id for url_id, _, _ in batch])
        for url_id, seq, url in batch:
            if url_id not in found or found[url_id] >> DEPTH_BITS != seq:
                sentence = f"{url} is not found by its id, and would be fetched again."
                yield Problem("frontier", sentence, RESTORE, "seen")
        tick(len(batch))


def check_documents(db: sqlite3.Connection) -> Iterator[Problem]:
    """Compare documents with pages and with the states of their URLs."""
    for (url,) in db.execute(_NO_DOCUMENT):
        sentence = f"{url} is done but has no document."
        yield Problem("catalogue", sentence, RESTORE, "no document")
    for (url,) in db.execute(_NO_PLACE):
        sentence = f"The response of {url} has no location in the archive."
        yield Problem("catalogue", sentence, RESTORE, "no place")
    for (url,) in db.execute(_NO_PAGE):
        sentence = f"The document of {url} comes from a page that is not in the catalogue."
        yield Problem("catalogue", sentence, RESTORE, "no page")


def check_links(db: sqlite3.Connection, tick: Tick) -> Iterator[Problem]:
    """Read every page's record of links."""
    catalogue = SqliteCatalogue(db)
    for (url_id,) in db.execute("SELECT url_id FROM links"):
        try:
            if any(len(stored.url_id) != ID_BYTES for stored in catalogue.links_of(url_id)):
                raise ValueError("some have no target")
        # Damaged bytes may raise anything.
        except Exception as error:
            sentence = f"The links of {_url_of(db, url_id)} cannot be read ({error})."
            yield Problem("catalogue", sentence, RESTORE, "links")
        tick(1)


def _url_of(db: sqlite3.Connection, url_id: bytes) -> str:
    row = db.execute("SELECT url FROM urls WHERE seq = seq_of(?)", (url_id,)).fetchone()
    return row[0] if row else url_id.hex()
