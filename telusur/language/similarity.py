"""The similarity of two texts: the cosine of their term frequencies."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import TypeVar

from telusur.language.analysis import terms

Term = TypeVar("Term", bound=Hashable)


def cosine(a: Mapping[Term, float], b: Mapping[Term, float]) -> float:
    """Return the cosine of two term-frequency vectors: 1 for equal proportions, 0 for no shared
    term."""
    if len(a) > len(b):
        a, b = b, a
    product = sum(count * b[term] for term, count in a.items() if term in b)
    if not product:
        return 0.0
    lengths = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return min(1.0, product / lengths)


def similarity(text_a: str, text_b: str, language: str = "en") -> float:
    """Return the similarity of two texts, from 0 to 1, by the stems of their words."""
    return cosine(Counter(terms(text_a, language)), Counter(terms(text_b, language)))
