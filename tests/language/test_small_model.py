from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from telusur.language.compiled import native
from telusur.language.small_model import load_small_model


@pytest.fixture(scope="module")
def models():
    large = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    return large, load_small_model(lambda label: True)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=200) | st.binary(max_size=100))
def test_it_answers_as_the_whole_model_does(models, text):
    large, small = models
    assert small.classify(text) == large.classify(text)


def test_it_is_small(models):
    _, small = models
    automaton = (small.tk_nextmove, small._piece_of, small._rowbase, small.tk_output)
    assert sum(len(part) * part.itemsize for part in automaton) < 8_000_000


@given(data=st.binary(max_size=300) | st.text(max_size=100).map(str.encode))
def test_the_compiled_way_meets_the_same_features(models, data):
    _, small = models
    met = [each.tolist() for each in small._visit(data)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("telusur.language.small_model.native", None)
        assert [each.tolist() for each in small._visit(data)] == met


def test_an_automaton_that_leads_out_of_itself_is_refused():
    if native is None:
        pytest.skip("Telusur was installed without a compiler")
    numbers, table = array("I", [7] * 16), array("H", [0])
    with pytest.raises(ValueError, match="out of itself"):
        native.visits(numbers, numbers, numbers, numbers, b"a", table, 1)
