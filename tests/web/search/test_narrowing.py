from urllib.parse import parse_qs, urlsplit

import pytest

from telusur.models import FacetCount
from telusur.search.request import SearchRequest
from telusur.web.search.narrowing import view_chips, view_facets, view_histogram


def counts(**values):
    return {
        name: tuple(FacetCount(value, number) for value, number in rows.items())
        for name, rows in values.items()
    }


def query_of(url):
    return parse_qs(urlsplit(url).query)["q"][0]


def test_each_value_narrows_the_query():
    facets = counts(site={"a.example": 5, "b.example": 2}, language={"de": 4, "id": 3})
    site, language = view_facets(SearchRequest("tea", page=3, as_of=5.0), facets)
    assert (site.heading, language.heading) == ("Site", "Language")
    assert site.first[0] == ("a.example", 5, "/search?q=tea+site%3Aa.example")
    assert language.first[1] == ("Indonesian", 3, "/search?q=tea+lang%3Aid")


def test_wishes_are_kept():
    facets = counts(site={"a.example": 5, "b.example": 2})
    choice = view_facets(SearchRequest("tea", limit=50, model="tfidf"), facets)[0].first[0]
    assert choice.url == "/search?q=tea+site%3Aa.example&limit=50&model=tfidf"


def test_what_would_narrow_nothing_is_not_offered():
    assert view_facets(SearchRequest("tea"), counts(site={"a.example": 5})) == []
    two = counts(site={"a.example": 5, "b.example": 2})
    assert view_facets(SearchRequest("tea site:a.example"), two) == []


def test_a_value_that_no_query_can_hold_is_only_read():
    facets = counts(site={'a" OR x': 5, "b.example": 2})
    assert view_facets(SearchRequest("tea"), facets)[0].first[0].url is None


def test_many_values_are_folded():
    facets = counts(site={f"{n}.example": 9 - n for n in range(9)})
    shown = view_facets(SearchRequest("tea"), facets)[0]
    assert (len(shown.first), len(shown.more)) == (6, 3)
    seven = counts(site={f"{n}.example": 9 - n for n in range(7)})
    assert len(view_facets(SearchRequest("tea"), seven)[0].first) == 7


@pytest.mark.parametrize(
    ("query", "chips"),
    [
        ("tea site:a.example cup", {"site:a.example": "tea cup"}),
        ("site:a.example", {"site:a.example": None}),
        ("after:2024 tea before:2025", {"after:2024": "tea before:2025",
                                        "before:2025": "after:2024 tea"}),
        ("tea -lang:de", {"-lang:de": "tea"}),
        ('"on site:a.example now" tea', {}),
        ("(site:a.example OR site:b.example)", {}),
        ("website:x title:y", {}),
        ("tea before:lunch", {}),
    ],
)  # fmt: skip
def test_filters_can_be_taken_back(query, chips):
    shown = view_chips(SearchRequest(query))
    assert [chip.text for chip in shown] == list(chips)
    for chip in shown:
        expected = chips[chip.text]
        assert chip.url == "/search" if expected is None else query_of(chip.url) == expected


def test_years_are_drawn_with_their_gaps():
    drawn = view_histogram(SearchRequest("tea"), counts(year={"2020": 4, "2022": 8, "2023": 1}))
    assert [(bar.text, bar.height) for bar in drawn.bars] == [
        ("2020: 4", 24.0), ("2021: 0", 0), ("2022: 8", 48.0), ("2023: 1", 6.0),
    ]  # fmt: skip
    assert all(bar.y + bar.height == drawn.height for bar in drawn.bars)
    assert drawn.bars[-1].x + drawn.bars[-1].width <= drawn.width
    assert drawn.text == "Documents by year. 2020: 4, 2022: 8, 2023: 1"
    newest = drawn.choices.first[0]
    assert query_of(newest.url) == "tea after:2023 before:2024"


def test_one_year_is_drawn_by_month():
    facets = counts(year={"2023": 9, "2024": 1}, month={"2023-11": 9, "2024-01": 1})
    drawn = view_histogram(SearchRequest("tea after:2023 before:2025"), facets)
    assert [bar.text for bar in drawn.bars] == ["Nov 2023: 9", "Dec 2023: 0", "Jan 2024: 1"]
    asked = [query_of(choice.url) for choice in drawn.choices.first]
    assert asked == ["tea after:2024-01 before:2024-02", "tea after:2023-11 before:2023-12"]


def test_a_single_date_is_no_histogram():
    facets = counts(year={"2023": 9}, month={"2023-05": 9})
    assert view_histogram(SearchRequest("tea"), facets) is None
    assert view_histogram(SearchRequest("tea"), {}) is None


def test_wild_years_draw_no_thousand_bars():
    drawn = view_histogram(
        SearchRequest("tea"), counts(year={"0001": 1, "1950": 1, "2020": 2, "9999": 1, "x": 5})
    )
    assert 2 <= len(drawn.bars) <= 60
