import itertools

import pytest

import telusur
from telusur.models import Document

TEXT = "The black cats sat. A black dog saw the cat, and the library closed."


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    with telusur.open(tmp_path_factory.mktemp("highlight") / "c") as opened:
        opened.add([Document("https://e.example/", "Cats", text=TEXT, language="en")])
        yield opened


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("cat", ["cats", "cat"]),
        ("librar*", ["library"]),
        ('"black dog"', ["black dog"]),
        ("cat -dog", ["cats", "cat"]),
        ("black OR dog", ["black", "black", "dog"]),
        ("site:e.example cats", ["cats", "cat"]),
        ("zebra", []),
        ("", []),
        ('("', []),
    ],
)
def test_words_are_found_in_all_their_forms(collection, query, marked):
    ranges = collection.find_words(query, TEXT, "en")
    assert [TEXT[start:end] for start, end in ranges] == marked


def test_ranges_stand_apart(collection):
    ranges = collection.find_words('"black dog" black dog', TEXT, "en")
    assert all(end <= start for (_, end), (start, _) in itertools.pairwise(ranges))
    assert "black dog" in [TEXT[start:end] for start, end in ranges]
