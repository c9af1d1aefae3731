"""Clusters of the crawled demo web."""

import json
import lzma
from itertools import pairwise

import pytest

from telusur.collection import open_collection
from telusur.errors import UsageError
from telusur.learn.pages.sources import read_labelled
from telusur.reports.clusters.clustering import choose_evenly

SITE = "blog.localhost"


@pytest.fixture(scope="module")
def view(demo):
    with open_collection(demo.directory) as collection:
        yield collection.clusters(SITE)


@pytest.fixture
def copy(demo_copy):
    with open_collection(demo_copy) as collection:
        yield collection


def cluster_of(view, text):
    (found,) = {each.cluster for url in view.urls[:12] for each in view.blocks_of(url)
                if each.block.text == text}  # fmt: skip
    return view.clusters[found - 1]


def clusters_at(view, selector):
    return [each for each in view.clusters if selector in each.selector]


def test_what_looks_alike_is_in_one_cluster(view):
    assert view.known == len(view.urls) == 37
    assert [each.number for each in view.clusters] == list(range(1, len(view.clusters) + 1))
    assert view.noise + sum(each.blocks for each in view.clusters) == view.blocks
    assert len({each.key for each in view.clusters}) == len(view.clusters)
    (text,) = clusters_at(view, "div.entry-content > p")
    assert (text.name, text.label, text.pages) == ("content", "content", 30)
    (title,) = clusters_at(view, "h1.entry-title")
    assert (title.name, title.label, title.blocks) == ("title", "title", 30)
    assert {each.label for each in clusters_at(view, "div#comments")} == {"other"}
    assert "content" not in {each.name for each in clusters_at(view, "div#comments")}


def test_a_page_that_was_not_clustered_has_blocks_in_the_same_clusters(demo):
    with open_collection(demo.directory) as collection:
        view = collection.clusters(SITE, pages=12)
        (url, *_) = (row[0] for row in collection.indexed_urls(SITE) if row[0] not in view.urls)
        found = view.blocks_of(url)
    assert len(view.urls) == 12
    assert sum(each.cluster is not None for each in found) > 0.8 * len(found)


def test_labels_by_hand_survive_a_clustering_of_other_pages(copy):
    few = copy.clusters(SITE, pages=15)
    (comments,) = clusters_at(few, "ol.comment-list > li > p")
    assert comments.label == "other"
    named = copy.name_clusters(few, {comments.number: "content"})
    assert named.clusters[comments.number - 1].label == "content"
    again = copy.clusters(SITE)
    assert [each.selector for each in again.clusters if each.by_hand] == [comments.selector]
    removed = copy.name_clusters(again, {clusters_at(again, comments.selector)[0].key: "auto"})
    assert not any(each.by_hand for each in removed.clusters)
    with pytest.raises(UsageError, match=r"there is no cluster 999; the clusters are 1 to \d"):
        copy.name_clusters(again, {999: "content"})


def test_training_data_have_the_labels_by_hand(copy, tmp_path):
    view = copy.clusters(SITE, pages=10)
    (strap,) = clusters_at(view, "div.site-description")
    url = view.urls[0]
    numbers = {block.text: n for n, block in enumerate(copy.blocks(url).blocks)}
    copy.correct_labels(url, {numbers[strap.example]: "author"})
    view = copy.name_clusters(view, {strap.number: "content"})
    assert copy.export_clusters(view, tmp_path / "sheets") == 10
    said = {page.url: page for page in read_labelled(tmp_path / "sheets")}
    assert set(said) == set(view.urls)
    for page in said.values():
        assert (strap.example in page.text.split("\n")) is (page.url != url)
    assert said[url].author.startswith(strap.example)
    with pytest.raises(UsageError, match=r"exists; move it away"):
        copy.export_clusters(view, tmp_path / "sheets")


@pytest.mark.parametrize("name", ["pages.jsonl", "deep/pages.jsonl.xz"])
def test_training_data_as_a_file_of_labelled_pages(copy, tmp_path, name):
    view = copy.clusters(SITE, pages=5)
    assert copy.export_clusters(view, tmp_path / name) == 5
    pages = list(read_labelled(tmp_path / name))
    assert {(page.url, page.site) for page in pages} == {(url, SITE) for url in view.urls}
    assert any(page.title and page.author and page.text for page in pages)
    for page in pages:
        assert ("author" in page.known, "date" in page.known) == (page.author is not None, False)
    opened = lzma.open if name.endswith("xz") else open
    with opened(tmp_path / name, "rt", encoding="utf-8") as lines:
        assert [json.loads(line)["html"] for line in lines] == [page.html for page in pages]


def test_clusters_as_a_browser_shows_the_pages(copy, tmp_path):
    def draw(html, url):
        drawn = copy.blocks(url).blocks
        for block in drawn:
            block.is_hidden = "widget" in block.selectors
        return drawn

    view = copy.clusters(SITE, pages=8, draw=draw)
    assert clusters_at(view, "widget") == []
    assert copy.export_clusters(view, tmp_path / "sheets") == 8
    for page in read_labelled(tmp_path / "sheets"):
        assert len(page.labels) == len(copy.blocks(page.url).blocks)


def test_sites_without_clusters(tmp_path, demo):
    with open_collection(tmp_path / "empty") as collection:
        with pytest.raises(UsageError, match="has no documents"):
            collection.clusters()
        assert collection.clusters("a.example").known == 0
    with open_collection(demo.directory) as collection:
        with pytest.raises(UsageError, match="has several sites; name one"):
            collection.clusters()
        view = collection.clusters("nowhere.example")
        assert (view.site, view.known, view.clusters) == ("nowhere.example", 0, ())
        assert view.blocks_of("http://nowhere.example/") == []


@pytest.mark.parametrize(("count", "most"), [(0, 5), (4, 5), (5, 5), (11, 5), (1000, 7), (7, 1)])
def test_pages_are_chosen_evenly(count, most):
    chosen, known = choose_evenly(map(str, range(count)), most)
    numbers = list(map(int, chosen))
    assert known == count
    assert len(numbers) == min(count, most)
    gaps = [b - a for a, b in pairwise(numbers)]
    assert not gaps or max(gaps) <= 2 * max(1, min(gaps))
    assert not count or numbers[0] == 0
