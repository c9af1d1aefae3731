"""Writes a page in another writing system, so that only the form of its language is left.

Nobody knows a word of the result, but its lengths, sentences and capitals, and what its lines share
with the title, are those of a page in such a language. Names of elements mean the same, in words of
other languages.
"""

import re
import zlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from telusur.extract.content.element_names import Names, words_alike
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.layout import Layout

_LATIN = "abcdefghijklmnopqrstuvwxyz"
_CYRILLIC = "абцдефгхийклмнопярстувшжыз"
_GREEK = "αβψδεφγηιξκλμνοπχρστυωςθυζ"
_WORD = re.compile(r"[^\W\d_]+")
_WORD_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
# Blanks beside a sign that is not Latin.
_BLANKS = re.compile(r"(?<=[^\x00-\x7f]) +| +(?=[^\x00-\x7f])")
_FIRST_IDEOGRAPH = 0x4E00
_IDEOGRAPHS = 3000
_LETTERS_OF_ONE = 3
_POINTS = str.maketrans(".,:?!;()", "。，：？！；（）")
_LEAST_LATIN = 0.6
_SAMPLE = 5000

_Write = Callable[[str], str]


def is_latin(layout: Layout) -> bool:
    """Tell whether most letters of a page are Latin: others are not rewritten."""
    letters = [sign for sign in "".join(layout.texts)[:_SAMPLE].lower() if sign.isalpha()]
    return sum(sign in _LATIN for sign in letters) > _LEAST_LATIN * max(1, len(letters))


def in_other_language(
    layout: Layout, metadata: Metadata, rng: np.random.Generator
) -> tuple[Layout, Metadata]:
    """Return a page and its metadata in Cyrillic, Greek or Chinese signs, as chance has it."""
    write = _WRITERS[int(rng.integers(len(_WRITERS)))]
    texts = [write(text) for text in layout.texts]
    linked = [
        round(count * len(new) / max(1, len(old)))
        for count, new, old in zip(layout.linked.tolist(), texts, layout.texts, strict=True)
    ]
    salt = int(rng.integers(1 << 30))
    rewritten = replace(
        layout, texts=texts, linked=np.array(linked, np.int32),
        names=[_rename(each, salt) for each in layout.names],
    )  # fmt: skip
    return rewritten, replace(
        metadata, title=write(metadata.title), description=write(metadata.description),
        stated_text=write(metadata.stated_text), author=metadata.author and write(metadata.author),
    )  # fmt: skip


def _in_letters(letters: str) -> _Write:
    table = str.maketrans(_LATIN + _LATIN.upper(), letters + letters.upper())
    return lambda text: text.translate(table)


def _in_ideographs(text: str) -> str:
    return _BLANKS.sub("", _WORD.sub(_ideographs_of, text).translate(_POINTS))


def _ideographs_of(found: re.Match[str]) -> str:
    """Return a word of ideographs: always the same for the same word, whatever its case."""
    word = found[0].lower()
    seed = zlib.crc32(word.encode("utf-8", "replace"))
    count = -(-len(word) // _LETTERS_OF_ONE)
    return "".join(
        chr(_FIRST_IDEOGRAPH + (seed * (place + 7) >> 3) % _IDEOGRAPHS) for place in range(count)
    )


_WRITERS: tuple[_Write, ...] = (_in_letters(_CYRILLIC), _in_letters(_GREEK), _in_ideographs)


def _rename(names: Names, salt: int) -> Names:
    tag, classes, identity, role = names

    def other_word(found: re.Match[str]) -> str:
        """Return a word of the same sense, or one without any; the same for a whole page."""
        number = zlib.crc32(f"{found[0]} {salt}".encode("utf-8", "replace"))
        alike = words_alike(found[0])
        return alike[number % len(alike)] if alike else f"q{_LATIN[number % 26]}{found[0][::-1]}x"

    classes, identity = (_WORD_OF_NAME.sub(other_word, each) for each in (classes, identity))
    return tag, classes, identity, role
