"""The tallies of a collection agree with a walk over all of its URLs."""

from collections import Counter

from telusur import open as open_collection
from telusur.adapters.sqlite_tallies import SqliteTallies


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
    assert sum(row.skipped for row in tallies.sites) == counts.skipped
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


def test_a_reading_is_kept_for_a_multiple_of_what_it_cost(demo):
    times = iter([0.0, 2.0, 41.9, 42.0, 43.0])
    reader = SqliteTallies(demo.directory, lambda: next(times))
    first = reader.read(3)
    assert reader.read(3) is first, "at 41.9"
    assert reader.read(3) is not first, "at 42"
