import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.crawl.rules.robots import MAX_BYTES, Robots

CASES = Path(__file__).parents[1] / "cases" / "robots.txt"


def read_cases():
    for case in CASES.read_text("utf-8").split("\n== ")[1:]:
        title, _, rest = case.partition("\n")
        text, _, questions = rest.partition("\n---\n")
        data = codecs.escape_decode(text.encode())[0]
        for question in questions.strip().splitlines():
            agent, url, line = question.split(" ", 2)
            name = f"{title}: {agent} {url}"
            yield pytest.param(data, agent.replace(",", " "), url, line, id=name)


@pytest.mark.parametrize(("data", "agent", "url", "line"), list(read_cases()))
def test_robots(data, agent, url, line):
    robots = Robots.parse(data)
    assert (robots.rule_for(url, agent) or "-") == line
    assert robots.allows(url, agent) == (not line.startswith("Disallow"))


def test_robots_txt_itself_may_always_be_fetched():
    assert Robots.disallow_all().allows("http://x.example/robots.txt", "Telusur")


def test_allow_all_and_disallow_all():
    assert Robots.allow_all().allows("http://x.example/a", "Telusur")
    assert not Robots.disallow_all().allows("http://x.example/a", "Telusur")
    assert Robots.disallow_all().rule_for("http://x.example/a", "Telusur") == "Disallow: /"


def test_utf16_is_read():
    robots = Robots.parse("User-agent: *\nDisallow: /a".encode("utf-16"))
    assert not robots.allows("http://x.example/a", "Telusur")


def test_what_lies_behind_500_kib_is_not_read():
    head = b"User-agent: *\nDisallow: /a\n"
    filler = b"#" * 98 + b"\r\n"
    robots = Robots.parse(head + filler * (MAX_BYTES // 100 + 1) + b"Disallow: /b\n")
    assert not robots.allows("http://x.example/a", "Telusur")
    assert robots.allows("http://x.example/b", "Telusur")


def test_a_rule_cut_by_the_size_limit_is_dropped():
    head = b"User-agent: *\n"
    rule = b"Disallow: /secret"
    filler = b"#" * (MAX_BYTES - len(head) - 1 - len(b"Disallow: /")) + b"\n"
    robots = Robots.parse(head + filler + rule)
    assert robots.allows("http://x.example/other", "Telusur")


def test_a_line_is_cut_where_google_cuts_it():
    long = "/" + "a" * 20_000
    robots = Robots.parse(f"User-agent: *\nDisallow: {long}\n".encode())
    assert robots.allows("http://x.example/aaa", "Telusur")
    assert not robots.allows("http://x.example" + long[:17_000] + "b", "Telusur")


DELAYS = b"""
Crawl-delay: 99
User-agent: slow
Crawl-delay: 10
User-agent: slower
Disallow: /x
Crawl-Delay: 20.5 seconds
User-agent: none
Disallow: /
User-agent: word
Crawl-delay: often
User-agent: *
Request-rate: 1/5
Visit-time: 0600-0845
User-agent: busy
Request-rate: 10/1m 0100-0200
Visit-time: 06:00 - 24:00
Disallow:
User-agent: never
Request-rate: 0/1
Visit-time: 9999-0000
Crawl-delay: .5
Crawl-delay: 7
"""


@pytest.mark.parametrize(
    ("agent", "delay"),
    [("slow", 10), ("Slower/1", 20.5), ("none", None), ("word", None), ("x", None), ("never", 0.5)],
)
def test_crawl_delay_belongs_to_the_agents_just_named(agent, delay):
    assert Robots.parse(DELAYS).crawl_delay(agent) == delay


def test_request_rate_is_seconds_per_request():
    robots = Robots.parse(DELAYS)
    rates = [robots.request_rate(agent) for agent in ("x", "busy", "never", "slow")]
    assert rates == [5.0, 6.0, None, None]


def test_visit_time_is_minutes_after_midnight():
    robots = Robots.parse(DELAYS)
    times = [robots.visit_time(agent) for agent in ("x", "busy", "never", "slow")]
    assert times == [(360, 525), (360, 1440), None, None]


def test_delays_do_not_change_whom_rules_belong_to():
    robots = Robots.parse(DELAYS)
    assert not robots.allows("http://x.example/x", "slow")
    assert not robots.allows("http://x.example/x", "slower")


def test_sitemaps_stand_anywhere_and_are_listed_once():
    data = b"""sitemap: http://x.example/a.xml
User-agent: a
Site-map : http://x.example/B.xml # both
Disallow: /
Sitemap: http://x.example/a.xml
Sitemap:
http://x.example/forgotten-sitemap.xml
http://x.example/something-else.xml
"""
    assert Robots.parse(data).sitemaps == [
        "http://x.example/a.xml",
        "http://x.example/B.xml",
        "http://x.example/forgotten-sitemap.xml",
    ]


def test_a_relative_sitemap_becomes_absolute_when_the_address_is_known():
    data = b"Sitemap: /s.xml"
    assert Robots.parse(data).sitemaps == ["/s.xml"]
    assert Robots.parse(data, "http://x.example/robots.txt").sitemaps == ["http://x.example/s.xml"]


def test_many_agents_and_many_delays_take_no_more_than_linear_time():
    agents = b"".join(b"user-agent: a%d\n" % number for number in range(10_000))
    robots = Robots.parse(agents + b"crawl-delay: 4\n" * 15_000 + b"disallow: /a\n")
    assert robots.crawl_delay("a9999") == 4
    assert not robots.allows("http://x.example/a", "a0")


def test_a_pattern_full_of_stars_is_matched_in_linear_time():
    robots = Robots.parse(b"User-agent: *\nDisallow: /" + b"a*" * 8000 + b"b$\n")
    assert robots.allows("http://x.example/" + "a" * 2000, "Telusur")


@pytest.mark.parametrize("junk", [b":", b"<", b"\r\n", b"a b", b"user-agent", b"\0", b"#:", b"* "])
def test_junk_is_no_rule(junk):
    robots = Robots.parse(junk * 100_000)
    assert robots.allows("http://x.example/a", "Telusur")
    assert robots.sitemaps == []


LETTERS = st.sampled_from("ab/*$")
VALUES = st.lists(LETTERS, min_size=1, max_size=7).map("".join)
PATHS = st.lists(st.sampled_from("ab/$"), max_size=8).map(lambda each: "/" + "".join(each))


def matches_by_definition(pattern, path):
    """Follow every way through the pattern at once, a character at a time."""
    places = {0}
    for at, character in enumerate(pattern):
        if character == "$" and at == len(pattern) - 1:
            return len(path) in places
        if character == "*":
            places = set(range(min(places), len(path) + 1))
        else:
            places = {place + 1 for place in places if path[place : place + 1] == character}
        if not places:
            return False
    return True


@given(st.lists(st.tuples(st.booleans(), VALUES), min_size=1, max_size=6), PATHS)
def test_the_decision_is_that_of_the_definition(rules, path):
    text = "User-agent: *\n" + "".join(
        f"{'Allow' if is_allow else 'Disallow'}: {value}\n" for is_allow, value in rules
    )
    matching = [(len(value), is_allow) for is_allow, value in rules
                if matches_by_definition(value, path)]  # fmt: skip
    wanted = max(matching)[1] if matching else True
    assert Robots.parse(text.encode()).allows("http://x.example" + path, "Telusur") == wanted


@given(st.binary(max_size=300), st.text(max_size=20), st.text(max_size=20))
def test_any_bytes_are_read(data, path, agent):
    robots = Robots.parse(data)
    assert robots.allows("http://x.example/" + path, agent) in (True, False)
    assert robots.crawl_delay(agent) is None or robots.crawl_delay(agent) >= 0
