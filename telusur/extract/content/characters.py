"""Count the kinds of characters of many texts at once: letters, digits, ends of sentences ..."""

import unicodedata
from collections import defaultdict
from enum import IntEnum
from functools import cache
from itertools import count

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats
from telusur.extract.compiled import native

SAMPLE_LENGTH = 4000
_PLANE = 65_536
_SENTENCE_ENDS = (".", "!", "?", "…", "。")
_numbers = count()


class Kind(IntEnum):
    """The kind of a character, as far as it matters for the look of a text."""

    OTHER = next(_numbers)
    LOWER = next(_numbers)
    UPPER = next(_numbers)
    DIGIT = next(_numbers)
    SPACE = next(_numbers)
    END = next(_numbers)
    COMMA = next(_numbers)
    MARK = next(_numbers)
    BAR = next(_numbers)
    MONEY = next(_numbers)
    IDEOGRAPH = next(_numbers)
    SIGN = next(_numbers)


_SPECIAL = {
    Kind.END: ".!?…。！？।؟",
    Kind.COMMA: ",;:、，；：،",
    Kind.BAR: "|·•»›«‹→←/>#*",
    Kind.SIGN: "@©®™",
}
_CATEGORIES = {
    **dict.fromkeys(("Ll", "Lm", "Lo", "Mn", "Mc"), Kind.LOWER),
    **dict.fromkeys(("Lu", "Lt"), Kind.UPPER),
    **dict.fromkeys(("Nd", "No", "Nl"), Kind.DIGIT),
    **dict.fromkeys(("Zs", "Cc"), Kind.SPACE),
    **dict.fromkeys(("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"), Kind.MARK),
    "Sc": Kind.MONEY,
}


def count_kinds(texts: list[str]) -> tuple[Floats, NDArray[np.uint8]]:
    """Return one row per text: how many characters of each kind it has, and how it ends.

    For long texts only the beginning is counted and extrapolated. The second table says whether a
    text ends a sentence, whether it ends with a colon, and whether it has several rows.
    """
    if native is None:
        return _count(texts), _endings(texts)
    counts, endings = native.count_kinds(texts, _kind_table(), len(Kind), SAMPLE_LENGTH)
    return (
        np.frombuffer(counts, np.float32).reshape(-1, len(Kind)),
        np.frombuffer(endings, np.uint8).reshape(-1, 3),
    )


def _count(texts: list[str]) -> Floats:
    joined = "".join([text[:SAMPLE_LENGTH] for text in texts]).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(joined, np.uint32)
    kinds = _kind_table()[np.minimum(codes, _PLANE - 1)]
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    sampled = np.minimum(lengths, SAMPLE_LENGTH)
    cells = np.repeat(np.arange(len(texts)) * len(Kind), sampled) + kinds
    counts = np.bincount(cells, minlength=len(texts) * len(Kind)).astype(np.float32)
    scale = (lengths / np.maximum(sampled, 1)).astype(np.float32)
    result: Floats = counts.reshape(len(texts), len(Kind)) * scale[:, None]
    return result


def _endings(texts: list[str]) -> NDArray[np.uint8]:
    rows = [
        (text.endswith(_SENTENCE_ENDS), text.endswith((":", "：")), "\n" in text) for text in texts
    ]
    return np.array(rows, np.uint8).reshape(-1, 3)


@cache
def _kind_table() -> NDArray[np.uint8]:
    """Return the kind of each character of the basic plane."""
    # By `map` and with plain numbers: this runs at the start of every parser.
    kind_of = defaultdict(
        lambda: int(Kind.OTHER), {name: int(kind) for name, kind in _CATEGORIES.items()}
    )
    categories = map(unicodedata.category, map(chr, range(_PLANE)))
    table = np.frombuffer(bytearray(map(kind_of.__getitem__, categories)), np.uint8)
    scripts = table[0x2E80:0xD800]  # Chinese, Japanese, Korean: a word has about two of these
    scripts[scripts == Kind.LOWER] = Kind.IDEOGRAPH
    for kind, characters in _SPECIAL.items():
        table[[ord(character) for character in characters]] = kind
    return table
