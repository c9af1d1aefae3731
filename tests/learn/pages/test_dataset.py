import gzip
import json
import lzma

import pytest

from telusur.errors import UsageError
from telusur.learn.pages.dataset import read_pages

ROW = {
    "id": 7,
    "html": "<p>x",
    "url": "http://a.example/b",
    "text": "x",
    "author": "",
    "with": ["x"],
}


@pytest.mark.parametrize(
    ("name", "opener"), [("a.jsonl", open), ("a.jsonl.xz", lzma.open), ("a.jsonl.gz", gzip.open)]
)
def test_pages_are_read_from_plain_and_compressed_files(tmp_path, name, opener):
    with opener(tmp_path / name, "wt", encoding="utf-8") as file:
        file.write(json.dumps(ROW) + "\n\n")
    for place in (tmp_path, tmp_path / name):
        (page,) = read_pages(place)
        assert (page.id, page.site, page.text, page.author) == ("7", "a.example", "x", None)
        assert page.wanted == ("x",)


def test_a_set_is_named_by_its_file_and_says_what_it_knows(tmp_path):
    rows = [ROW, ROW | {"labels": ["text", "date", "with"]}, ROW | {"labels": []}]
    (tmp_path / "news.2024.jsonl").write_text("\n".join(map(json.dumps, rows)))
    pages = list(read_pages(tmp_path))
    assert [page.key for page in pages] == ["news/7"] * 3
    facts = [[fact in page.known for fact in ("text", "title", "date")] for page in pages]
    assert facts == [[True, True, True], [True, False, True], [True, True, True]]


def test_a_page_without_truth_says_so(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"html": "<p>x", "text": None, "url": None}))
    (page,) = read_pages(tmp_path)
    assert page.text is None
    assert page.url == ""


@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "not JSON"), ("[]", "needs a field `html`"), ('{"html": 3}', "needs a field `html`")],
)
def test_a_bad_line_is_named(tmp_path, content, words):
    (tmp_path / "a.jsonl").write_text("\n" + content)
    with pytest.raises(UsageError, match=words) as raised:
        list(read_pages(tmp_path / "a.jsonl"))
    assert "line 2" in str(raised.value)


def test_a_place_without_pages_is_named(tmp_path):
    for place in (tmp_path, tmp_path / "nothing.jsonl"):
        with pytest.raises(UsageError, match=str(place)):
            list(read_pages(place))
    (tmp_path / "a.jsonl.xz").write_bytes(b"no archive")
    with pytest.raises(UsageError, match="cannot be read"):
        list(read_pages(tmp_path))
