"""`make bench-extraction` on made-up sets: who is asked what, by which model, and what counts."""

import json
import lzma
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bench.extraction.__main__ import main
from bench.extraction.answers import Asked
from bench.extraction.furniture import find_furniture
from bench.extraction.judging import Judge, summary_of
from bench.extraction.models import Classroom, models_by_site, models_by_source
from bench.extraction.report import beaten, beaten_text, long_report, main_tables
from bench.extraction.sets import age_of, unpack_sets
from bench.extraction.witnesses import ask_witnesses
from telusur.errors import UsageError
from telusur.extract.content.model import load_model
from telusur.extract.document import extract_document
from telusur.learn.training import TrainingCourse
from tests.learn.made_up_sites import made_up_page

SETS = {"first": ("a", "b"), "second": ("b", "c"), "third": ("d",)}


def write_set(directory, name, rows):
    (directory / "extraction").mkdir(exist_ok=True)
    with lzma.open(directory / "extraction" / f"{name}.jsonl.xz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def row_of(page, **changed):
    return asdict(page) | {"labels": ["text", "title", "author"]} | changed


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    directory = tmp_path_factory.mktemp("data")
    for name, sites in SETS.items():  # "b" has pages in two sets
        rows = [
            row_of(made_up_page(f"{name}-{site}", number), site=site)
            for site in sites
            for number in range(3)
        ]
        write_set(directory, name, rows)
    return directory


def keys_of(page_set):
    return [key for key, _ in page_set.keyed()]


def judged(page, **answer):
    return Judge(page).judge({"seconds": 0.01, **answer})


# Sets


def test_a_set_is_unpacked_once_and_its_order_is_fixed(data, tmp_path, capsys):
    first, _, _ = unpack_sets(data, tmp_path, [])
    assert capsys.readouterr().err.count("Unpacking") == 3
    pages = [(key, page.id) for key, page in first.keyed()]
    assert pages != sorted(pages, key=lambda pair: pair[1])
    assert len({key for key, _ in pages}) == 6
    assert sorted(first.sites()) == ["a"] * 3 + ["b"] * 3
    again, _, _ = unpack_sets(data, tmp_path, [])
    assert [(key, page.id) for key, page in again.keyed()] == pages
    assert not capsys.readouterr().err


def test_a_set_that_is_not_there_is_named(data, tmp_path):
    with pytest.raises(UsageError, match="fourth: no such set; there are first, second, third"):
        unpack_sets(data, tmp_path, ["fourth"])
    with pytest.raises(UsageError, match="no files"):
        unpack_sets(tmp_path, tmp_path, [])


def test_a_page_is_as_old_as_its_date_or_its_set():
    page = made_up_page("a", 1)
    assert age_of(replace(page, date="2009-12-31")) == "to 2009"
    assert age_of(replace(page, source="daniel")) == "2010-14"
    assert age_of(page) == "unknown"


# Models


def test_a_model_never_saw_the_set_that_it_tests_nor_its_sites(data, tmp_path, capsys):
    first, second, third = unpack_sets(data, tmp_path, [])
    room = Classroom([first, second], {}, tmp_path, TrainingCourse(epochs=1))
    models = models_by_source(room, [first, second], [third], None)
    about = {name: load_model(path).about for name, path in models.items()}
    assert about["first"]["sources"] == {"second": 3}  # site b is in the first set too
    assert about["second"]["sources"] == {"first": 3}
    assert about["third"]["sources"] == {"first": 6, "second": 6}
    assert "training without first: 1 of 1" in capsys.readouterr().err
    again = Classroom([first, second], {}, tmp_path, TrainingCourse(epochs=1))
    assert models_by_source(again, [first, second], [third], None) == models
    assert not capsys.readouterr().err
    by_site = models_by_site(again, first, 2)
    assert {load_model(path).about["sources"]["first"] for path in by_site.values()} == {3}


# Answers


def test_pages_are_asked_about_once(data, tmp_path):
    sets = unpack_sets(data, tmp_path, ["first"])
    wanted = {"first": keys_of(sets[0])[:1]}
    asked = Asked("telusur", Path(sys.executable), tmp_path / "asked")
    asked.ask(sets, wanted)
    (answer,) = asked.answers("first").values()
    assert answer["text"]
    assert {"content", "title"} <= set(answer["labels"])
    before = (asked.directory / "first.jsonl").read_bytes()
    with (asked.directory / "first.jsonl").open("ab") as file:
        file.write(b'{"key": "0123456789abcdef", "te')  # the program was ended here
    asked.ask(sets, wanted)
    assert (asked.directory / "first.jsonl").read_bytes().startswith(before)
    assert list(asked.answers("first")) == wanted["first"]


def test_a_page_that_takes_too_long_costs_itself(tmp_path):
    page = made_up_page("a", 1)
    endless = page.html + "<div><p>One more line of it.</p></div>" * 20_000
    write_set(tmp_path, "long", [row_of(page), row_of(page, id="2", html=endless)])
    sets = unpack_sets(tmp_path, tmp_path, [])
    asked = Asked("telusur", Path(sys.executable), tmp_path / "asked", page_seconds=0.05)
    asked.ask(sets, {"long": keys_of(sets[0])})
    answers = asked.answers("long").values()
    errors = [answer.get("error") for answer in answers]
    assert sorted(errors, key=str) == [None, "not done after 0.05 CPU seconds"]


def test_an_extractor_that_cannot_begin_is_an_error(data, tmp_path):
    sets = unpack_sets(data, tmp_path, ["first"])
    asked = Asked("telusur", Path(sys.executable), tmp_path, model=tmp_path / "none.npz")
    with pytest.raises(ChildProcessError, match="telusur: exit code 1"):
        asked.ask(sets, {"first": keys_of(sets[0])[:1]})


def test_witnesses_are_asked_about_pages_without_a_text_whatever_their_ids(tmp_path):
    page = made_up_page("a", 1)
    rows = [row_of(page), row_of(page, id="no (1)", url="http://a/", text=None, labels=["with"])]
    write_set(tmp_path, "some", rows)
    sets = unpack_sets(tmp_path, tmp_path, [])
    witness = Asked("telusur", Path(sys.executable), tmp_path / "asked")
    (row,) = ask_witnesses(sets, [witness, witness])
    assert (row["source"], row["id"]) == ("some", "no (1)")
    assert row["texts"][0] == row["texts"][1] == page.text


# Verdicts

ARTICLE = """<html><head><title>Ferries in winter | The Harbour</title></head><body>
<h1>Ferries in winter</h1><p class="byline">By Marta Vesely</p><time>12 May 2017</time>
<figure><figcaption>The pier at dawn.</figcaption></figure>
<p>The first ferry leaves at seven, when it is still dark.</p>
<p>Nobody counts the passengers before May.</p><p>All rights reserved by the harbour.</p></body>"""
BODY = ("The first ferry leaves at seven, when it is still dark.",
        "Nobody counts the passengers before May.")  # fmt: skip
PAGE = made_up_page("a", 1)
PAGE = replace(
    PAGE, html=ARTICLE, title="Ferries in winter", author="Marta Vesely", text="\n".join(BODY)
)


def test_titles_bylines_dates_and_captions_are_taken_out_of_both_sides():
    beside = ("Ferries in winter", "By Marta Vesely | Updated 12 May 2017", "The pier at dawn.")
    text = "\n".join([*beside, *BODY])
    furniture = find_furniture(PAGE, extract_document(ARTICLE).blocks)
    assert furniture.remove_from(text) == PAGE.text
    verdict = judged(PAGE, text=text)
    assert verdict.score.runs.f1 < verdict.fair.f1 == 1
    assert judged(replace(PAGE, text=text), text=PAGE.text).fair.f1 == 1


def test_an_answer_without_labels_labels_the_blocks_that_it_extracted():
    right = judged(PAGE, text=PAGE.text, title=PAGE.title)
    content, title, author = (right.blocks[name] for name in ("content", "title", "author"))
    assert (content.right, content.labelled, content.wanted) == (2, 2, 2)
    assert title.f1 == 1
    assert (author.right, author.wanted) == (0, 1)
    wordy = judged(PAGE, text=f"{PAGE.text}\nAll rights reserved by the harbour.")
    assert (wordy.blocks["content"].right, wordy.blocks["content"].labelled) == (2, 3)
    labels = [block.label for block in extract_document(ARTICLE).blocks]
    ours = judged(PAGE, text="", labels=["other"] * len(labels))
    assert (ours.blocks["content"].labelled, ours.blocks["content"].wanted) == (0, 2)


def test_what_nobody_looked_up_is_not_judged():
    page = replace(PAGE, text=None, title="", known=("with",), wanted=("at seven", "at nine"))
    verdict = judged(page, text=BODY[0], title="Anything", page_type="forum")
    assert (verdict.score.runs, verdict.fair, verdict.score.title) == (None, None, None)
    assert verdict.blocks == {}
    assert verdict.score.wanted == (1, 2)


# Tables


def verdicts_of(source, texts, pages=100):
    page = replace(PAGE, source=source)
    return {name: [judged(page, text=text)] * pages for name, text in texts.items()}


def test_a_set_of_many_pages_where_a_peer_is_better_is_listed():
    texts = {"telusur": BODY[0], "peer": PAGE.text, "silent": ""}
    verdicts = verdicts_of("chaos", texts)
    (one,) = beaten(verdicts, ["telusur"])
    assert (one.source, one.pages, one.peer, one.theirs) == ("chaos", 100, "peer", 1)
    assert "- chaos (100 pages): peer 1.000, ours 0." in beaten_text(verdicts, ["telusur"])
    assert beaten_text(verdicts, ["peer"]).endswith(": none.")
    assert beaten(verdicts_of("chaos", texts, pages=99), ["telusur"]) == []
    assert beaten(verdicts, ["peer"]) == []
    assert beaten(verdicts, []) == []


def test_the_main_table_has_our_precision_and_our_margin_to_the_best_peer():
    texts = {"telusur": BODY[0], "telusur-all": PAGE.text, "peer": PAGE.text, "silent": ""}
    by_set, news, everything, costs = main_tables(verdicts_of("chaos", texts, 2), list(texts)[:2])
    assert by_set.heads == ["set", "pages", "telusur", "P", "R", *list(texts)[1:], "margin"]
    (chaos, mean) = by_set.rows
    assert chaos[:2] == ["chaos", 2]
    assert chaos[3] == 1
    assert 0 < chaos[2] == 1 + chaos[-1] < 1
    assert mean[1:] == chaos[1:]
    assert [row[0] for row in news.rows] == list(texts)
    assert everything.rows[3][:3] == ["silent", 2, None]
    lines = costs.as_text().split("\n")
    assert lines[1].startswith("extractor    CPU-s  pages/CPU-s")
    assert lines[3].startswith("telusur        0.0        100.0")
    assert "| telusur | 0.0 | 100.0 |" in costs.as_markdown()


def test_a_failed_page_counts_as_silence():
    summary = summary_of([judged(PAGE, error="Stop", text=None), judged(PAGE, text=PAGE.text)])
    assert (summary.failed, summary.figures.runs.recall) == (1, 0.5)
    assert summary.pages_per_second == pytest.approx(100)


def test_the_long_report_has_all_figures_in_all_ways():
    report = long_report(verdicts_of("chaos", {"telusur": PAGE.text}, 2), ["telusur"], "Two pages.")
    for way in ("By set", "By years", "By language", "By page type"):
        assert f"## {way}" in report
    assert "4-gram F1\n\n| set | pages | telusur |" in report
    assert "| 2015-19 | 2 | 1.000 |" in report


def test_the_program_tests_a_ready_model_on_pages_that_it_never_saw(
    data, tmp_path, monkeypatch, capsys
):
    arguments = [
        "bench.extraction", str(data), str(tmp_path), "--train", "first", "--model", "shipped",
        "--only", "telusur",
    ]  # fmt: skip
    monkeypatch.setattr(sys, "argv", arguments)
    assert main() == 0
    out = capsys.readouterr().out
    assert "second      3" in out  # not those of site b
    assert "third       3" in out
    assert "first " not in out
    assert "## By set" in (tmp_path / "report.md").read_text()
    monkeypatch.setattr(sys, "argv", [*arguments, "--sets", "fifth"])
    assert main() == 2
    assert "--sets: there are only first, second, third" in capsys.readouterr().err
