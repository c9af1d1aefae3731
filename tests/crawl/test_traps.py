import pytest

from telusur.crawl.traps import (
    BARREN_LIMIT,
    COPIES_LIMIT,
    MOST_FAMILIES,
    SAMPLE_WORDS,
    Yields,
    family_of,
    trap_reason,
    word_sample,
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


def test_a_word_sample_is_the_same_for_the_same_words():
    assert word_sample("no events, 2026") == word_sample("events no 1999")
    assert word_sample("") == frozenset()
    long_text = " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(400))
    assert len(word_sample(long_text)) == SAMPLE_WORDS


def visit(yields, path, text, leads_on=False, is_copy=False):
    url = "http://a.example" + path
    yields.observe(url, word_sample(text), is_copy, lambda: leads_on)


def stale(yields, path):
    return yields.stale_reason("http://a.example" + path)


def test_a_family_that_says_the_same_again_and_again_is_stopped():
    yields = Yields()
    visit(yields, "/cal/2026", "Nothing happens in the month of May")
    for year in range(BARREN_LIMIT):
        assert stale(yields, "/cal/1999") is None
        visit(yields, f"/cal/{year}", f"Nothing happens in the month of May {year}")
    reason = "trap: the last 30 pages of http://a.example/cal brought nothing new"
    assert stale(yields, "/cal/1999") == reason
    assert stale(yields, "/other/1999") is None


def test_pages_that_lead_on_or_have_words_of_their_own_are_no_trap():
    yields = Yields()
    for number in range(5 * BARREN_LIMIT):
        visit(yields, f"/list/{number}", "Next page", leads_on=True)
        letters = chr(97 + number % 26) + chr(97 + number // 26)
        visit(yields, f"/article/{number}", f"the story of {letters} and {letters}{letters}")
    assert stale(yields, "/list/1") is None
    assert stale(yields, "/article/1") is None


def test_one_new_page_gives_a_family_new_credit():
    yields = Yields()
    for number in range(3 * BARREN_LIMIT):
        visit(yields, "/p", "same words", leads_on=number % BARREN_LIMIT == 0)
    assert stale(yields, "/p") is None


def test_a_parameter_that_only_makes_copies_is_learned_for_the_whole_host():
    yields = Yields()
    for number in range(COPIES_LIMIT):
        assert stale(yields, "/a?sid=0") is None
        visit(yields, f"/page{number}?sid={number}", f"words {number}", is_copy=True)
    assert (
        stale(yields, "/z?sid=9") == "trap: the last 10 pages of http://a.example/?sid were copies"
    )
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
