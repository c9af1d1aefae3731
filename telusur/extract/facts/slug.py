"""The words of a page's address: many sites write the title there."""

import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 1000
_LEAST = 3  # words
_OF_FILES = frozenset(("index", "default", "html", "htm", "shtml", "php", "asp", "aspx", "jsp"))


def tells_slug(text: str, url: str) -> bool:
    """Tell whether a text says most of what the address of its page says in words."""
    slug = _slug_words(url)
    return len(slug) >= _LEAST and 2 * len(slug & words_without_accents(text)) > len(slug)


def contradicts_slug(text: str, url: str) -> bool:
    """Tell whether a text has not one of the words in the address, which has several."""
    slug = _slug_words(url)
    return len(slug) >= _LEAST and slug.isdisjoint(words_without_accents(text))


@lru_cache(maxsize=16)
def _slug_words(url: str) -> frozenset[str]:
    """Return the words of the last part of the path that has any."""
    path = unquote(url[:_LONGEST].partition("//")[2].partition("/")[2].partition("?")[0])
    words = (words_without_accents(part) - _OF_FILES for part in reversed(path.split("/")))
    return next(filter(None, words), frozenset())


@lru_cache(maxsize=64)
def words_without_accents(text: str) -> frozenset[str]:
    """Return the words of a text as addresses have them: "Fußgänger" as "fussganger"."""
    parts = unicodedata.normalize("NFKD", text[:_LONGEST].casefold())
    plain = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return frozenset(word for word in _WORD.findall(plain) if len(word) > 1 and not word.isdigit())
