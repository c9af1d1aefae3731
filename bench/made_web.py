"""A collection of made-up pages and links, written straight into its tables: for maps and trees."""

import random
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from telusur.backends import open_store
from telusur.backends.sqlite.database.schema import connect, create_database
from telusur.models import url_id_of
from telusur.pipeline.indexing.standing import work_out_standings

WORDS = ("harbour", "clock", "river", "lantern", "garden", "mill", "bridge", "market", "tower")
EMPTY = bytes(16)


def make_web(directory: Path, pages: int, links: int, *, sites: int = 40, wide: int = 60) -> None:
    """Make a collection in which every page was found on an earlier one; `links` in all.

    A page leads to about `wide` new ones, as an overview does, or to none.
    """
    chance = random.Random(7)
    directory.mkdir(parents=True)
    create_database(directory)
    connection = connect(directory, read_only=False)
    now = time.time()
    parents = [-1] + [0] * (pages - 1)
    overviews, used = [0], 0
    depths = [0] * pages
    site_of = [0] * pages
    for place in range(1, pages):
        used += 1
        if used > wide:
            overviews.append(chance.randrange(max(1, place - 20 * wide), place))
            used = 0
        parent = overviews[-1]
        parents[place] = parent
        depths[place] = depths[parent] + 1
        site_of[place] = site_of[parent] if chance.random() < 0.97 else chance.randrange(sites)
    urls = [f"https://site{site_of[at]}.invalid/{at}" for at in range(pages)]
    ids = [url_id_of(url) for url in urls]
    targets: list[list[int]] = [[] for _ in range(pages)]
    for place in range(1, pages):
        targets[parents[place]].append(place)
    for _ in range(links - pages + 1):
        source = chance.randrange(pages)
        near = source + round(chance.gauss(0, wide))
        targets[source].append(min(max(near, 0), pages - 1))
    with connection:
        connection.execute("BEGIN")
        for site in range(sites):
            name = f"site{site}.invalid"
            connection.execute("INSERT INTO sites (id, site) VALUES (?, ?)", (site + 1, name))
            connection.execute(
                "INSERT INTO hosts (id, host, site_id) VALUES (?, ?, ?)", (site + 1, name, site + 1)
            )
        connection.executemany(
            "INSERT INTO urls (seq, url_id, url, host_id, state, depth, parent, found_at,"
            " changed_at) VALUES (?,?,?,?,2,?,?,?,?)",
            (
                (at + 1, ids[at], urls[at], site_of[at] + 1, depths[at],
                 ids[parents[at]] if at else None, now, now)
                for at in range(pages)
            ),
        )  # fmt: skip
        connection.executemany(
            "INSERT INTO documents (url_id, url, site, fetched_at, title, description, keywords,"
            " text, language, html5, digest, not_indexed) VALUES (?,?,?,?,?,'','','x','en',1,?,'')",
            (
                (ids[at], urls[at], f"site{site_of[at]}.invalid", now,
                 f"{' '.join(chance.choices(WORDS, k=4)).capitalize()} {at}", ids[at])
                for at in range(pages)
            ),
        )  # fmt: skip
        connection.executemany(
            "INSERT INTO links VALUES (?, ?, ?)",
            (
                (ids[at], b"".join(ids[end] for end in targets[at]), EMPTY)
                for at in range(pages)
                if targets[at]
            ),
        )
    connection.close()
    _rank(directory)


def _rank(directory: Path) -> None:
    """Work out the standing of every page, as the indexer does."""
    store = open_store(directory)
    with closing(store.web()) as web:
        reading = web.pages()
        try:
            while True:
                next(reading)
        except StopIteration as end:
            pages = end.value
        for _ in work_out_standings(store.blobs, web, pages):
            pass
    assert np.load(directory / "index" / "standing.npy")["rank"].max() > 1
