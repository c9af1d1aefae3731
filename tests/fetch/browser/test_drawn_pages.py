"""Stored pages in a real Chromium, and what is kept of them."""

import gzip

import pytest

from telusur.errors import UsageError
from telusur.fetch.browser.drawn_pages import DrawnPages
from telusur.models import Bounds
from tests.learn.drawn_sites import drawn_page

PAGE = drawn_page("a.example", 0)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A directory with one page that was drawn, and its blocks."""
    directory = tmp_path_factory.mktemp("drawn") / "new"
    with DrawnPages(directory) as pages:
        blocks = pages.blocks_of(PAGE.html, PAGE.url)
        assert (pages.drawn, pages.failed) == (1, 0)
    return directory, blocks


def test_a_page_is_drawn_with_the_look_that_only_a_browser_knows(kept):
    _, blocks = kept
    assert blocks[8].text == PAGE.title
    assert (blocks[8].css["font-size"], blocks[8].label) == ("34px", "title")
    assert (blocks[9].css["width"], blocks[9].css["color"]) == ("620px", "rgb(17, 34, 51)")
    assert isinstance(blocks[9].bounds, Bounds)
    assert blocks[9].bounds.y > blocks[8].bounds.y


def test_a_page_is_drawn_once(kept, monkeypatch):
    directory, blocks = kept
    monkeypatch.setenv("PATH", "")  # nowhere is a browser
    with DrawnPages(directory) as pages:
        assert pages.blocks_of(PAGE.html, PAGE.url) == blocks
        assert pages.drawn == 0
        with pytest.raises(UsageError, match="Rendering is not possible"):
            pages.blocks_of(PAGE.html + "<p>another page", PAGE.url)


@pytest.mark.slow
def test_what_is_damaged_or_from_another_version_is_drawn_again(tmp_path, monkeypatch):
    with DrawnPages(tmp_path) as pages:
        pages.blocks_of("<p>ebb")
        (file,) = tmp_path.iterdir()
        file.write_bytes(file.read_bytes()[:-9])
        assert [block.text for block in pages.blocks_of("<p>ebb")] == ["ebb"]
        assert pages.drawn == 2
        assert gzip.decompress(file.read_bytes()).startswith(b'[{"text": "ebb"')
    monkeypatch.setattr("telusur.fetch.browser.drawn_pages.BOX_PROPERTIES", ("display",))
    with DrawnPages(tmp_path) as pages:
        pages.blocks_of("<p>ebb")
        assert pages.drawn == 1
    assert len(list(tmp_path.iterdir())) == 2


def test_nothing_is_fetched_and_an_empty_page_counts(tmp_path):
    with DrawnPages(tmp_path) as pages:
        assert (
            pages.blocks_of("<link rel=stylesheet href=http://127.0.0.1:9/a.css>", "no url") == []
        )
        assert pages.failed == 1


def test_a_page_that_could_not_be_drawn_is_tried_again(tmp_path, monkeypatch):
    broken = tmp_path / "bin" / "chromium"
    broken.parent.mkdir()
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("PATH", str(broken.parent))
        with DrawnPages(tmp_path / "kept") as pages:
            assert pages.blocks_of("<p>ebb") == []
            assert pages.failed == 1
    assert list((tmp_path / "kept").iterdir()) == []
    with DrawnPages(tmp_path / "kept") as pages:
        assert [block.text for block in pages.blocks_of("<p>ebb")] == ["ebb"]


def test_a_file_is_no_directory(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="cannot be used for rendered pages"):
        DrawnPages(tmp_path / "file")
