"""`telusur topics` on the crawled demo web."""

import json

from telusur.cli import run


def lines_of(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_words_of_the_whole_collection(demo, capsys):
    assert run(["topics", "--in", str(demo.directory), "--limit", "30"]) == 0
    shown = capsys.readouterr().out
    assert "documents" in shown
    assert "noun" in shown
    assert "verb" in shown


def test_words_of_each_site(demo, capsys):
    assert run(["topics", "--in", str(demo.directory), "--by-site", "--json"]) == 0
    groups = lines_of(capsys)
    assert len(groups) > 1
    documents = [group["documents"] for group in groups]
    assert documents == sorted(documents, reverse=True)
    assert all(len(group["roots"]) <= 20 for group in groups)


def test_words_of_a_topic_are_of_the_documents_found_for_it(demo, capsys):
    assert run(["topics", "owl", "--in", str(demo.directory), "--kind", "noun", "--json"]) == 0
    (group,) = lines_of(capsys)
    assert group["name"] == "owl"
    assert {root["kind"] for root in group["roots"]} == {"noun"}
    assert "owl" in [root["root"] for root in group["roots"]]


def test_a_topic_nobody_writes_about(demo, capsys):
    assert run(["topics", "zzyzx", "--in", str(demo.directory)]) == 1
    assert "'zzyzx'" in capsys.readouterr().err


def test_topics_and_sites_at_once_make_no_sense(demo, capsys):
    assert run(["topics", "owl", "--by-site", "--in", str(demo.directory)]) == 2
    assert "not both" in capsys.readouterr().err
