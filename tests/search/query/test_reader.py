from hypothesis import given
from hypothesis import strategies as st

from telusur.index.query import Fuzzy, Match, Prefix, Query, Range, Words
from telusur.language.analysis import terms
from telusur.language.synonyms import parse_synonyms
from telusur.language.words import find_words
from telusur.search.query.builder import TOGETHER_UP_TO
from telusur.search.query.leaves import LONGEST_RUN
from telusur.search.query.lexicon import Lexicon
from telusur.search.query.reader import MOST_LANGUAGES, read_query


def word(*variants: str, **more: object) -> Words:
    return Words(tuple(tuple(variant.split()) for variant in variants), **more)


def parse_query(*typed) -> Query:
    return read_query(*typed).query


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


def test_a_phrase_is_exact_and_keeps_its_stop_words():
    query = parse_query('"States of the art"', ("en",))
    assert query.required == (word("states of the art", place="exact"),)
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
    assert query.required == (Query(wanted=(word("cat"), word("hot dogs", place="exact"))),)
    assert query.wanted == (word("bird"),)


def test_and_asks_for_all():
    query = parse_query("cats AND the AND (dogs OR birds) AND -fish", ("en",))
    assert query.required == (
        Query(
            required=(word("cat"), Query(wanted=(word("dog"), word("bird")))),
            excluded=(word("fish"),),
        ),
    )
    assert query.wanted == ()


def test_and_between_stop_words_counts_them():
    query = parse_query("to AND be", ("en",))
    assert query.required == (Query(required=(word("to"), word("be"))),)


def test_a_group_of_minus_signs_excludes():
    query = parse_query("cat (-dog -bird)", ("en",))
    assert query.wanted == (word("cat"),)
    assert query.excluded == (word("dog"), word("bird"))
    assert parse_query("cat -(dog bird)", ("en",)).excluded[0].wanted == (word("dog"), word("bird"))


def test_dates_are_from_a_day_on_and_before_a_day():
    query = parse_query("cat after:2023 after:2024-05 before:2024-06-01", ("en",))
    assert query.required == (Range(20240501, 20240531),)
    assert parse_query("before:2024", ("en",)).required == (Range(None, 20231231),)
    assert parse_query("-after:2024", ("en",)).excluded == (Range(20240101, None),)


def test_prefixes_and_near_misses():
    assert parse_query("Runn*", ("en",)).required == (Prefix("runn"),)
    assert parse_query("title:Runn*", ("en",)).required == (Prefix("runn", "title"),)
    assert parse_query("Colour~2", ("en",)).required == (Fuzzy("colour", 2),)
    assert parse_query("e-mai*", ("en",)).required == (
        Query(required=(word("e", place="exact"), Prefix("mai"))),
    )
    assert parse_query("ISP* lang:tr", ("en",)).required[0] == Prefix("ısp")


def test_words_of_the_url_and_of_the_topic():
    query = parse_query("url:https://www.example.org/docs/index.html", ("en",))
    assert query.required == (word("exampl doc", place="url"),)
    assert parse_query("topic:cats", ("en",)).required == (
        Query(wanted=tuple(word("cat", place=place) for place in ("topic", "title", "url"))),
    )


def test_kinds_of_pages_and_varieties_of_languages():
    query = parse_query("type:Forum lang:en-US", ("de",))
    assert query.required == (Match("type", ("forum",)), Match("language", ("en",)))


SYNONYMS = Lexicon(synonyms=parse_synonyms("car, automobile\nNYC => New York\nbig apple => NYC"))


def test_synonyms_compete_with_the_word():
    assert parse_query("cars", ("en",), SYNONYMS).wanted == (word("car", "automobil"),)
    assert parse_query("nyc", ("en",), SYNONYMS).wanted == (word("nyc", "new york"),)
    assert parse_query("new york", ("en",), SYNONYMS).wanted == (word("new"), word("york"))


def test_a_synonym_of_several_words_counts_for_each_of_them():
    query = parse_query("the big apple", ("en",), SYNONYMS)
    assert query.wanted == (word("big", "nyc"), word("appl", "nyc"))


def test_stop_words_of_the_user():
    lexicon = Lexicon({"en": frozenset({"cat"})})
    assert parse_query("the Cat", ("en",), lexicon).wanted == (word("the"),)
    assert parse_query("the cat AND the", ("en",), lexicon).wanted == (word("the"),)


def test_a_query_is_read_in_the_largest_languages_only():
    codes = tuple(f"x{letter}" for letter in "abcdefghijkl")
    assert read_query("cat", codes).languages == codes[:MOST_LANGUAGES]


def test_an_endless_phrase_is_cut():
    (phrase,) = parse_query('"' + "cat " * 900, ("en",)).required
    assert len(phrase.variants[0]) == LONGEST_RUN
    assert len(parse_query("-" + "a-" * 900, ("en",)).excluded[0].variants[0]) == LONGEST_RUN
    assert len(parse_query("a " * 900, ("en",)).wanted) == 1


def test_what_was_understood():
    assert read_query("cats NOT dogs (", ("en",)).understood == "cats -dogs"


def test_excluded_words_are_a_run():
    assert parse_query("cat -e-mail", ("en",)).excluded == (word("e mail"),)
    assert parse_query("cat -the-dogs", ("en",)).excluded == (word("the dog"),)


def test_pairs_of_characters_are_words_of_their_own():
    assert parse_query("検索語", ("ja",)).wanted == (word("検索"), word("索語"))


def test_nothing_to_look_for():
    for text in ("", "   ", '"', "🙂", "-cat", "-", ":"):
        assert parse_query(text, ("en",)).is_empty


@given(st.text(), st.lists(st.sampled_from(["en", "de", "tr", "ja", "", "xx"]), max_size=3))
def test_any_string_gives_a_query(text, languages):
    query = parse_query(text, languages)
    assert all(words.variants for words in query.wanted)


@given(st.text(), st.sampled_from(["en", "de", "tr", "ja", "ar", "th", ""]))
def test_every_word_of_a_text_asks_for_terms_that_the_text_has(text, language):
    """The same analysis for documents and queries."""
    there = set(terms(text, language, keep_stop_words=True))
    for typed in set(find_words(text)) - {"OR", "AND", "NOT"}:
        asked = parse_query(typed, (language,)).wanted
        assert {run[0] for words in asked for run in words.variants} <= there
