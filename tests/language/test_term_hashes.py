import numpy as np
import pytest

from telusur.language import term_hashes
from telusur.language.analysis import terms
from telusur.language.term_hashes import hash_texts
from telusur.language.token_table import hash_term

TEXTS = [
    "The owls of Zürich, flying at night; can't 3 cats", "", "the of and", "½ cup é " * 3,
    "日本語のテキスト and words, 日本 the", "x" * 400 + " y", "Straße ﬁne", "İstanbul",
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "", "tr", "ja", "xx"])
@pytest.mark.parametrize("most", [1, 4, term_hashes.ALL])
def test_texts_have_the_hashes_of_their_terms(language, most, monkeypatch):
    hashes, lengths = hash_texts(TEXTS, language, most)
    expected = [terms(text, language)[:most] for text in TEXTS]
    assert lengths.tolist() == [len(found) for found in expected]
    assert hashes.tolist() == [hash_term(term) for found in expected for term in found]
    monkeypatch.setattr(term_hashes, "native", None)
    for compiled, pure in zip((hashes, lengths), hash_texts(TEXTS, language, most), strict=True):
        assert np.array_equal(compiled, pure)


def test_no_texts_have_no_terms():
    hashes, lengths = hash_texts([], "en")
    assert len(hashes) == len(lengths) == 0
