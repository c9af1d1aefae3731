"""What each character is to a word: a letter, a mark that is glued to one, or nothing."""

import re
import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from telusur.language.words import CONTINUOUS_SCRIPTS, INVISIBLE, is_mark

# Outside of words; in one that is a term as a whole, or one of pairs; marks that continue those;
# and letters of which normalising makes more than one.
OUTSIDE, PLAIN, PAIRED, PLAIN_GLUE, PAIRED_GLUE, UNRULY = range(6)

# Letters and digits end before this code point.
_LAST_LETTER = 0x33480
# Han and Hangul, which normalising leaves as they are.
_STABLE = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3))
_IS_PAIRED = re.compile(rf"[{CONTINUOUS_SCRIPTS}]").match


def kinds_in(text: str) -> NDArray[np.uint8]:
    """Return what each character of a text is."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    # What is beyond the last letter reads as the last one, which is no letter.
    return kinds_of_characters().take(codes, mode="clip")


@cache
def kinds_of_characters() -> NDArray[np.uint8]:
    """Return what each code point is; made once, in less than 0.1 s."""
    kinds = np.zeros(_LAST_LETTER + 1, np.uint8)
    for first, last in _STABLE:
        kinds[first : last + 1] = PAIRED
    for code in np.flatnonzero(kinds == OUTSIDE).tolist():
        character = chr(code)
        if character.isalnum() or is_mark(character) or character in INVISIBLE:
            kinds[code] = _kind_of(character)
    return kinds


def _kind_of(character: str) -> int:
    is_paired = _IS_PAIRED(character) is not None
    if not character.isalnum():
        return PAIRED_GLUE if is_paired else PLAIN_GLUE
    form = unicodedata.normalize("NFKC", character)
    if form != character and (is_paired or any(map(_IS_PAIRED, form)) or not form.isalnum()):
        return UNRULY
    return PAIRED if is_paired else PLAIN
