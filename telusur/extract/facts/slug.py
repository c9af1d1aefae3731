"""The words of a page's address: many sites write the title there."""

import re
import unicodedata
from functools import lru_cache
from urllib.parse import unquote

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 1000
_LEAST = 3  # words


def tells_slug(text: str, url: str) -> bool:
    """Tell whether a text says most of what the address of its page says in words."""
    slug = _slug_words(url)
    return len(slug) >= _LEAST and 2 * len(slug & words_without_accents(text)) > len(slug)


@lru_cache(maxsize=16)
def _slug_words(url: str) -> frozenset[str]:
    """Return the words of the part of the path that has most of them."""
    path = unquote(url[:_LONGEST].partition("//")[2].partition("/")[2].partition("?")[0])
    return max(
        (words_without_accents(part) for part in path.split("/")), key=len, default=frozenset()
    )


@lru_cache(maxsize=64)
def words_without_accents(text: str) -> frozenset[str]:
    """Return the words of a text as addresses have them: "Fußgänger" as "fussganger"."""
    parts = unicodedata.normalize("NFKD", text[:_LONGEST].casefold())
    plain = "".join(sign for sign in parts if not unicodedata.combining(sign))
    return frozenset(word for word in _WORD.findall(plain) if len(word) > 1 and not word.isdigit())
