import numpy as np
import pytest

from telusur.learn.clusters.points import is_in_comments, look_and_place
from telusur.learn.clusters.site_clusters import (
    NOISE,
    ClusterOptions,
    SiteClusters,
    name_clusters,
    said_in,
)
from telusur.learn.pages.source_pages import prepare_page
from telusur.models import Block, Bounds
from tests.learn.made_up_sites import made_up_page


@pytest.fixture(scope="module")
def pages():
    return [prepare_page(made_up_page("a.example", number)) for number in range(4)]


def labelled(pages, options):
    clusters = SiteClusters(options)
    clusters.fit(pages[:3])
    return [
        (block.text, label, truth)
        for block, label, truth in zip(
            pages[3].blocks, clusters.label(pages[3]), pages[3].truth, strict=True
        )
    ]


def test_a_page_is_labelled_by_the_clusters_of_others(pages):
    found = labelled(pages, ClusterOptions())
    assert [(text, label) for text, label, _ in found] == [
        (text, truth) for text, _, truth in found
    ]
    assert {label for _, label, _ in found} == {"content", "title", "author", "other"}


def test_comments_are_content_only_without_the_correction(pages):
    comments = {block.text for block in pages[3].blocks if "#comments > div" in block.selectors}
    assert len(comments) == 6
    without = labelled(pages, ClusterOptions(corrects_comments=False))
    assert {label for text, label, _ in without if text in comments} == {"content"}
    corrected = labelled(pages, ClusterOptions())
    assert {label for text, label, _ in corrected if text in comments} == {"other"}


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [("html > body > div#comments > p", True), ("html > body > ol.comment-list > li", True),
     ("html > body > div.post-reply > p", True), ("html > body > div.text > p", False),
     ("html > body > div.commentary > p", False), ("html > body > div.no_comments_css", True)],
)  # fmt: skip
def test_names_of_comment_sections(selectors, expected):
    assert is_in_comments(Block("x", selectors=selectors)) is expected


def test_truth_is_never_looked_at(pages):
    clusters = SiteClusters()
    for page in pages[:3]:
        page.truth, kept = [], page.truth
        clusters.fit([page])
        page.truth = kept
    assert "content" in clusters.label(pages[3])


def test_blocks_move_apart_by_place_where_it_is_known(pages):
    page = prepare_page(made_up_page("a.example", 9))
    page.blocks[-1].bounds = page.blocks[-2].bounds = Bounds(0, 100, 800, 20)
    near = look_and_place(page)
    page.blocks[-1].bounds = Bounds(900, 2000, 200, 20)
    far = look_and_place(page)
    assert np.linalg.norm(far[-1] - far[-2]) > np.linalg.norm(near[-1] - near[-2])


def test_noise_has_no_name(pages):
    said = said_in(pages[0])
    assert name_clusters(np.full(len(said), NOISE), said, ClusterOptions()) == []


def test_blocks_have_the_cluster_that_others_of_their_look_have(pages):
    clusters = SiteClusters()
    clusters.fit(iter(pages[:3]))
    assert [len(own) for own in clusters.members] == [len(page.blocks) for page in pages[:3]]
    assert np.array_equal(clusters.members[2], clusters.clusters_of(pages[2]))
    of_text = {
        block.text: number
        for block, number in zip(pages[2].blocks, clusters.members[2], strict=True)
    }
    assert of_text["Harbour"] == of_text["Ferry"] != of_text[pages[2].title]


def test_without_pages_everything_is_noise(pages):
    clusters = SiteClusters()
    clusters.fit([])
    assert set(clusters.clusters_of(pages[0])) == {NOISE}
    assert set(clusters.label(pages[0])) == {"other"}


def test_of_too_many_points_the_rarest_join_the_clusters_of_the_others(pages, monkeypatch):
    whole, limited = SiteClusters(), SiteClusters()
    whole.fit(pages)
    monkeypatch.setattr("telusur.learn.clusters.site_clusters.MOST_POINTS", 12)
    limited.fit(pages)
    assert len(limited.names) <= 12
    assert limited.label(pages[0]).count("content") == whole.label(pages[0]).count("content") == 4
