"""The topic of a crawl: words, example pages, and pages that the user marked good or bad."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.urls.identity import keys_meant
from telusur.errors import UsageError
from telusur.language.analysis import terms
from telusur.language.term_hashes import hash_texts
from telusur.language.token_table import Hashes, hash_term
from telusur.models import Document, url_id_of

Mentions = NDArray[np.bool_]

LONGEST_NAME = 100
# How many of the most frequent words of example pages count as the topic's.
EXAMPLE_TERMS = 30


@dataclass(slots=True, frozen=True)
class TopicExample:
    """A page that is about the topic: its title and text, or where to get them."""

    title: str
    text: str
    language: str = ""
    url: str = ""


@dataclass(frozen=True)
class Topic:
    """The topic; it can be sent to other processes, and never changes during a crawl."""

    words: str = ""
    examples: tuple[TopicExample, ...] = ()
    # Pages that the user marked good (True) or bad, by their url_id.
    labels: tuple[tuple[bytes, bool], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words.strip() or self.examples)

    @property
    def name(self) -> str:
        """Return the name of the topic: its words, or the titles of the examples."""
        titles = ", ".join(example.title for example in self.examples if example.title.strip())
        called = " ".join((self.words.strip() or titles).split())[:LONGEST_NAME]
        return called or ("examples" if self.examples else "")

    @cached_property
    def label_of(self) -> dict[bytes, bool]:
        """Return the labels of pages, by url_id."""
        return dict(self.labels)

    @cached_property
    def _weights(self) -> dict[str, dict[str, float]]:
        return {}

    def weights(self, language: str) -> Mapping[str, float]:
        """Return the terms of the topic in a language, each with its weight.

        Words count as often as they are given. Without words, the most frequent words of the
        examples count by their share, and together as much as three words.
        """
        if language not in self._weights:
            self._weights[language] = self._weigh(language)
        return self._weights[language]

    def _weigh(self, language: str) -> dict[str, float]:
        if self.words.strip():
            return dict(Counter(terms(self.words, language)))
        counts: Counter[str] = Counter()
        for example in self.examples:
            found = terms(f"{example.title}\n{example.title}\n{example.text}", language)
            counts.update({term: n / max(1, len(found)) for term, n in Counter(found).items()})
        best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:EXAMPLE_TERMS]
        total = sum(weight for _, weight in best) or 1.0
        return {term: 3.0 * weight / total for term, weight in best}


class PageText:
    """A page for strategies: its document, and its terms, computed once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._looked_for: tuple[str, ...] | None = None
        self._mentions: Mentions = np.zeros((0, 0), np.bool_)

    @cached_property
    def terms(self) -> list[str]:
        """Return the terms of title and text, as the index has them."""
        document = self.document
        return terms(f"{document.title}\n{document.text}", document.language)

    @cached_property
    def hashes(self) -> Hashes:
        """Return the same as hashes: faster, if the terms need not be read."""
        document = self.document
        return hash_texts([f"{document.title}\n{document.text}"], document.language)[0]

    @cached_property
    def title_size(self) -> int:
        """Return how many of the first terms belong to the title."""
        return len(hash_texts([self.document.title], self.document.language)[0])

    def mentions(self, wanted: Iterable[str]) -> Mentions:
        """Return the positions of terms on the page: one row per term."""
        names = tuple(wanted)
        if names != self._looked_for:
            self._looked_for = names
            self._mentions = _hashes_of(names) == self.hashes
        return self._mentions


@lru_cache(maxsize=64)
def _hashes_of(names: tuple[str, ...]) -> Hashes:
    """Return the hashes of terms, as a column."""
    return np.array([hash_term(name) for name in names], np.uint32)[:, np.newaxis]


def read_labels(lines: Iterable[str], source: str) -> tuple[tuple[bytes, bool], ...]:
    """Read lines of `good URL` and `bad URL`; blank lines and comments are skipped."""
    labels: dict[bytes, bool] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        word, _, address = line.strip().partition(" ")
        keys = keys_meant(address.strip())
        if word not in ("good", "bad") or not keys:
            raise UsageError(
                f"{source}, line {number}: {line.strip()[:80]!r} is neither `good URL` nor `bad "
                "URL`."
            )
        labels |= {url_id_of(key): word == "good" for key in keys}
    return tuple(labels.items())
