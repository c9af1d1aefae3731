"""The workbench of a directory in which strategies were compared."""

from xml.etree import ElementTree

import pytest

import telusur
from telusur.models import Document
from telusur.reports.strategies.harvest import Fetched, follow
from telusur.reports.strategies.judge import COMPARISON, Comparison
from telusur.shelf import Shelf
from tests.web.conftest import run_workbench

HOSTILE = "<script>alert('x')</script>\u202e"


@pytest.fixture
def lab(tmp_path):
    """A directory with a collection, and a way to ask its workbench."""
    with telusur.open(tmp_path / "1-opic") as collection:
        collection.add(
            [Document(url="http://a.example/", title="Owls", text="Owls hunt at night.")]
        )
    with Shelf(tmp_path) as shelf, run_workbench(None, crawls=shelf) as bench:
        yield tmp_path, bench


def compare(directory, topic):
    fetched = [Fetched(f"http://a.example/{n}", "en", n % 2 == 0) for n in range(10)]
    courses = tuple(
        follow(name, topic, fetched, [page.url for page in fetched], 10)
        for name in ("opic", "hits")
    )
    comparison = Comparison(
        ("http://a.example/",), 10, (topic,), ("opic", "hits"), "words", courses
    )
    (directory / COMPARISON).write_text(comparison.to_json(), encoding="utf-8")


def test_tables_and_pictures(lab):
    directory, client = lab
    compare(directory, "night birds")
    page = client.get("/comparison")
    assert page.status == 200
    assert "night birds" in page.text
    assert page.text.count("<polyline") == 4
    assert "50.0 %" in page.text
    assert 'href="/comparison"' in client.get("/").text


def test_topics_and_languages_have_tables(lab):
    directory, client = lab
    pages = [Fetched(f"http://a.example/{n}", ("en", "tr")[n % 2], n < 3) for n in range(4)]
    courses = tuple(
        follow(name, topic, pages[:count], ["x"] * 4, 4)
        for topic in ("owls", "boats")
        for name, count in (("opic", 4), ("hits", 2))
    )
    comparison = Comparison(
        ("http://a.example/",), 4, ("owls", "boats"), ("opic", "hits"), "words", courses
    )
    (directory / COMPARISON).write_text(comparison.to_json(), encoding="utf-8")
    page = client.get("/comparison").text
    share = page.partition("Share of relevant pages among")[2].partition("</table>")[0]
    assert share.count("75.0 %") == share.count("100.0 %") == 3  # two topics and their mean
    languages = page.partition('aria-label="Pages by language"')[2]
    assert '<th scope="row">tr</th><td class="right">4</td><td class="right">2</td>' in languages


def test_the_same_as_json(lab):
    directory, client = lab
    compare(directory, "night birds")
    answer = client.get("/comparison.json").json
    assert [course["strategy"] for course in answer["courses"]] == ["opic", "hits"]
    assert answer["courses"][0]["relevant"] == 5


def test_hostile_names_stay_text(lab):
    directory, client = lab
    compare(directory, HOSTILE)
    text = client.get("/comparison").text
    assert "<script>alert" not in text
    assert "\u202e" not in text
    svg = text[text.index("<svg") : text.index("</svg>") + 6]
    ElementTree.fromstring(svg)


def test_nothing_was_compared(lab):
    _, client = lab
    answer = client.get("/comparison", Accept="text/html")
    assert answer.status == 404
    assert "telusur compare" in answer.text
