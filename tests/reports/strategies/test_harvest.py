"""Harvest rate and recall, worked out by hand; curves that stay small; pictures that are XML."""

from xml.etree import ElementTree

import pytest

from telusur.reports.strategies.chart import as_file, draw, harvest_height, recall_height
from telusur.reports.strategies.harvest import POINTS, Fetched, add_up, follow


def course_of(relevance, known, budget, strategy="mine"):
    fetched = [Fetched(f"u{n}", "en" if n % 2 else "id", yes) for n, yes in enumerate(relevance)]
    return follow(strategy, "owls", fetched, [f"r{n}" for n in range(known)], budget)


def test_counts_by_hand():
    course = course_of([True, False, True, False], known=4, budget=4)
    assert course.harvest == 0.5
    assert course.recall == 0.5
    assert course.curve == ((0, 0), (1, 1), (2, 1), (3, 2), (4, 2))
    assert dict(course.recall_at) == {0.05: 0.0, 0.1: 0.0, 0.25: 0.25, 0.5: 0.25, 1.0: 0.5}
    assert dict(course.languages) == {"id": 2, "en": 2}


def test_a_crawl_that_ended_early_keeps_what_it_has():
    course = course_of([True], known=2, budget=100)
    assert dict(course.recall_at)[1.0] == 0.5


def test_a_crawl_that_fetched_nothing():
    course = course_of([], known=0, budget=10)
    assert (course.harvest, course.recall, course.curve) == (0.0, 0.0, ((0, 0),))


def test_a_long_curve_has_few_points_and_ends_where_the_crawl_did():
    course = course_of([True, False] * 5000, known=5000, budget=10_000)
    assert len(course.curve) == POINTS + 1
    assert course.curve[-1] == (10_000, 5000)


def test_topics_add_up():
    both = add_up([course_of([True] * 10, 10, 10), course_of([False] * 10, 10, 10)])
    assert (both.pages, both.relevant, both.known) == (20, 10, 20)
    assert both.recall == 0.5
    assert both.curve[-1] == (20, 10)


@pytest.mark.parametrize("height", [recall_height, harvest_height])
def test_a_picture_is_xml_whatever_the_names(height):
    strategies = ["<script>alert(1)</script>", "b&w", *(f"s{n}" for n in range(12))]
    courses = [course_of([True, False], 2, 2, name) for name in strategies]
    picture = ElementTree.fromstring(as_file(draw(courses, 'owls "and" <more>', height)))
    lines = picture.findall(".//{http://www.w3.org/2000/svg}polyline")
    assert len(lines) == len(strategies)
    assert "<script>" not in as_file(draw(courses, "t", height))
    styles = {(line.get("stroke"), line.get("stroke-dasharray")) for line in lines}
    assert len(styles) == len(strategies)
