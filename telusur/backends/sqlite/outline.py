"""The outline of a collection, read from its catalogue and cached for a while."""

import json
import sqlite3
import threading
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import each_once
from telusur.backends.sqlite.database.schema import connect, reconnect
from telusur.backends.sqlite.database.tables import TOPIC_SCORES
from telusur.graph.contract import Edges, Named, Sample
from telusur.graph.outline import NO_PARENT, Outline, look_up, sort_numbers
from telusur.index.standing import Standings

AT_ONCE = 500
MOST_SAMPLED_PAGES = 100_000
# The most links in memory: 32 MB.
MOST_SAMPLED_LINKS = 4_000_000
TITLE_CHARS = 300
LEAST_AGE_SECONDS = 3.0
# During a crawl, reading the pages again may take a twentieth of the time.
TIMES_AS_LONG = 20
_DONE = 2
_COLUMNS = "SELECT urls.seq, url_id, host_id, depth, parent FROM urls"


class SqliteWebGraph:
    """Pages and links for maps; several threads may share it."""

    def __init__(self, directory: Path, standings: Callable[[], Standings]) -> None:
        self._directory = directory
        self._standings = standings
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._outline: Outline | None = None
        self._sample: tuple[Outline, Sample] | None = None
        self._version = -1
        self._renew_at = 0.0

    def close(self) -> None:
        """Close the database, if it was ever opened."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            self._db = connect(self._directory, read_only=True)
        self._db = reconnect(self._db, self._directory)
        return self._db

    def outline(self) -> Outline:
        """Return the pages; during a crawl they may be a little old."""
        with self._lock:
            db = self._open()
            (version,) = db.execute("PRAGMA data_version").fetchone()
            is_fresh = version == self._version or time.monotonic() < self._renew_at
            if self._outline is None or not is_fresh:
                started = time.monotonic()
                self._outline = read_outline(db, self._standings())
                self._version = version
                taken = time.monotonic() - started
                self._renew_at = started + max(LEAST_AGE_SECONDS, TIMES_AS_LONG * taken)
            return self._outline

    def name(self, outline: Outline, places: Sequence[int]) -> list[Named]:
        """Return URL and title of each page."""
        rows = outline.rows[np.array(places, np.int64)].tolist() if len(places) else []
        found: dict[int, Named] = {}
        with self._lock:
            for start in range(0, len(rows), AT_ONCE):
                some = rows[start : start + AT_ONCE]
                marks = ",".join("?" * len(some))
                query = (
                    f"SELECT urls.seq, urls.url, substr(title, 1, {TITLE_CHARS}) FROM urls"  # noqa: S608 - a number of ours
                    " LEFT JOIN documents ON documents.url_id = urls.url_id"
                    f" WHERE urls.seq IN ({marks})"
                )
                for seq, url, title in self._open().execute(query, some):
                    found[seq] = Named(url, title or "")
        return [found[row] for row in rows]

    def links_of(self, outline: Outline, places: NDArray[np.int32]) -> Iterator[Edges]:
        """Yield the links of these pages to any pages, each pair once, some pages at a time."""
        for start in range(0, len(places), AT_ONCE):
            rows = outline.rows[places[start : start + AT_ONCE]].tolist()
            marks = ",".join("?" * len(rows))
            query = (
                f"SELECT url_id, targets FROM urls JOIN links USING (url_id) WHERE seq IN ({marks})"  # noqa: S608
            )
            with self._lock:
                found = self._open().execute(query, rows).fetchall()
            yield _edges(outline, found)

    def sample(self, outline: Outline) -> Sample:
        """Return links between pages; ids are hashes, so the first ones are a fair sample."""
        with self._lock:
            if self._sample is None or self._sample[0] is not outline:
                self._sample = outline, self._read_sample(outline)
            return self._sample[1]

    def _read_sample(self, outline: Outline) -> Sample:
        edges: list[Edges] = []
        pages = links = 0
        last = b""
        query = "SELECT url_id, targets FROM links WHERE url_id > ? ORDER BY url_id LIMIT ?"
        while rows := self._open().execute(query, (last, AT_ONCE)).fetchall():
            edges.append(_edges(outline, rows))
            links += len(edges[-1][0])
            pages += len(rows)
            last = rows[-1][0]
            if pages >= MOST_SAMPLED_PAGES or links >= MOST_SAMPLED_LINKS:
                break
        else:
            pages = len(outline)
        if not edges:
            return Sample(np.zeros(0, np.int32), np.zeros(0, np.int32), pages)
        return Sample(
            np.concatenate([each[0] for each in edges]),
            np.concatenate([each[1] for each in edges]),
            pages,
        )


def read_outline(db: sqlite3.Connection, standings: Standings) -> Outline:
    """Read every page that was answered, and the pages they were found on."""
    gathered = _Gathered()
    for row in db.execute(f"{_COLUMNS} WHERE state = {_DONE}"):
        gathered.add(*row)
    while missing := gathered.missing_parents():
        for start in range(0, len(missing), AT_ONCE):
            some = missing[start : start + AT_ONCE]
            marks = ",".join("seq_of(?)" for _ in some)
            for row in db.execute(f"{_COLUMNS} WHERE seq IN ({marks})", some):
                gathered.add(*row)
    hosts = dict(db.execute("SELECT id, site_id FROM hosts"))
    sites = dict(db.execute("SELECT id, site FROM sites"))
    outline = gathered.sort(hosts, sites, standings)
    return replace(outline, topics=_read_topics(db, outline))


def _read_topics(db: sqlite3.Connection, outline: Outline) -> NDArray[np.float32] | None:
    """Return the topic scores of pages; None if no crawl had a topic."""
    told = [json.loads(settings) for (settings,) in db.execute("SELECT settings FROM crawls")]
    known = {row[1] for row in db.execute("PRAGMA table_info(documents)")}
    has_topic = any(settings.get("topic") or settings.get("like") for settings in told)
    if not has_topic or "topic_score" not in known:
        return None
    ids, scores = bytearray(), array("f")
    for url_id, score in db.execute(TOPIC_SCORES):
        ids += url_id
        scores.append(score)
    places = outline.places_of(_numbers(ids))
    # The last one takes the unknown pages.
    topics = np.full(len(outline) + 1, np.nan, np.float32)
    topics[places] = np.array(scores, np.float32)
    return topics[:-1] if len(scores) else None


class _Gathered:
    """Rows in arrays: an id takes 16 bytes, not an object."""

    def __init__(self) -> None:
        self._seqs = array("q")
        self._ids = bytearray()
        self._hosts = array("q")
        self._depths = array("H")
        self._parents = bytearray()
        self._asked: set[bytes] = set()

    def add(self, seq: int, url_id: bytes, host: int, depth: int, parent: bytes | None) -> None:
        self._seqs.append(seq)
        self._ids += url_id
        self._hosts.append(host)
        self._depths.append(min(depth, 0xFFFF))
        self._parents += parent or bytes(16)

    def missing_parents(self) -> list[bytes]:
        """Return missing parents, each once."""
        known, wanted = _numbers(self._ids), _numbers(self._parents)
        lost = np.flatnonzero(~np.isin(wanted, known) & (wanted != 0)).tolist()
        parents = {bytes(self._parents[16 * at : 16 * at + 16]) for at in lost} - self._asked
        self._asked |= parents
        return sorted(parents)

    def sort(self, hosts: dict[int, int], sites: dict[int, str], standings: Standings) -> Outline:
        seqs = np.array(self._seqs, np.int64)
        order = np.argsort(seqs, kind="stable")
        numbers = _numbers(self._ids)[order]
        above = _numbers(self._parents)[order]
        site_ids = sorted(sites)
        place_of_site = {site: place for place, site in enumerate(site_ids)}
        parents = look_up(above, *sort_numbers(numbers))
        # A page is found after its parent; anything else is a damaged collection.
        parents[(parents >= np.arange(len(parents))) | (above == 0)] = NO_PARENT
        return Outline(
            rows=seqs[order],
            numbers=numbers,
            sites=_translate(np.array(self._hosts, np.int64)[order], hosts, place_of_site),
            depths=np.array(self._depths, np.uint16)[order],
            parents=parents,
            ranks=standings.look_up(numbers)["rank"].astype(np.float32),
            site_names=tuple(sites[site] for site in site_ids),
        )


def _translate(
    host_of: NDArray[np.int64], hosts: dict[int, int], place_of_site: dict[int, int]
) -> NDArray[np.uint32]:
    table = np.zeros(max(hosts, default=0) + 1, np.uint32)
    for host, site in hosts.items():
        table[host] = place_of_site[site]
    return table[host_of]


def _edges(outline: Outline, rows: list[tuple[bytes, bytes]]) -> Edges:
    """Return links as pairs of places, each once, without self-links and unknown pages."""
    sources = outline.places_of(_numbers(b"".join(row[0] for row in rows)))
    origins = np.repeat(sources, [len(row[1]) // 16 for row in rows])
    targets = outline.places_of(_numbers(b"".join(row[1] for row in rows)))
    known = (origins != NO_PARENT) & (targets != NO_PARENT) & (origins != targets)
    pairs = each_once((origins[known].astype(np.int64) << 32) | targets[known])
    return (pairs >> 32).astype(np.int32), (pairs & 0xFFFFFFFF).astype(np.int32)


def _numbers(ids: bytes | bytearray) -> NDArray[np.uint64]:
    """Return the numbers of joined ids."""
    return np.frombuffer(bytes(ids), ">u8")[::2].astype(np.uint64)
