"""The tallies of a collection agree with a walk over all of its URLs."""

import sqlite3
from collections import Counter
from contextlib import closing

from telusur import open as open_collection
from telusur.backends.sqlite.tallies import SqliteTallies
from tests.sites import page, serving


def test_reasons_and_sites_agree_with_the_urls(demo):
    tallies = SqliteTallies(demo.directory).read(100)
    with open_collection(demo.directory) as collection:
        urls = list(collection.urls())
        counts = collection.counts()
    for state, tally in (("failed", tallies.failed), ("skipped", tallies.skipped)):
        reasons = [row["reason"] for row in urls if row["state"] == state]
        kinds = Counter(reason.replace(",", ":").partition(":")[0] for reason in reasons)
        assert tally == kinds
        assert len(kinds) > 1
    assert sum(row.failed for row in tallies.sites) == counts.failed
    listed = {row.site for row in tallies.sites}
    with closing(sqlite3.connect(demo.directory / "collection.db")) as db:
        site_of = dict(db.execute("SELECT url, site FROM urls JOIN hosts ON hosts.id = host_id"
                                  " JOIN sites ON sites.id = site_id"))  # fmt: skip
    of_listed = [row for row in urls if site_of[row["url"]] in listed]
    skipped = [row for row in of_listed if row["state"] == "skipped"]
    assert sum(row.skipped for row in tallies.sites) == len(skipped)
    assert sum(row.waiting for row in tallies.sites) == counts.waiting
    assert tallies.site_count == len(tallies.sites)
    assert tallies.last_outcome == "done"


def test_the_largest_sites_come_first(demo):
    few = SqliteTallies(demo.directory).read(3)
    everything = SqliteTallies(demo.directory).read(100)
    assert few.sites == everything.sites[:3]
    pages = [row.pages for row in everything.sites]
    assert pages == sorted(pages, reverse=True)
    assert few.site_count == everything.site_count > 3


def test_sites_whose_urls_were_all_skipped_are_no_sites_of_the_crawl(tmp_path):
    links = ["/gone", *(f"http://site{n}.example/" for n in range(20))]
    pages = {"/robots.txt": "", "/": page("Home", links=links)}
    with serving(pages) as site, open_collection(tmp_path / "c") as collection:
        collection.crawl([site.url()], allow_private=True, delay=0, index=False)
        tallies = SqliteTallies(collection.directory).read(10)
    assert tallies.skipped["scope"] == 20
    assert [(row.pages, row.failed, row.skipped) for row in tallies.sites] == [(2, 1, 0)]
    assert tallies.site_count == 1


def test_how_the_last_crawl_ended_is_never_old(demo_copy):
    def end_last_crawl(outcome):
        with closing(sqlite3.connect(demo_copy / "collection.db")) as db, db:
            db.execute("UPDATE crawls SET outcome = ?, ended_at = ended_at + 1", (outcome,))

    end_last_crawl("running")
    times = iter([0.0, 1000.0, 1001.0, 1002.0, 1003.0])  # a reading that took long, and stays good
    reader = SqliteTallies(demo_copy, lambda: next(times))
    assert reader.read(3).last_outcome == "running"
    end_last_crawl("pages")
    assert reader.read(3).last_outcome == "pages"


def test_a_reading_is_kept_for_a_multiple_of_what_it_cost(demo):
    times = iter([0.0, 2.0, 41.9, 42.0, 43.0])
    reader = SqliteTallies(demo.directory, lambda: next(times))
    first = reader.read(3)
    assert reader.read(3) is first, "at 41.9"
    assert reader.read(3) is not first, "at 42"
