"""The counters of a crawl that tries again what had failed, and of pages tried more than once."""

import telusur
from telusur.settings import CrawlSettings
from tests.sites import Answer, page, serving


def test_start_urls_that_are_tried_again_have_not_failed_any_more(tmp_path):
    pages = {"/robots.txt": "", "/": page("Home"), "/a": page("A")}
    with serving(pages) as site, telusur.open(tmp_path / "c") as collection:
        urls = [site.url(), site.url("/a"), site.url("/gone")]
        collection.run_crawl(urls, CrawlSettings(delay=0, index=False))
        assert collection.counts().failed == 3, "private addresses are refused"
        summary = collection.run_crawl(
            urls, CrawlSettings(delay=0, index=False, allow_private=True)
        )
        counts, progress = collection.counts(), summary.progress
        assert (counts.done, counts.failed) == (2, 1)
        assert (progress.done, progress.failed, progress.waiting) == (2, 1, 0)
        assert progress.found == counts.found == 3


def test_the_pages_of_sites_add_up_to_the_pages_of_the_crawl(tmp_path):
    """One page answers at the second attempt, one never."""
    busy = [Answer(status=503), Answer(page("Busy"))]
    pages = {
        "/robots.txt": "",
        "/": page("Home", links=["/busy", "/broken", "/gone"]),
        "/busy": lambda _: busy.pop(0),
        "/broken": Answer(status=500),
    }
    with serving(pages) as site, telusur.open(tmp_path / "c") as collection:
        collection.crawl([site.url()], delay=0, index=False, allow_private=True)
        status = collection.status()
    assert site.asked("/busy") + site.asked("/broken") > 3
    assert sum(one.pages for one in status.sites) == status.pages == 4
