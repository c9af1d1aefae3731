import pytest

from telusur.errors import UsageError
from telusur.extract.writing.pattern import MAX_MATCHES, PatternMatch, compile_pattern, find_matches


def test_matches_have_their_groups_by_name_or_number():
    pattern = compile_pattern(r"(?P<name>\w+) (\d+)(x)?$")
    assert list(find_matches(pattern, "tide 12\nebb 7x")) == [
        PatternMatch("tide 12", {"name": "tide", "2": "12", "3": None}, 0),
        PatternMatch("ebb 7x", {"name": "ebb", "2": "7", "3": "x"}, 8),
    ]


def test_nothing_is_no_match_and_matches_of_a_page_are_bounded():
    assert list(find_matches(compile_pattern("x*"), "axa")) == [PatternMatch("x", {}, 1)]
    assert len(list(find_matches(compile_pattern("a"), "a" * 2 * MAX_MATCHES))) == MAX_MATCHES


@pytest.mark.parametrize("text", ["", "(", "[", "(?P<1>a)", "a" * 5000, "a{99999999999999999999}"])
def test_what_is_no_pattern_is_a_usage_error(text):
    with pytest.raises(UsageError):
        compile_pattern(text)
