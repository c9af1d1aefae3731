import json
import sqlite3

import pytest

from telusur.collection import open_collection

GOOD, BAD = "http://a.example/one", "http://a.example/Two?b=2&a=1"


@pytest.fixture
def place(tmp_path):
    with open_collection(tmp_path / "c"):
        return tmp_path / "c"


def test_pages_are_marked_listed_and_forgotten(telusur, place):
    assert telusur("mark", "--in", place).code == 1
    ran = telusur("mark", GOOD, "--in", place, "--good")
    assert (ran.code, ran.out, ran.err) == (0, "", "Marked 1; 1 are marked.\n")
    telusur("mark", BAD, "--in", place, "--bad")
    listed = telusur("mark", "--in", place)
    assert (listed.code, listed.out) == (0, f"good {GOOD}\nbad {BAD}\n")
    lines = telusur("mark", "--in", place, "--json").out.splitlines()
    records = [json.loads(line) for line in lines]
    assert [(r["type"], r["url"], r["is_good"]) for r in records] == [
        ("mark", GOOD, True), ("mark", BAD, False)]  # fmt: skip
    telusur("mark", "HTTP://a.example:80/one", "--in", place, "--forget")
    assert telusur("mark", "--in", place).out == f"bad {BAD}\n"


def test_what_is_listed_is_a_file_of_labels(telusur, place, tmp_path):
    telusur("mark", GOOD, BAD, "--in", place, "--bad")
    (tmp_path / "labels").write_text(telusur("mark", "--in", place).out)
    flags = ["--labels", tmp_path / "labels", "--topic", "owls", "--to", tmp_path / "d"]
    ran = telusur("crawl", "http://127.0.0.1:9/", *flags, "--allow-private", "--seconds", "0.001")
    assert ran.code in (0, 1)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([GOOD], "add --good, --bad or --forget"),
        (["--good"], "No pages given"),
        ([GOOD, "not an address", "--good"], "nothing was marked"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_marked(telusur, place, arguments, complaint):
    ran = telusur("mark", *arguments, "--in", place)
    assert ran.code == 2
    assert complaint in ran.err
    assert telusur("mark", "--in", place).code == 1


def test_marks_without_addresses_are_listed_by_what_is_known(telusur, place):
    with open_collection(place) as collection:
        collection.mark(GOOD, True)
    with sqlite3.connect(place / "collection.db") as db:
        db.execute("ALTER TABLE marks DROP COLUMN url")
    assert telusur("mark", "--in", place).out == "# a good page whose URL is unknown\n"
    assert telusur("mark", GOOD, "--in", place, "--bad").code == 0
    assert telusur("mark", "--in", place).out == f"bad {GOOD}\n"
