"""`telusur save`, `join` and `pull` on the crawled demo web."""

import json

import pytest


def test_save(telusur, demo, tmp_path):
    ran = telusur("save", "--in", demo.directory, "--to", tmp_path / "out", "--query", "lighthouse")
    number = int(ran.out.split()[0])
    assert ran.code == 0
    assert len(list((tmp_path / "out").glob("http*.html"))) == number > 5
    again = telusur("save", "--in", demo.directory, "--to", tmp_path / "out")
    assert again.code == 2
    assert "the directory is not empty" in again.err


def test_join_what_a_query_finds(telusur, demo):
    ran = telusur("join", "--in", demo.directory, "--query", "lighthouse")
    assert ran.code == 0
    assert ran.out.startswith("# collection\n\n1. [")
    assert ran.out.count('\n<a id="page-') == ran.out.count("](#page-") > 5


def test_join_pages_that_are_named(telusur, demo):
    urls = [demo.url("docs"), demo.url("news")]
    ran = telusur("join", *urls, "--in", demo.directory, "--format", "text")
    assert [line for line in ran.out.splitlines() if line in urls] == urls


def test_pull(telusur, demo):
    words = ("pull", r"(\w+) lighthouse", "--in", demo.directory)
    rows = telusur(*words).out.splitlines()
    assert all(row.startswith("http://") for row in rows)
    *matches, summary = map(json.loads, telusur(*words, "--json").out.splitlines())
    assert len(matches) == len(rows) == summary["matches"]
    assert {match["url"] for match in matches} == {row.partition(": ")[0] for row in rows}
    assert all(match["match"] == match["groups"]["1"] + " lighthouse" for match in matches)


@pytest.mark.parametrize("command", [("join",), ("pull", "x"), ("save", "--to", "out")])
def test_what_is_not_there(telusur, demo, command):
    place = ("--in", demo.directory)
    assert telusur(*command, *place, "--query", "xyzzyplugh").code == 1
    unknown = telusur(*command, "http://nowhere.example/", *place)
    assert unknown.code == 2
    assert "http://nowhere.example/: the collection does not have this page." in unknown.err
    both = telusur(*command, "http://nowhere.example/", "--query", "x", *place)
    assert (both.code, "not both" in both.err) == (2, True)


def test_a_pattern_that_is_none(telusur, demo):
    ran = telusur("pull", "(", "--in", demo.directory)
    assert ran.code == 2
    assert "is not a regular expression" in ran.err
