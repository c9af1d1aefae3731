from telusur.language.analysis import joined_terms
from telusur.language.exact import exact_terms, joined_exact_terms


def test_words_stay_as_written_but_for_their_case():
    assert exact_terms("Running Owls, RAN", "en") == ["running", "owls", "ran"]


def test_lower_case_is_that_of_the_language():
    assert exact_terms("ISPARTA", "tr") == ["ısparta"]


def test_there_is_one_exact_term_for_each_term():
    text = "Die Katzen ½ 東京都 cat's running"
    assert len(joined_exact_terms(text, "de").split()) == len(joined_terms(text, "de").split())
