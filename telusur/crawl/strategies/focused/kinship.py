"""How similar a link text is to the topic in meaning, by word vectors, if there are any.

This is knowledge of the world: for example, that axes and buttons belong to engineering.
"""

import math
import re
from collections.abc import Sequence

import numpy as np

from telusur.arrays import Floats
from telusur.crawl.strategies.contract import Vectors
from telusur.language.analysis import is_stop_word

_WORDS = re.compile(r"[^\W\d_]{2,}")
# Similarities below this count as this: smaller differences are chance, and were misleading.
CHANCE = 0.05
# The size of the cache of words and texts; when it is full it is cleared.
MOST_WORDS = 50_000
# Marks a text that has no value yet; less than any real value.
_NEW = -1.0


class Kinship:
    """The similarity of texts to the topic's words; each word is looked up once."""

    def __init__(self, vectors: Vectors | None, topic: str) -> None:
        self._vectors = vectors
        self._topic = topic
        self._wanted: Floats | None = None
        # The cosine of each word with the topic; 0 for a stop word.
        self._nearness: dict[str, float] = {}
        self._of_text: dict[str, float] = {}

    def of(self, texts: Sequence[str], language: str) -> Floats:
        """Return for each text the sum of its words' cosines, divided by the root of their number.

        It is at least `CHANCE`, and 0 if there are no vectors.
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
