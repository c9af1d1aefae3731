"""How near the text of a link is to the topic in meaning, by vectors of words, where there are any.

What a word gives away only to somebody who knows the world: that axes and buttons are engineering.
"""

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.strategies.contract import Vectors
from telusur.language.analysis import is_stop_word

Floats = NDArray[np.float32]
_WORDS = re.compile(r"[^\W\d_]{2,}")
CHANCE = 0.05
"""Texts that are no nearer are all as far: differences below are chance, and led astray."""
MOST_WORDS = 50_000
"""So many words and texts are remembered; then it begins anew."""
_NEW = -1.0
"""In place of what a text that was not read yet has: less than any has."""


class Kinship:
    """Tells how near texts are to the topic's words; each word is looked up once."""

    def __init__(self, vectors: Vectors | None, topic: str) -> None:
        self._vectors = vectors
        self._topic = topic
        self._wanted: Floats | None = None
        self._nearness: dict[str, float] = {}
        """The cosine of each word with the topic; of a stop word, nothing."""
        self._of_text: dict[str, float] = {}

    def of(self, texts: Sequence[str], language: str) -> Floats:
        """Return for each text the sum of its words' cosines with the topic, by their root.

        It is never less than `CHANCE`, and nothing where there are no vectors.
        """
        if self._vectors is None:
            return np.zeros(len(texts), np.float32)
        known = self._of_text
        found = [known.get(text, _NEW) for text in texts]
        if _NEW in found:
            new = [text for text, nearness in zip(texts, found, strict=True) if nearness == _NEW]
            if len(known) > MOST_WORDS:
                known.clear()
                new = list(texts)
            self._read(new, language, self._vectors)
            found = [known[text] for text in texts]
        return np.array(found, np.float32)

    def _read(self, texts: Sequence[str], language: str, vectors: Vectors) -> None:
        found = [_WORDS.findall(text.lower()) for text in texts]
        known = self._nearness
        if len(known) > MOST_WORDS:
            known.clear()
        new = {word for words in found for word in words if word not in known}
        if new:
            self._learn(sorted(new), language, vectors)
        for text, words in zip(texts, found, strict=True):
            self._of_text[text] = _root_sum([known[word] for word in words])

    def _learn(self, words: Sequence[str], language: str, vectors: Vectors) -> None:
        if self._wanted is None:
            self._wanted = vectors.encode([self._topic])[0]
        cosines = (vectors.encode(words) @ self._wanted).tolist()
        for word, cosine in zip(words, cosines, strict=True):
            self._nearness[word] = 0.0 if is_stop_word(word, language) else cosine


def _root_sum(numbers: Sequence[float]) -> float:
    counted = [number for number in numbers if number]
    return max(CHANCE, sum(counted) / math.sqrt(max(1, len(counted))))
