"""What was learned about traps survives a restart, and never takes much room."""

import json
import zlib

import pytest

from telusur.crawl.rules.trap_memory import MOST_BYTES, restore_yields, save_yields
from telusur.crawl.rules.traps import (
    BARREN_LIMIT_SOON,
    COPIES_LIMIT,
    MOST_FAMILIES,
    RICH_LINES,
    Yields,
    take_sample,
)

MONTH = "http://a.example/calendar/2026/11/{}"
EMPTY_MONTH = "No events\nMo Tu We Th Fr Sa Su\nprevious next"


def watch(yields, url, text, is_copy=False):
    yields.observe(url, take_sample(text), is_copy, lambda: False)


def restarted(yields):
    again = Yields()
    assert restore_yields(again, save_yields(yields))
    return again


def test_a_family_that_was_given_up_stays_so():
    yields = Yields()
    for month in range(BARREN_LIMIT_SOON + 1):
        watch(yields, MONTH.format(month), EMPTY_MONTH)
    reason = yields.stale_reason(MONTH.format(99), 3)
    assert reason is not None
    assert restarted(yields).stale_reason(MONTH.format(99), 3) == reason
    assert restarted(yields).stale_reason("http://a.example/other", 3) is None


def test_learning_goes_on_where_it_stopped():
    yields = Yields()
    for month in range(BARREN_LIMIT_SOON):
        watch(yields, MONTH.format(month), EMPTY_MONTH)
    yields = restarted(yields)
    assert yields.stale_reason(MONTH.format(99), 3) is None
    watch(yields, MONTH.format(98), EMPTY_MONTH)
    assert yields.stale_reason(MONTH.format(99), 3) is not None


def test_parameters_that_only_make_copies_are_remembered():
    yields = Yields()
    for number in range(COPIES_LIMIT):
        watch(yields, f"http://a.example/p?sid={number}", f"Page {number}", is_copy=True)
    reason = restarted(yields).stale_reason("http://a.example/q?sid=77", 1)
    assert reason is not None
    assert "were copies" in reason


def test_a_family_with_several_sets_of_parameters_is_still_one():
    yields = Yields()
    for names in ("a=1", "a=1&b=2", "a=1&b=2&c=3"):
        watch(yields, f"http://a.example/shop?{names}", EMPTY_MONTH)
    for number in range(BARREN_LIMIT_SOON):
        watch(yields, f"http://a.example/shop?a={number}", EMPTY_MONTH)
    url = "http://a.example/shop?a=1&c=9"
    assert yields.stale_reason(url, 1) is not None
    assert restarted(yields).stale_reason(url, 1) == yields.stale_reason(url, 1)


def test_a_rich_family_stays_rich():
    yields = Yields()
    for number in range(RICH_LINES // 10):
        lines = "\n".join(f"line {chr(97 + n)} of text t{number}x{n}" for n in range(30))
        watch(yields, f"http://a.example/blog/{number}", lines)
    assert not yields.wants_sample("http://a.example/blog/7777")
    assert not restarted(yields).wants_sample("http://a.example/blog/7777")


def test_saving_twice_gives_the_same_and_nothing_learned_is_little():
    yields = Yields()
    assert len(save_yields(yields)) < 100
    watch(yields, MONTH.format(1), EMPTY_MONTH)
    assert save_yields(yields) == save_yields(restarted(yields))


def test_a_hostile_web_does_not_fill_the_memory():
    yields = Yields()
    text = "\n".join(f"line {chr(97 + number)}" for number in range(26))
    for number in range(MOST_FAMILIES):
        name = "x" * 1900 + f"/k{number}z"
        for _ in range(2):
            watch(yields, f"http://a.example/{name}?{'p' * 1000}{number}=1", text, is_copy=True)
    data = save_yields(yields)
    length = int.from_bytes(data[:4], "little")
    assert len(data) - length <= MOST_BYTES
    assert len(zlib.decompress(data[4 : 4 + length])) <= 1.5 * MOST_BYTES
    again = restarted(yields)
    assert 0 < len(again._families) < MOST_FAMILIES
    newest = next(reversed(yields._families))
    assert newest in again._families, "the newest are kept"


def record(**changes):
    content = {"version": 1, "families": [], "copies": [], **changes}
    head = zlib.compress(json.dumps(content).encode())
    return len(head).to_bytes(4, "little") + head


@pytest.mark.parametrize(
    "data",
    [b"", b"\x00", b"\xff" * 50, record()[:-3], record(version=2), record(families=[["f"]]),
     record(families=[["f", 1, 0, [], 9]]), record(families=[["f", 1, 0, [], -1]]),
     record(families=[["f", 1, 0, [], 10**9]]), record(copies=[1]), record(families=7)],
)  # fmt: skip
def test_what_cannot_be_read_is_left_aside(data):
    yields = Yields()
    assert restore_yields(yields, data) is False
    assert yields._families == {}
    assert yields.stale_reason(MONTH.format(1), 99) is None
