"""The terms of many texts as hashes, for comparing terms without reading them.

The compiled version, if Telusur was installed with a compiler, makes no lists of words.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.compiled import load_native
from telusur.language.analysis import UNKNOWN_IS_READ_AS, terms
from telusur.language.indexed_text import compiled_analysis
from telusur.language.token_table import Hashes, hash_terms

native = load_native("telusur.language._native")

ALL = 1 << 40


def hash_texts(
    texts: Sequence[str], language: str, most: int = ALL
) -> tuple[Hashes, NDArray[np.int32]]:
    """Return the hashes of the first terms of each text, and how many each has; no stop words."""
    if native is not None:
        analysis = compiled_analysis(language or UNKNOWN_IS_READ_AS)
        hashes, lengths = analysis.hash_texts(list(texts), most)
        return np.frombuffer(hashes, np.uint32), np.frombuffer(lengths, np.int32)
    found = [terms(text, language)[:most] for text in texts]
    together = " ".join(term for of_text in found for term in of_text)
    return hash_terms(together), np.array([len(of_text) for of_text in found], np.int32)
