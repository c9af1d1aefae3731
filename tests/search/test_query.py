from hypothesis import given
from hypothesis import strategies as st

from telusur.index.query import Match, Query, Words
from telusur.search.query import TOGETHER_UP_TO, parse_query


def word(*variants: str, **more: object) -> Words:
    return Words(tuple(tuple(variant.split()) for variant in variants), **more)


def test_words_are_stemmed_and_stop_words_dropped():
    assert parse_query("the running cats", ("en",)).wanted == (word("run"), word("cat"))


def test_only_stop_words_count_as_words():
    assert parse_query("to be or not to be", ("en",)).wanted == (
        word("to", weight=2.0),
        word("be", weight=2.0),
        word("or"),
        word("not"),
    )


def test_a_stop_word_beside_a_filter_counts_too():
    assert parse_query("the site:a.org", ("en",)).wanted == (word("the"),)


def test_a_word_typed_twice_weighs_twice():
    assert parse_query("cat dog cats", ("en",)).wanted == (word("cat", weight=2.0), word("dog"))


def test_a_word_has_a_form_for_each_language():
    query = parse_query("houses", ("en", "tr", "id"))
    assert query.wanted == (word("hous", "houses"),)


def test_a_stop_word_of_some_languages_helps_to_rank_only():
    query = parse_query("die hard", ("en", "de"))
    assert query.wanted == (word("hard"),)
    assert query.bonus == (word("die"),)
    assert parse_query("die", ("en", "de")).wanted == (word("die"),)


def test_documents_with_all_words_are_preferred():
    query = parse_query("cat dog", ("en",))
    assert query.bonus == (Query(required=(word("cat"), word("dog"))),)
    prose = " ".join(f"w{number}" for number in range(TOGETHER_UP_TO + 1))
    assert parse_query(prose, ("en",)).bonus == ()
    assert parse_query("cat", ("en",)).bonus == ()


def test_a_phrase_keeps_its_stop_words():
    query = parse_query('"state of the art"', ("en",))
    assert query.required == (word("state of the art"),)
    assert query.wanted == ()


def test_filters():
    query = parse_query("cat site:A.org site:b.org lang:de -site:c.org", ("en",))
    assert query.required == (Match("site", ("a.org", "b.org")), Match("language", ("de",)))
    assert query.excluded == (Match("site", ("c.org",)),)


def test_lang_decides_the_analysis():
    assert parse_query("ISPARTA lang:tr", ("en",)).wanted == (word("ıspar"),)


def test_words_in_the_title():
    assert parse_query("title:cats", ("en",)).required == (word("cat", place="title"),)


def test_or_asks_for_one_of_several():
    query = parse_query('cat OR "hot dogs" bird', ("en",))
    assert query.required == (Query(wanted=(word("cat"), word("hot dog"))),)
    assert query.wanted == (word("bird"),)


def test_excluded_words_are_a_run():
    assert parse_query("cat -e-mail", ("en",)).excluded == (word("e mail"),)


def test_pairs_of_characters_are_words_of_their_own():
    assert parse_query("検索語", ("ja",)).wanted == (word("検索"), word("索語"))


def test_nothing_to_look_for():
    for text in ("", "   ", '"', "🙂", "-cat", "-", ":"):
        assert parse_query(text, ("en",)).is_empty


@given(st.text(), st.lists(st.sampled_from(["en", "de", "tr", "ja", "", "xx"]), max_size=3))
def test_any_string_gives_a_query(text, languages):
    query = parse_query(text, languages)
    assert all(words.variants for words in query.wanted)
