"""How the text of a link is written, whatever it says: as a name or as a word among others.

Some topics are people, films or battles, others are materials or ideas. Which of them a topic is
shows after a few dozen pages, and where case tells nothing, nothing is learned from it.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

FORM = ("small", "capitals", "words")
"""Whether it begins with a small letter; the share of its later words with a capital, a half where
there are none; the logarithm of how many words it has."""
_WORDS = re.compile(r"[^\W\d_]+")
_LONGEST = 200
"""So many characters are looked at."""

Floats = NDArray[np.float32]


def forms_of(texts: Sequence[str]) -> Floats:
    """Return how each text is written, a row for each."""
    forms = [_form_of(text[:_LONGEST]) for text in texts]
    return np.array(forms, np.float32).reshape(-1, len(FORM))


@lru_cache(maxsize=20_000)
def _form_of(text: str) -> tuple[float, float, float]:
    words = _WORDS.findall(text)
    later = words[1:]
    capitals = sum(word[0].isupper() for word in later) / len(later) if later else 0.5
    return float(text[:1].islower()), capitals, math.log(max(1, len(words)))
