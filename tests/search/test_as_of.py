"""Pages of hits that fit together while a crawl goes on."""

import sqlite3
from contextlib import closing

import telusur as library

WORDS = "lighthouse keeper"


def urls_of(directory, **wishes):
    with library.open(directory, create=False) as collection:
        results = collection.search(WORDS, limit=100, per_site=0, **wishes)
        return [hit.url for hit in results.hits], results.total


def fetch_again(directory, url, at):
    """Write what a second fetch of a page leaves in the catalogue."""
    with closing(sqlite3.connect(directory / "collection.db")) as db, db:
        (url_id,) = db.execute("SELECT url_id FROM documents WHERE url = ?", (url,)).fetchone()
        names = [row[1] for row in db.execute("PRAGMA table_info(pages)") if row[1] != "seq"]
        others = ", ".join("?" if name == "fetched_at" else name for name in names)
        db.execute(
            f"INSERT INTO pages ({', '.join(names)}) SELECT {others} FROM pages WHERE url_id = ?",
            (at, url_id),
        )
        db.execute(
            "UPDATE documents SET fetched_at = ?, seq = (SELECT max(seq) + 1 FROM documents)"
            " WHERE url_id = ?",
            (at, url_id),
        )


def test_a_page_that_is_fetched_again_stays_among_the_hits(demo_copy):
    before, total = urls_of(demo_copy)
    with library.open(demo_copy, create=False) as collection:
        now = collection.search(WORDS).as_of
        again = before[3]
        fetch_again(demo_copy, again, now + 60)
        collection.add([library.Document(url="http://new.example/", text=f"{WORDS} " * 9)])
    assert urls_of(demo_copy)[1] == total + 1
    held, held_total = urls_of(demo_copy, as_of=now)
    assert (set(held), held_total) == (set(before), total)
    assert again in held
    assert urls_of(demo_copy, as_of=1.0) == ([], 0)
