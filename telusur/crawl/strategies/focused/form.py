"""The form of a link text, whatever its words: written like a name or like an ordinary word.

Some topics are people, films or battles, others are materials or ideas. After a few dozen pages it
is clear which kind a topic is. Where case carries no information, nothing is learned from it.
"""

import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from telusur.arrays import Floats

# Whether it begins with a lower-case letter; the share of its later words with a capital (0.5 if
# there are none); the logarithm of its number of words.
FORM = ("small", "capitals", "words")
_WORDS = re.compile(r"[^\W\d_]+")
# How many characters are examined.
_LONGEST = 200


def forms_of(texts: Sequence[str]) -> Floats:
    """Return the form of each text, one row each."""
    forms = [_form_of(text[:_LONGEST]) for text in texts]
    return np.array(forms, np.float32).reshape(-1, len(FORM))


@lru_cache(maxsize=20_000)
def _form_of(text: str) -> tuple[float, float, float]:
    words = _WORDS.findall(text)
    later = words[1:]
    capitals = sum(word[0].isupper() for word in later) / len(later) if later else 0.5
    return float(text[:1].islower()), capitals, math.log(max(1, len(words)))
