import pytest

from telusur.crawl.traps import (
    BARREN_LIMIT,
    STALE_LIMIT,
    PatternYield,
    barren_reason,
    next_barren,
    trap_reason,
)
from telusur.crawl.urls import url_pattern


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


def follow(pages):
    """Walk a chain of pages, each given by its links, as far as barren chains allow."""
    known, barren = set(), 0
    for number, (url, links) in enumerate(pages):
        if barren_reason(barren, url_pattern(url)):
            return number
        pattern = url_pattern(url)
        found_elsewhere = any(url_pattern(link) != pattern for link in set(links) - known)
        known.update(links)
        barren = next_barren(barren, found_elsewhere, same_pattern=True)
    return number + 1


def test_an_endless_calendar_ends():
    months = (
        (
            f"http://a.example/cal?y={month // 12}&m={month % 12}",
            [f"http://a.example/cal?y={(month + 1) // 12}&m={(month + 1) % 12}"],
        )
        for month in range(1000)
    )
    assert follow(months) == BARREN_LIMIT + 1


def test_a_list_that_brings_new_items_goes_on():
    pages = (
        (
            f"http://a.example/list?page={page}",
            [f"http://a.example/list?page={page + 1}", f"http://a.example/item/{page}.html"],
        )
        for page in range(100)
    )
    assert follow(pages) == 100


def test_another_pattern_starts_a_new_chain():
    assert next_barren(7, yielded_new_elsewhere=False, same_pattern=False) == 0
    assert next_barren(7, yielded_new_elsewhere=True, same_pattern=True) == 0
    assert next_barren(7, yielded_new_elsewhere=False, same_pattern=True) == 8


def test_a_pattern_that_only_repeats_known_pages_is_stopped():
    patterns = PatternYield()
    for _ in range(STALE_LIMIT):
        assert patterns.stale_reason("p") is None
        patterns.observe("p", is_new=False)
    assert patterns.stale_reason("p") == "trap: the last 50 pages of p were all duplicates"
    assert patterns.stale_reason("q") is None


def test_one_new_page_gives_a_pattern_new_credit():
    patterns = PatternYield()
    for number in range(3 * STALE_LIMIT):
        patterns.observe("p", is_new=number % STALE_LIMIT == 0)
    assert patterns.stale_reason("p") is None


def test_patterns_unseen_for_long_are_forgotten():
    patterns = PatternYield()
    for _ in range(STALE_LIMIT):
        patterns.observe("old", is_new=False)
    for number in range(10_000):
        patterns.observe(f"p{number}", is_new=True)
    assert patterns.stale_reason("old") is None
