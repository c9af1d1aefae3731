"""What one URL costs is bounded, whatever stands in the file."""

import sys

import pytest

from telusur.crawl.rules.robots import MAX_BYTES, Robots
from telusur.crawl.rules.robots_match import MOST_PATTERN_CHARACTERS, MOST_PATTERNS

HOST = "http://a.example"
AGENT = "telusur"


def robots_of(make_line, most_bytes=MAX_BYTES):
    """Return rules that fill a file to the last byte that is read of it."""
    lines, size, number = ["User-agent: *"], 14, 0
    while True:
        line = make_line(number)
        size += len(line) + 1
        if size > most_bytes:
            return Robots.parse("\n".join([*lines, ""]).encode())
        lines.append(line)
        number += 1


def steps_of(robots, url):
    """Return how many calls of functions, written in Python or C, one question takes."""
    robots.allows(url, AGENT)  # the first makes the tables
    steps = 0

    def count(frame, event, argument):
        nonlocal steps
        steps += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        robots.allows(url, AGENT)
    finally:
        sys.setprofile(None)
    return steps


HOSTILE = {
    "many patterns": lambda n: f"Disallow:/*a*a*a*a*a*a*a*a*b{n}",
    "many short patterns": lambda n: f"Disallow:/*{n}",
    "many stars": lambda n: "Disallow:/" + "*a" * 900 + f"*b{n}",
    "stars only": lambda n: f"Disallow:/{'*' * 900}b{n}",
    "many plain rules": lambda n: f"Disallow: /{n}",
    "rules of all lengths": lambda n: f"Disallow: /{'a' * (n % 1000)}b{n}",
    "patterns that allow": lambda n: f"Allow:/*a*a*a*a*b{n}",
    "patterns with an end": lambda n: f"Disallow:/*a*a*a*b{n}$",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_steps_for_one_url_are_bounded(name):
    robots = robots_of(HOSTILE[name])
    # A step for each prefix, four for each pattern, and three for each piece of two characters.
    most = 2_100 + 4 * MOST_PATTERNS + 3 * MOST_PATTERN_CHARACTERS // 2
    assert steps_of(robots, f"{HOST}/{'a' * 2000}") <= most


def test_long_pieces_are_searched_for_without_looking_back():
    piece = "a" * 200 + "b" + "a" * 200
    robots = Robots.parse(f"User-agent: *\nDisallow: /*{piece}*x\nDisallow: /*{piece}$".encode())
    assert robots.allows(f"{HOST}/{'a' * 2000}", AGENT)
    assert not robots.allows(f"{HOST}/{'a' * 300}{piece}--x", AGENT)
    assert not robots.allows(f"{HOST}/{'a' * 300}{piece}", AGENT)


def test_patterns_behind_the_first_thousand_forbid_more_and_allow_nothing():
    first = "".join(f"Disallow: /{n}/*.pdf\n" for n in range(MOST_PATTERNS))
    late = "Disallow: /late/*.pdf\nAllow: /late/open*\nAllow: /late/plain\nDisallow: /late/*.txt\n"
    robots = Robots.parse(f"User-agent: *\n{first}{late}".encode())
    assert robots.allows(f"{HOST}/7/a.html", AGENT)
    assert robots.rule_for(f"{HOST}/7/a.pdf", AGENT) == "Disallow: /7/*.pdf"
    assert robots.rule_for(f"{HOST}/late/a.html", AGENT) == "Disallow: /late/*.pdf"
    assert not robots.allows(f"{HOST}/late/open", AGENT)
    assert robots.allows(f"{HOST}/late/plain", AGENT)
    assert robots.allows(f"{HOST}/elsewhere", AGENT)


def test_a_thousand_ordinary_patterns_are_matched_as_written():
    lines = "".join(f"Disallow: /*?page{n}=\n" for n in range(MOST_PATTERNS))
    robots = Robots.parse(f"User-agent: *\n{lines}".encode())
    assert robots.allows(f"{HOST}/a?page=1", AGENT)
    assert not robots.allows(f"{HOST}/a?page{MOST_PATTERNS - 1}=1", AGENT)


def test_the_same_pattern_counts_once():
    many = "Disallow: /*.pdf\n" * 2 * MOST_PATTERNS
    robots = Robots.parse(f"User-agent: *\n{many}Disallow: /*.doc\n".encode())
    assert robots.allows(f"{HOST}/a.html", AGENT)
    assert not robots.allows(f"{HOST}/a.doc", AGENT)
