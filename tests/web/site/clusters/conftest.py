"""Clusters are waited for, however busy the machine is; and rendered beside a running browser."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from telusur.fetch.browser.drawn_pages import DrawnPages


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr("telusur.web.site.clusters.pages.PAGE_SECONDS", 100.0)
    monkeypatch.setattr("telusur.web.site.clusters.as_json.ANSWER_SECONDS", 100.0)
    monkeypatch.setattr("telusur.web.site.clusters.finding.ANSWER_SECONDS", 100.0)


@pytest.fixture
def render():
    """A function that clusters some pages of a site as a browser shows them."""

    def cluster(collection, site, pages):
        with DrawnPages(collection.directory / "drawn") as drawn:
            return collection.clusters(site, pages=pages, draw=drawn.blocks_of)

    def in_a_thread(*given):
        with ThreadPoolExecutor(1) as aside:  # the browser of the tests holds the event loop
            return aside.submit(cluster, *given).result()

    return in_a_thread
