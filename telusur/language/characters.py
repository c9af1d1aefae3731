"""The role of each character in a word: a letter, a mark attached to one, or outside."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from telusur.language.words import CONTINUOUS_SCRIPTS, INVISIBLE, find_marks

# Outside of words; in a word that is one term, or one made of pairs; marks that continue those; and
# letters that normalising turns into several.
OUTSIDE, PLAIN, PAIRED, PLAIN_GLUE, PAIRED_GLUE, UNRULY = range(6)

# Letters and digits end before this code point.
_LAST_LETTER = 0x33480
_LETTERS = re.compile(r"[^\W_]+")
_PAIRED = re.compile(rf"[{CONTINUOUS_SCRIPTS}]+")


def kinds_in(text: str) -> NDArray[np.uint8]:
    """Return what each character of a text is."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    # Code points beyond the table count as its last entry, which is not a letter.
    return kinds_of_characters().take(codes, mode="clip")


@cache
def kinds_of_characters() -> NDArray[np.uint8]:
    """Return what each code point is; made once, in some 20 ms."""
    # Where a character stands in it is its code point.
    every = np.arange(_LAST_LETTER + 1, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    letters, paired = _where(_LETTERS, every), _where(_PAIRED, every)
    glue = np.zeros(len(every), np.bool_)
    glue[[*find_marks(), *map(ord, INVISIBLE)]] = True
    kinds = np.zeros(len(every), np.uint8)
    kinds[glue] = PLAIN_GLUE
    kinds[glue & paired] = PAIRED_GLUE
    kinds[letters] = PLAIN
    kinds[letters & paired] = PAIRED
    kinds[[ord(letter) for letter in _find_unruly(every)]] = UNRULY
    return kinds


def _where(pattern: re.Pattern[str], text: str) -> NDArray[np.bool_]:
    """Tell of each character of a text whether a pattern finds it."""
    found = np.zeros(len(text), np.bool_)
    for match in pattern.finditer(text):
        found[match.start() : match.end()] = True
    return found


def _find_unruly(text: str) -> Iterator[str]:
    """Yield the letters that normalising makes something else of, in kind or in number."""
    for letters in _LETTERS.findall(text):
        if not unicodedata.is_normalized("NFKC", letters):  # one or more of them change
            yield from filter(_is_unruly, letters)


def _is_unruly(letter: str) -> bool:
    form = unicodedata.normalize("NFKC", letter)
    return form != letter and (_PAIRED.search(letter + form) is not None or not form.isalnum())
