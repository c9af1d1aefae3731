"""Strategies compared over the archive of the demo web; nobody listens on the network."""

import json

import pytest

import telusur
from telusur.cli import run
from telusur.reports.strategies.harvest import Fetched, follow
from telusur.reports.strategies.judge import COMPARISON, languages_of, read_comparison


@pytest.fixture(scope="module")
def kept(demo, tmp_path_factory):
    """Two strategies compared on two topics by the command, and kept."""
    directory = tmp_path_factory.mktemp("compared") / "lab"
    picture = directory.parent / "recall.svg"
    code = run([
        "compare", demo.url("news"), demo.url("blog"), "--strategies", "breadth-first,shark-search",
        "--topic", "bread oven", "--topic", "railway", "--pages", "20", "--to", str(directory),
        "--replay", str(demo.directory), "--plot", str(picture), "--relevant", "0.1",
    ])  # fmt: skip
    assert code in (0, 1)
    return directory


def test_each_strategy_had_the_same_budget(kept):
    comparison = read_comparison((kept / COMPARISON).read_text())
    assert comparison.topics == ("bread oven", "railway")
    assert {course.strategy for course in comparison.courses} == {"breadth-first", "shark-search"}
    assert all(0 < course.pages <= 20 for course in comparison.courses)
    assert len({course.known for course in comparison.of_topic("railway")}) == 1


def test_pages_a_language_are_a_table():
    fetched = [
        [Fetched("u", code, True) for code in codes.split()] for codes in ("en en tr id", "tr")
    ]
    courses = [follow("opic", "owls", pages, [], 9) for pages in fetched]
    assert languages_of(courses, 2) == [("en", [2, 0]), ("tr", [1, 1]), ("others", [1, 0])]


def test_the_crawls_are_collections(kept):
    names = sorted(path.name for path in kept.iterdir() if path.is_dir())
    assert names == ["1-breadth-first", "1-shark-search", "2-breadth-first", "2-shark-search"]
    with telusur.open(kept / names[0]) as collection:
        assert collection.counts().pages == 20


def test_the_picture_was_drawn(kept):
    assert "shark-search" in (kept.parent / "recall.svg").read_text()


@pytest.mark.slow
def test_the_same_comparison_gives_the_same(kept, demo, tmp_path, capsys):
    assert run([
        "compare", demo.url("news"), demo.url("blog"), "--strategies", "shark-search",
        "--topic", "railway", "--pages", "20", "--replay", str(demo.directory), "--json",
        "--relevant", "0.1",
    ]) in (0, 1)  # fmt: skip
    (course,) = json.loads(capsys.readouterr().out)["courses"]
    first = read_comparison((kept / COMPARISON).read_text())
    before = next(c for c in first.of_topic("railway") if c.strategy == "shark-search")
    assert [tuple(point) for point in course["curve"]] == list(before.curve)


@pytest.mark.slow
def test_topics_may_have_start_urls_of_their_own(demo, tmp_path, capsys):
    topics = tmp_path / "topics.txt"
    topics.write_text(f"# two\nbread oven | {demo.url('blog')}\nrailway\n")
    base = ["compare", "--strategies", "opic", "--topics-from", str(topics), "--pages", "1"]
    base += ["--replay", str(demo.directory)]
    assert run(base) == 2
    assert "Name at least one start URL." in capsys.readouterr().err
    assert run([*base, demo.url("news"), "--json", "--to", str(tmp_path / "lab")]) in (0, 1)
    comparison = json.loads(capsys.readouterr().out)
    assert comparison["topics"] == ["bread oven", "railway"]
    assert comparison["start_urls"] == [demo.url("blog"), demo.url("news")]
    with telusur.open(tmp_path / "lab" / "1-opic") as collection:
        assert [page["url"] for page in collection.pages()] == [demo.url("blog")]


def test_the_truth_may_be_a_list(demo, tmp_path, capsys):
    truth = tmp_path / "truth.txt"
    truth.write_text(f"# good pages\n{demo.url('news')}\n")
    assert run([
        "compare", demo.url("news"), "--strategies", "breadth-first", "--topic", "anything",
        "--pages", "4", "--replay", str(demo.directory), "--truth", str(truth), "--json",
    ]) == 0  # fmt: skip
    (course,) = json.loads(capsys.readouterr().out)["courses"]
    assert (course["relevant"], course["known"]) == (1, 1)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (["--strategies", "sharks"], "there is no 'sharks'"),
        (["--strategies", "opic,opic"], "named twice"),
        (["--strategies", "opic", "--pages", "0"], "--pages"),
        (["--strategies", "opic", "--plot", "a.gif"], "neither an .svg"),
        (["--strategies", "opic", "--truth", "missing.txt"], "--truth"),
        (["--strategies", "opic", "--topics-from", "missing.txt"], "--topics-from"),
    ],
)
def test_what_makes_no_sense_is_said_before_the_first_crawl(demo, capsys, changed, says):
    base = ["compare", demo.url("news"), "--topic", "owls", "--replay", str(demo.directory)]
    pages = [] if "--pages" in changed else ["--pages", "3"]
    assert run([*base, *pages, *changed]) == 2
    assert says in capsys.readouterr().err
