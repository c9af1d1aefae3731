import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.crawl.rules.traps import (
    BARREN_LIMIT,
    BARREN_LIMIT_SOON,
    COPIES_LIMIT,
    DEEP,
    MOST_FAMILIES,
    SAMPLE_SIZE,
    Yields,
    family_of,
    has_date,
    take_sample,
    trap_reason,
)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/", None),
        ("/a/a/", None),
        ("/a/a/a/", "trap: path repeats a"),
        ("/x/a/a/a", "trap: path repeats a"),
        ("/x/y/x/y/", None),
        ("/x/y/x/y/x/y/", "trap: path repeats x/y"),
        ("/a/b/c/a/b/c/a/b/c", "trap: path repeats a/b/c"),
        ("/a/x/a/y/a/z/", None),
        ("/a/x/a/y/a/z/a/", "trap: path repeats a"),
        ("/1/2/1/3/1/4/1/5", None),
        ("/" + "/".join(map(str, range(20))), None),
        ("/" + "/".join(map(str, range(22))), "trap: more than 20 path segments"),
        ("/" + "a" * 2100, "trap: longer than 2083 characters"),
        ("/a/b/c?next=/a/a/a/a/a", None),
        ("/?" + "&".join("abcdefghijklmnopqrst"), None),
        ("/?" + "&".join("abcdefghijklmnopqrstu"), "trap: more than 20 parameters"),
    ],
)
def test_trap_reason(path, reason):
    assert trap_reason("http://a.example" + path) == reason


def test_relative_links_that_pile_up_end_soon():
    waiting, seen = ["http://a.example/deep/"], set()
    while waiting:
        url = waiting.pop()
        seen.add(url)
        waiting += [link for link in (url + "a/", url + "b/a/") if not trap_reason(link)]
        assert len(seen) < 30
    assert len(seen) > 5


@pytest.mark.parametrize(
    ("url", "family"),
    [
        ("http://a.example/", "http://a.example"),
        ("http://a.example/cal/2026/11", "http://a.example/cal"),
        ("http://a.example/cal/2026/11/15/", "http://a.example/cal"),
        ("http://a.example/cal?y=2026&m=11", "http://a.example/cal"),
        ("http://a.example/thread/7/page/2", "http://a.example/thread/#/page"),
        ("http://a.example/news/harbour-opens", "http://a.example/news/harbour-opens"),
    ],
)
def test_family(url, family):
    assert family_of(url) == family


def test_texts_share_as_much_of_their_samples_as_of_their_lines():
    assert take_sample("No events\nMay 2026") == take_sample("May 1999\nNo events")
    assert take_sample("one topic") != take_sample("other topic")
    assert take_sample("topic7") != take_sample("topic8")
    lines = [f"line {'x' * number}" for number in range(400)]
    most, all_of_them = take_sample("\n".join(lines[:380])), take_sample("\n".join(lines))
    assert len(most) == SAMPLE_SIZE
    assert len(most.keys() & all_of_them.keys()) > SAMPLE_SIZE * 0.7


FOOTER = (
    "This calendar is kept by the harbour office for everybody in town who wants to know what is on"
)


def visit(yields, path, text, leads_on=False, is_copy=False):
    url = "http://a.example" + path
    yields.observe(url, take_sample(text), is_copy, lambda: leads_on)


def stale(yields, path, depth=1):
    return yields.stale_reason("http://a.example" + path, depth)


def test_a_family_that_says_the_same_again_and_again_is_stopped_the_deeper_the_sooner():
    yields = Yields()
    visit(yields, "/cal/2026", "Nothing happens in the year 2026")
    for year in range(BARREN_LIMIT):
        if year == BARREN_LIMIT_SOON:
            reason = "trap: the last 30 pages of http://a.example/cal brought nothing new"
            assert stale(yields, "/cal/1999", DEEP + 1) == reason
        assert stale(yields, "/cal/1999") is None
        visit(yields, f"/cal/{year}", f"Nothing happens in the year {year}")
    reason = "trap: the last 200 pages of http://a.example/cal brought nothing new"
    assert stale(yields, "/cal/1999") == reason
    assert stale(yields, "/other/1999", 99) is None


def test_pages_that_lead_on_or_say_something_of_their_own_are_no_trap():
    yields = Yields()
    words = ["coffee", "tea", "milk", "bread", "butter", "salt"]
    for number in range(3 * BARREN_LIMIT):
        visit(yields, f"/list/{number}", "Next page", leads_on=True)
        text = " ".join(words[(number // 6**place) % 6] for place in range(5))
        visit(yields, f"/page/{number}", text)
        visit(yields, f"/show?id={number}", text)
    for path in ("/list/1", "/page/1", "/show?id=1"):
        assert stale(yields, path, 99) is None


def test_combined_parameters_that_only_sort_the_same_goods_are_a_trap():
    yields = Yields()
    orders = itertools.islice(itertools.permutations(["boots", "smock", "lamp", "rope", "mug"]), 60)
    for number, goods in enumerate(orders):
        names = "&".join(f"{name}={number}" for name in ("a", "b", "c")[: 1 + number % 3])
        visit(yields, f"/products?{names}", "\n".join(goods))
    assert stale(yields, "/products?z=1")


@pytest.mark.parametrize(
    ("path", "is_dated"),
    [
        ("/calendar/2026/11", True),
        ("/cal/2026-11-15", True),
        ("/cal?y=2026&m=1", True),
        ("/events?month=5", True),
        ("/archive/202611", True),
        ("/item/2026", False),
        ("/page/7", False),
        ("/show?id=2026", False),
    ],
)
def test_has_date(path, is_dated):
    assert has_date("http://a.example" + path) is is_dated


def test_a_calendar_with_names_of_days_and_months_is_stopped_soon():
    yields = Yields()
    visited = 0
    for month in ("January", "February", "March", "April"):
        for day in range(28):
            if stale(yields, f"/cal/2026/01/{day}"):
                break
            name = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")[day % 6]
            text = f"{name} {day} {month} 2026\nNo events\n{FOOTER}"
            visit(yields, f"/cal/2026/01/{day}", text)
            visited += 1
    assert visited < 50


def test_one_new_page_gives_a_family_new_credit():
    yields = Yields()
    for number in range(3 * BARREN_LIMIT):
        visit(yields, "/p", "same words", leads_on=number % BARREN_LIMIT_SOON == 0)
    assert stale(yields, "/p", 99) is None


def test_a_parameter_that_only_makes_copies_is_learned_for_the_whole_host():
    yields = Yields()
    for number in range(COPIES_LIMIT):
        assert stale(yields, "/a?sid=0") is None
        visit(yields, f"/page{number}?sid={number}", f"words {number}", is_copy=True)
    reason = "trap: the last 10 pages of http://a.example/?sid were copies"
    assert stale(yields, "/z?sid=9") == reason
    assert stale(yields, "/z") is None
    assert stale(yields, "/z?sid=9&id=1") is None


def test_a_parameter_that_sometimes_brings_something_is_followed():
    yields = Yields()
    for number in range(5 * COPIES_LIMIT):
        visit(yields, f"/list?page={number}", "x", is_copy=number % 3 != 0, leads_on=True)
    assert stale(yields, "/list?page=77") is None


def test_families_unseen_for_long_are_forgotten():
    yields = Yields()
    for _ in range(BARREN_LIMIT + 1):
        visit(yields, "/old", "same words")
    assert stale(yields, "/old")
    for number in range(MOST_FAMILIES):
        visit(yields, "/p" + "abcdefghijklmnopqrst"[number % 20] * (1 + number // 20), "words")
    assert stale(yields, "/old") is None


_PIECES = st.sampled_from(
    ["7", "12", "²", "٣", "_", "a", "é", "中", " ", ".", "\n", "\n\n", "\ud800", "😀", "a 5 b"]
)


@given(st.lists(_PIECES | st.text(max_size=3), max_size=60).map("".join), st.integers(1, 30))
def test_the_compiled_way_takes_the_same_sample(text, times):
    text *= times
    sample = take_sample(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("telusur.crawl.rules.traps.native", None)
        assert take_sample(text) == sample
