"""A crawl with an upper bound on waiting URLs."""

import telusur
from tests.sites import page, serving

FAST = {"allow_private": True, "delay": 0, "index": False}
WIDE = {"/": page("0", links=[f"/{n}" for n in range(30)])}


def states(collection, reason):
    return sorted(row["url"] for row in collection.urls() if row["reason"] == reason)


def test_the_worst_are_skipped_and_a_later_crawl_lets_them_in(tmp_path):
    with (
        serving(WIDE, otherwise=lambda path: page(f"Page {path}")) as site,
        telusur.open(tmp_path / "c") as collection,
    ):
        summary = collection.crawl([site.url()], most_waiting=10, **FAST)
        assert len(site.paths()) == 11
        assert collection.counts().skipped == summary.progress.skipped == 20
        assert summary.progress.waiting == 0
        assert site.url("/29") in states(collection, "frontier full")
        assert collection.why(site.url("/29")).reason == "frontier full"
        summary = collection.crawl([site.url()], **FAST)
        assert len(site.paths()) == len(set(site.paths())) == 31
        assert (collection.counts().skipped, summary.progress.skipped) == (0, 0)
