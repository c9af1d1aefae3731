from pathlib import Path

import pytest

from telusur.backends.files.blobs import FileBlobs
from telusur.errors import UsageError
from telusur.learn.pages.label_sheets import read_sheet
from telusur.learn.pages.sources import read_labelled
from telusur.reports.label_corrections import correct_labels, read_blocks

URL = "https://e.example/ferries?a=1"
HTML = """<!doctype html><title>Ferries</title><nav>Home</nav><h1>Ferries in winter</h1>
<p>The first ferry leaves at seven, and the last one at ten in the evening.</p>
<p>same</p><p>same</p><p>back\\slash\u2028and more</p>"""


def label_of(directory, text, html=HTML):
    found = read_blocks(FileBlobs(directory), html, URL)
    return [block.label for block in found.blocks if block.text.startswith(text)]


def test_a_correction_is_kept_and_learned_from(tmp_path):
    before = read_blocks(FileBlobs(tmp_path), HTML, URL)
    assert before.corrected == frozenset()
    number = [block.text for block in before.blocks].index("Home")
    sheet = correct_labels(FileBlobs(tmp_path), HTML, URL, {number: "author"})
    after = read_blocks(FileBlobs(tmp_path), HTML, URL)
    assert after.labels[number] == "author"
    assert after.corrected == {number}
    page = read_sheet(Path(sheet))
    assert page.author == "Home"
    assert page.url == URL
    assert list(page.labels) == after.labels
    assert [each.id for each in read_labelled(tmp_path / "labels")] == [Path(sheet).stem]


def test_corrections_add_up_and_are_taken_back(tmp_path):
    plain = read_blocks(FileBlobs(tmp_path), HTML, URL)
    first, second = (n for n, block in enumerate(plain.blocks) if block.text == "same")
    correct_labels(FileBlobs(tmp_path), HTML, URL, {second: "date"})
    assert label_of(tmp_path, "same") == [plain.labels[first], "date"]
    correct_labels(FileBlobs(tmp_path), HTML, URL, {first: "author"})
    assert label_of(tmp_path, "same") == ["author", "date"]
    correct_labels(FileBlobs(tmp_path), HTML, URL, {first: plain.labels[first]})
    assert read_blocks(FileBlobs(tmp_path), HTML, URL).corrected == {second}


def test_what_changed_since_is_unknown_and_the_rest_stays(tmp_path):
    number = [block.text for block in read_blocks(FileBlobs(tmp_path), HTML, URL).blocks].index(
        "Home"
    )
    correct_labels(FileBlobs(tmp_path), HTML, URL, {number: "date"})
    newer = HTML.replace("<nav>", "<p>News of today</p><nav>").replace("at seven", "at eight")
    assert label_of(tmp_path, "Home", newer) == ["date"]
    sheet = correct_labels(FileBlobs(tmp_path), newer, URL, {0: "other"})
    assert len(read_sheet(Path(sheet)).labels) == 7


def test_other_urls_have_other_sheets(tmp_path):
    one = correct_labels(FileBlobs(tmp_path), HTML, URL, {0: "date"})
    other = correct_labels(FileBlobs(tmp_path), HTML, URL.replace("a=1", "a=2"), {0: "date"})
    assert one != other
    assert not list((tmp_path / "labels").glob(".*"))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [({0: "poem"}, "label: 'poem' is not one of"), ({99: "date"}, "the page has blocks 0 to 5")],
)
def test_wrong_corrections_are_refused(tmp_path, changes, sentence):
    with pytest.raises(UsageError, match=sentence):
        correct_labels(FileBlobs(tmp_path), HTML, URL, changes)
    assert not (tmp_path / "labels").exists()
