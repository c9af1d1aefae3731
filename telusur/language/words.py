"""Splits a text of any script into words: `find_words` for the words, `locate_words` with
offsets."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

# Written without spaces, or (Hangul) with particles glued on: searched by pairs of characters.
CONTINUOUS_SCRIPTS = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"  # Hangul
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
# No character before this one is of such a script.
FIRST_CONTINUOUS = CONTINUOUS_SCRIPTS[0]
# Invisible inside a word: soft hyphen, zero-width (non-)joiner, word joiner.
INVISIBLE = "\u00ad\u200c\u200d\u2060"

_FIRST_MARK, _LAST_MARK = 0x300, 0x119FF

_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_ASCII_WITH_SPACES = bytes(code if chr(code).isalnum() else ord(" ") for code in range(256))
_CONTINUOUS = re.compile(rf"[{CONTINUOUS_SCRIPTS}]")
_PIECES = re.compile(rf"[{CONTINUOUS_SCRIPTS}]+|[^{CONTINUOUS_SCRIPTS}]+")


def find_words(text: str) -> list[str]:
    """Return the words of `text`, as written, in order."""
    if text.isascii():  # twice as fast as the pattern
        return text.encode("ascii").translate(_ASCII_WITH_SPACES).decode("ascii").split()
    return _any_script_word().findall(text)


def locate_words(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each word of `text` with the offsets where it starts and ends."""
    for match in _pattern_for(text).finditer(text):
        yield match.group(), match.start(), match.end()


def is_continuous(text: str) -> bool:
    """Tell whether a text has characters of a script that is searched by pairs."""
    return not text.isascii() and _CONTINUOUS.search(text) is not None


def split_scripts(word: str) -> Iterator[tuple[str, int]]:
    """Yield the pieces of a word inside and outside continuous scripts, with their offsets."""
    for match in _PIECES.finditer(word):
        yield match.group(), match.start()


@cache
def find_marks() -> list[int]:
    """Return the code points of accents and vowel signs, which belong to the letter before."""
    category = unicodedata.category  # letters are left out first, so that it is asked seldom
    every = "".join(map(chr, range(_FIRST_MARK, _LAST_MARK + 1)))
    return [ord(one) for one in re.findall(r"\W", every) if category(one)[0] == "M"]


def _pattern_for(text: str) -> re.Pattern[str]:
    return _ASCII_WORD if text.isascii() else _any_script_word()


@cache
def _any_script_word() -> re.Pattern[str]:
    """Return the pattern of a word: letters and digits with the marks that belong to them.

    `\\w` alone would cut Devanagari, Thai or decomposed Latin at every vowel sign or accent.
    """
    glue = "".join(_ranges_of_marks()) + INVISIBLE
    not_ascii = r"(?![\x00-\x7f])"  # decides nearly every word at once, a third faster
    return re.compile(rf"[^\W_]+(?:{not_ascii}[{glue}]+[^\W_]*)*")


def _ranges_of_marks() -> Iterator[str]:
    """Yield the ranges of combining marks, as they stand in a character class."""
    marks = find_marks()
    start = 0
    for number, code in enumerate(marks):
        if number + 1 == len(marks) or marks[number + 1] != code + 1:
            yield f"{chr(marks[start])}-{chr(code)}"
            start = number + 1
