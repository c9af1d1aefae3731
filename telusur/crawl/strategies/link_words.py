"""The words of pages and links, as strategies compare them with a topic.

They are compared as hashes, computed for all links of a page at once. There are about 270 million
hashes; if two terms collide, a link wrongly counts as having a word of the topic.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.topic import PageText, Topic
from telusur.language.similarity import cosine
from telusur.language.term_hashes import hash_texts
from telusur.language.token_table import hash_term
from telusur.models import Link

_BETWEEN_WORDS = re.compile(r"[\W_]+")


def page_likeness(page: PageText, topic: Topic) -> float:
    """Return the cosine of a page and the topic, by damped term frequencies."""
    wanted = topic.weights(page.document.language)
    mentions = np.count_nonzero(page.mentions(wanted), axis=1)
    if not mentions.any():
        return 0.0
    weights = np.array([*wanted.values()])
    product = weights @ np.where(mentions, _damped(mentions), 0.0)
    of_page = _damped(np.unique(page.hashes, return_counts=True)[1])
    return min(1.0, float(product / math.sqrt((of_page @ of_page) * (weights @ weights))))


def _damped(counts: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
    return np.asarray(1.0 + np.log(np.maximum(counts, 1)))


def likenesses(texts: Sequence[str], wanted: Mapping[str, float], language: str) -> list[float]:
    """Return the cosine of each short text and the topic's terms: 0 when they share none."""
    hashes, lengths = hash_texts(texts, language)
    weights = _by_hash(wanted)
    ends = np.cumsum(lengths)
    found = [0.0] * len(texts)
    for at in np.unique(np.searchsorted(ends, _places(hashes, weights), "right")).tolist():
        of_text = hashes[ends[at] - lengths[at] : ends[at]]
        found[at] = _cosine(of_text.tolist(), weights)
    return found


def which_are_about(links: Sequence[Link], wanted: Mapping[str, float], language: str) -> bytes:
    """Return 1 for each link whose text or address has one of the topic's terms, 0 for others."""
    texts = [f"{link.anchor} {address_text(link.url)}" for link in links]
    hashes, lengths = hash_texts(texts, language)
    about = np.zeros(len(texts), np.uint8)
    about[np.searchsorted(np.cumsum(lengths), _places(hashes, _by_hash(wanted)), "right")] = 1
    return about.tobytes()


@lru_cache(maxsize=20_000)
def address_text(url: str) -> str:
    """Return the words in the path of an address: `/wp/Polar_bear.htm` is `wp Polar bear htm`."""
    path = url.partition("://")[2].partition("/")[2]
    return _BETWEEN_WORDS.sub(" ", unquote(path))


def _cosine(found: Iterable[int], wanted: Mapping[int, float]) -> float:
    """Return the cosine of terms, each counted as 1 + ln of how often it is there, and wanted ones.

    Found ones that are not wanted count for their length alone.
    """
    counts = Counter(found)
    if wanted.keys().isdisjoint(counts):
        return 0.0
    return cosine({term: 1.0 + math.log(n) for term, n in counts.items()}, wanted)


def _by_hash(wanted: Mapping[str, float]) -> dict[int, float]:
    return {hash_term(term): weight for term, weight in wanted.items()}


def _places(hashes: NDArray[np.uint32], wanted: Mapping[int, float]) -> NDArray[np.intp]:
    """Return the positions of wanted terms; they are few, so numpy's own search would take
    longer."""
    is_wanted = np.zeros(len(hashes), np.bool_)
    for one in wanted:
        is_wanted |= hashes == one
    return np.flatnonzero(is_wanted)
