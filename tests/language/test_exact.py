from hypothesis import given
from hypothesis import strategies as st

from telusur.language.analysis import terms
from telusur.language.exact import exact_terms, exact_terms_of_word, join_both
from telusur.language.words import find_words


def test_words_stay_as_written_but_for_their_case():
    assert exact_terms("Running Owls, RAN", "en") == ["running", "owls", "ran"]


def test_lower_case_is_that_of_the_language():
    assert exact_terms("ISPARTA", "tr") == ["ısparta"]


@given(
    st.text() | st.text("aIİ’é½ß\u0307\u00ad\u0301東京-_ .\ud800") | st.just("x" * 100),
    st.sampled_from(["en", "tr", "de", ""]),
)
def test_stems_and_exact_forms_in_one_go_are_those_of_each_alone(text, language):
    stems, exact = join_both(text, language)
    assert stems.split() == terms(text, language, keep_stop_words=True)
    assert exact.split() == exact_terms(text, language)


@given(st.text(), st.sampled_from(["en", "tr"]))
def test_the_terms_of_a_text_are_those_of_its_words(text, language):
    words = find_words(text)
    row = [term for word in words for term in exact_terms_of_word(word, language)]
    assert row == exact_terms(" ".join(words), language) == exact_terms(text, language)


@given(st.text(), st.sampled_from(["en", "tr"]))
def test_there_is_one_exact_term_for_each_term(text, language):
    stems, exact = join_both(text, language)
    assert len(stems.split()) == len(exact.split())
