"""`telusur verify` as a user runs it."""

import json
import sqlite3
from contextlib import closing


def break_a_counter(directory):
    with closing(sqlite3.connect(directory / "collection.db")) as db, db:
        db.execute("UPDATE hosts SET waiting = 7 WHERE id = 1")


def test_it_says_that_all_is_well(demo, telusur):
    ran = telusur("verify", "--in", demo.directory)
    assert ran.code == 0
    assert "everything fits together" in ran.out
    assert ran.err == ""
    summary = json.loads(telusur("verify", "--in", demo.directory, "--json").out)
    assert summary["type"] == "summary"
    assert summary["fine"] is True
    assert summary["documents"] > 500


def test_it_says_what_is_wrong_and_what_to_do(demo_copy, telusur):
    break_a_counter(demo_copy)
    ran = telusur("verify", "--in", demo_copy)
    assert ran.code == 1
    assert "frontier: " in ran.out
    assert "has a count of 7 waiting URLs, but 0 are waiting." in ran.out
    assert "What to do: run `telusur crawl --to`" in ran.err
    ran = telusur("verify", "--in", demo_copy, "--json")
    assert ran.code == 1
    problem, summary = map(json.loads, ran.out.splitlines())
    assert (problem["type"], problem["part"]) == ("problem", "frontier")
    assert (summary["fine"], summary["problems"]) == (False, 1)


def test_what_is_no_collection_is_refused(telusur, tmp_path):
    ran = telusur("verify", "--in", tmp_path / "nowhere")
    assert ran.code == 2
    assert "there is no such directory" in ran.err
