"""The words of a link, as strategies compare them with a topic: of its text and of its address."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import unquote

from telusur.crawl.topic import PageText, Topic
from telusur.language.analysis import terms
from telusur.language.similarity import cosine

_BETWEEN_WORDS = re.compile(r"[\W_]+")


def damped(found: Iterable[str]) -> dict[str, float]:
    """Return how much each term counts: 1 + ln of how often it is there."""
    return {term: 1.0 + math.log(n) for term, n in Counter(found).items()}


def page_likeness(page: PageText, topic: Topic) -> float:
    """Return the cosine of a page and the topic, by damped term frequencies."""
    wanted = topic.weights(page.document.language)
    if wanted.keys().isdisjoint(page.terms):
        return 0.0
    return cosine(damped(page.terms), wanted)


def likeness(text: str, wanted: Mapping[str, float], language: str) -> float:
    """Return the cosine of a short text and the topic's terms: 0 when they share none."""
    if not text:
        return 0.0
    found = terms(text, language)
    if wanted.keys().isdisjoint(found):
        return 0.0
    return cosine(damped(found), wanted)


@lru_cache(maxsize=20_000)
def address_text(url: str) -> str:
    """Return the words in the path of an address: `/wp/Polar_bear.htm` is `wp Polar bear htm`."""
    path = url.partition("://")[2].partition("/")[2]
    return _BETWEEN_WORDS.sub(" ", unquote(path))


def is_about(anchor: str, url: str, wanted: Mapping[str, float], language: str) -> bool:
    """Tell whether a link's text or address has one of the topic's terms."""
    words = terms(f"{anchor} {address_text(url)}", language)
    return not wanted.keys().isdisjoint(words)
