import pytest

from telusur.extract.facts.people.shown import find_shown_people

DAY = "2024-05-17"


@pytest.mark.parametrize(
    ("line", "label", "expected"),
    [
        ("17 May 2024 - Ada Lindqvist", "date", ["Ada Lindqvist"]),
        ("Ada Lindqvist | Senior Writer | May 17, 2024", "date", ["Ada Lindqvist"]),
        ("Coast | By Ada Lindqvist | May 17, 2024", "author", ["Ada Lindqvist"]),
        ("May 17, 2024 • Ada Lindqvist and Bo Ek", "date", ["Ada Lindqvist", "Bo Ek"]),
        ("18 May 2024 - Ada Lindqvist", "date", []),  # another day: a teaser
        ("17 May 2024 - Ada Lindqvist", "other", []),
        ("17 May 2024 - reading time: 3 minutes", "date", []),
    ],
)
def test_the_person_in_the_line_of_the_day(line, label, expected):
    assert find_shown_people(["Fog signals", line], ["title", label], DAY) == expected


def test_a_likely_byline_counts_beside_the_title_or_a_day():
    lines = ["Fog signals", "Ada Lindqvist", "It was night.", "Bo Ek"]
    labels = ["title", "author", "content", "author"]
    assert find_shown_people(lines, labels, None) == ["Ada Lindqvist"]
    assert find_shown_people(lines[2:], labels[2:], None) == []
    assert find_shown_people(["Fog signals", "About the coast"], ["title", "author"], None) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["All articles by Ada Lindqvist"], ["Ada Lindqvist"]),
        (["Alles von Ada Lindqvist\nKontakt"], ["Ada Lindqvist"]),
        (["View all posts by Ada Lindqvist", "View all posts by Bo Ek"], []),
        (["All articles by category"], []),
    ],
)
def test_the_person_whose_other_articles_are_offered(lines, expected):
    assert find_shown_people(lines, ["other"] * len(lines), None) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("（总台记者 张倩）", ["张倩"]),
        ("光明日报记者 王建宏 张文攀", ["王建宏", "张文攀"]),
        ("本报记者罗科苏盈发自北京", ["罗科苏盈"]),
        ("14:25 作者：赵婕", ["赵婕"]),
        ("记者近日从农业厅获悉，今年改造户用卫生厕所四万座。", []),
        ("小记者训练营", []),
    ],
)
def test_chinese_reporters(line, expected):
    assert find_shown_people(["雾号", line], ["title", "content"], None) == expected
