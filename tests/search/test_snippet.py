import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.search.snippet import SNIPPET_CHARACTERS, make_snippet

FILLER = "Nothing of interest stands in this sentence. " * 20


def marked(text: str, terms: set[str], language: str = "en") -> list[str]:
    snippet, marks = make_snippet(text, terms, language)
    return [snippet[start:end] for start, end in marks]


def test_the_window_with_the_most_words_wins():
    text = f"A cat. {FILLER} A cat chased by dogs in gardens. {FILLER} Dogs."
    snippet, marks = make_snippet(text, {"cat", "dog", "garden"}, "en")
    assert snippet.startswith("A cat chased by dogs in gardens.")
    assert [snippet[start:end] for start, end in marks] == ["cat", "dogs", "gardens"]


def test_of_windows_with_the_same_words_the_shortest_wins():
    text = f"The cat saw, a long way off, the dog. {FILLER} Cat and dog. {FILLER}"
    assert make_snippet(text, {"cat", "dog"}, "en")[0].startswith("Cat and dog.")


def test_every_form_of_a_word_is_marked_and_only_whole_words():
    text = "Running runners run; the runway and prerun do not."
    assert marked(text, {"run"}) == ["Running", "run"]


def test_a_snippet_begins_and_ends_with_whole_words_and_has_a_readable_length():
    text = f"{'lorem ipsum dolor ' * 40}needle {'sit amet consetetur ' * 40}"
    snippet, _ = make_snippet(text, {"needl"}, "en")
    inside = snippet.removeprefix("… ").removesuffix(" …")
    assert snippet == f"… {inside} …"
    assert f" {inside} " in text
    assert SNIPPET_CHARACTERS * 0.6 < len(inside) <= SNIPPET_CHARACTERS + 4


def test_pairs_of_characters_are_marked_as_one():
    assert marked(
        "日本語の検索エンジンを作る。", {"検索", "索エ", "エン", "ンジ", "ジン"}, "ja"
    ) == ["検索エンジン"]


def test_spaces_and_line_ends_become_one_space():
    snippet, marks = make_snippet("A \t red   cat \n sat", {"cat"}, "en")
    assert snippet == "A red cat sat"
    assert [snippet[start:end] for start, end in marks] == ["cat"]


def test_without_a_match_the_description_is_shown_then_the_beginning():
    assert make_snippet("Some text.", {"cat"}, "en", "About cats.") == ("About cats.", ((6, 10),))
    assert make_snippet("Some text.", {"cat"}, "en") == ("Some text.", ())
    assert make_snippet("", {"cat"}, "en") == ("", ())
    assert len(make_snippet(FILLER, set(), "en")[0]) <= SNIPPET_CHARACTERS + 2


def test_the_lower_case_of_the_language_is_used():
    assert marked("İSTANBUL'da IŞIK", {"istanbul", "ışık"}, "tr") == ["İSTANBUL", "IŞIK"]


@pytest.mark.parametrize("text", ["cat " * 100_000, "猫犬" * 100_000, "cat" * 100_000, "\n" * 99])
def test_an_endless_text_has_a_short_snippet(text):
    snippet, _ = make_snippet(text, {"cat", "猫犬"}, "ja")
    assert len(snippet) <= SNIPPET_CHARACTERS + 10


@given(
    st.text(alphabet=st.sampled_from("cat dog.\n 猫犬é\u0301!ı"), max_size=400),
    st.sets(st.sampled_from(["cat", "dog", "猫犬", "a", "é"])),
)
def test_marks_are_ranges_of_the_snippet_in_order(text, terms):
    snippet, marks = make_snippet(text, terms, "en")
    edges = [edge for mark in marks for edge in mark]
    assert edges == sorted(edges)
    assert all(0 <= start < end <= len(snippet) for start, end in marks)
    assert all(snippet[start:end] == snippet[start:end].strip() for start, end in marks)
