import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.search.syntax import MOST_WISHES, Wish, parse_wishes


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ("two words", [Wish("two"), Wish("words")]),
        ('"a phrase" word', [Wish("a phrase", is_phrase=True), Wish("word")]),
        ("“curly quotes”", [Wish("curly quotes", is_phrase=True)]),
        ("cat -dog", [Wish("cat"), Wish("dog", is_excluded=True)]),
        ('-"hot dog"', [Wish("hot dog", is_phrase=True, is_excluded=True)]),
        ("site:a.org LANG:de", [Wish("a.org", "site"), Wish("de", "lang")]),
        ('title:"big cat"', [Wish("big cat", "title", is_phrase=True)]),
        ("-site:a.org", [Wish("a.org", "site", is_excluded=True)]),
        ("cat OR dog", [Wish("cat", alternatives=(Wish("dog"),))]),
        ("a | b OR c", [Wish("a", alternatives=(Wish("b"), Wish("c")))]),
        ("cat or dog", [Wish("cat"), Wish("or"), Wish("dog")]),
        ("e-mail", [Wish("e-mail")]),
    ],
)
def test_what_was_typed(text, wishes):
    assert list(parse_wishes(text)) == wishes


@pytest.mark.parametrize(
    ("text", "wishes"),
    [
        ('"open quote', [Wish("open quote", is_phrase=True)]),
        ("OR cat OR", [Wish("cat")]),
        ("cat OR -dog", [Wish("cat"), Wish("dog", is_excluded=True)]),
        ("site:", [Wish("site:")]),
        ("http://a.org", [Wish("http://a.org")]),
        ('""', []),
        ("- -", [Wish("-"), Wish("-")]),
        ("\x00 \n\t", [Wish("\x00")]),
    ],
)
def test_what_makes_no_sense_is_taken_as_words(text, wishes):
    assert list(parse_wishes(text)) == wishes


def test_an_endless_query_is_cut():
    assert len(parse_wishes("a " * 50_000)) == MOST_WISHES


@given(st.text(alphabet=st.sampled_from('ab "-|:ORsitelang\u200f🙂\x00'), max_size=60))
def test_any_string_is_understood(text):
    assert all(wish.text.strip() for wish in parse_wishes(text))
