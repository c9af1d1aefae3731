from collections import Counter

import pytest

from telusur.backends.files.blobs import FileBlobs
from telusur.errors import UsageError
from telusur.reports.clusters.names import AUTO, read_names, write_names
from telusur.reports.clusters.shapes import Shape

TEXT, LONG_TEXT = Shape("html/body/p", "p.text", 0, 3), Shape("html/body/p", "p.text", 0, 5)
MENU, SHORT = Shape("html/body/nav", "", 4, 1), Shape("html/body/p", "p.text", 0, 1)
CLUSTERS = {"text": {TEXT: 5, LONG_TEXT: 4}, "menu": {MENU: 9}, "short": {SHORT: 3}}


@pytest.fixture
def blobs(tmp_path):
    return FileBlobs(tmp_path)


def labels(blobs, clusters=CLUSTERS):
    names = read_names(blobs, "a.example")
    return {key: names.label_of(shapes) for key, shapes in clusters.items()}


def test_a_label_is_that_of_its_cluster_alone(blobs):
    write_names(blobs, "a.example", {"text": "content"}, CLUSTERS)
    assert labels(blobs) == {"text": "content", "menu": "", "short": ""}
    assert read_names(blobs, "b.example").label_of(CLUSTERS["text"]) == ""
    write_names(blobs, "a.example", {"short": "other", "text": "author"}, CLUSTERS)
    assert labels(blobs) == {"text": "author", "menu": "", "short": "other"}
    write_names(blobs, "a.example", {"text": AUTO}, CLUSTERS)
    assert labels(blobs) == {"text": "", "menu": "", "short": "other"}


def test_a_label_is_found_when_clusters_were_joined_or_taken_apart(blobs):
    write_names(blobs, "a.example", {"text": "content", "menu": "other"}, CLUSTERS)
    apart = {"one": {TEXT: 50}, "two": {LONG_TEXT: 1}, "joined": {TEXT: 6, MENU: 5}}
    assert labels(blobs, apart) == {"one": "content", "two": "content", "joined": "content"}
    mostly_new = {"new": {TEXT: 2, Shape("html/body/div", "", 0, 3): 3}}
    assert labels(blobs, mostly_new) == {"new": ""}


def test_a_new_length_counts_like_others_of_its_place(blobs):
    write_names(blobs, "a.example", {"text": "content"}, CLUSTERS)
    assert labels(blobs, {"longer": {LONG_TEXT._replace(length=7): 3}}) == {"longer": "content"}


@pytest.mark.parametrize("broken", [b"{", b"[]", b'{"shapes": [{"path": 1}]}', b'{"shapes": 7}'])
def test_a_broken_file_is_like_none(blobs, broken):
    write_names(blobs, "a.example", {"text": "content"}, CLUSTERS)
    (file,) = blobs.names("clusters")
    blobs.write(file, broken)
    assert set(labels(blobs).values()) == {""}
    write_names(blobs, "a.example", {"menu": "other"}, CLUSTERS)
    assert labels(blobs)["menu"] == "other"


def test_a_strange_label_is_refused_and_nothing_is_stored(blobs):
    with pytest.raises(UsageError, match="'menu' is not one of content, title"):
        write_names(blobs, "a.example", {"text": "content", "menu": "menu"}, CLUSTERS)
    assert blobs.names("clusters") == []


def test_names_of_files_stay_inside(blobs, tmp_path):
    write_names(blobs, "../../a/b", {"text": "content"}, CLUSTERS)
    (file,) = blobs.names("clusters")
    assert (tmp_path / file).parent == tmp_path / "clusters"
    assert Counter(file)["/"] == 1
