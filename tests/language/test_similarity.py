import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.language.similarity import cosine, similarity

VECTORS = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 50))


def test_cosine_of_known_vectors():
    assert cosine({"a": 3, "b": 4}, {"a": 3, "b": 4}) == pytest.approx(1.0)
    assert cosine({"a": 1, "b": 1}, {"a": 1}) == pytest.approx(0.5**0.5)
    assert cosine({"a": 1}, {"b": 1}) == 0.0
    assert cosine({}, {}) == 0.0


@given(VECTORS, VECTORS)
def test_cosine_is_symmetric_and_bounded(a, b):
    assert cosine(a, b) == pytest.approx(cosine(b, a))
    assert 0.0 <= cosine(a, b) <= 1.0


def test_similar_texts_share_stems_not_stop_words():
    alike = similarity("The dog chases cats", "Dogs are chasing a cat")
    assert alike == pytest.approx(1.0)
    assert similarity("The dog of the house", "The price of the bread") == 0.0
    assert similarity("Pertanian di desa", "bertani di desa", "id") == pytest.approx(1.0)
