"""The language of longer texts by the Compact Language Detector (CLD2), if it is installed.

It needs a few megabytes, and a twentieth of a millisecond per page. Its results are used only where
they are as good as those of the larger model; for all other texts it returns None.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

# From this length on it is as accurate as the larger model, even for closely related languages.
LONG_CHARACTERS = 600
SHORT_CHARACTERS = 80
READ_CHARACTERS = 600
# The least share of the text that must be in the language.
LEAST_PERCENT = 60
# For short texts: with lower scores, Spanish and French about computers are taken for English.
LEAST_SCORE = 750
# Distinguished only in long texts.
_RELATED = frozenset({"id", "ms", "hr", "bs", "sr"})

_CODE_OF_LABEL = {"zh-Hant": "zh", "iw": "he", "jw": "jv"}

# Digits say nothing about a language, and CLD2 refuses a text with invalid characters.
_WITHOUT_LANGUAGE = re.compile(
    r"[\d"
    "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(
        f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 1 << 16)
    )
    + "]+"
)


def recognise(text: str) -> tuple[str, float] | None:
    """Return the language of a text and the share of the text that is in it; None when in doubt."""
    detect = _load()
    if detect is None or len(text) < SHORT_CHARACTERS:
        return None
    sample = _WITHOUT_LANGUAGE.sub(" ", text[:READ_CHARACTERS])
    is_reliable, _, found = detect(sample.encode(), isPlainText=True)
    _, label, percent, score = found[0]
    code = _CODE_OF_LABEL.get(label, label)
    if not is_reliable or percent < LEAST_PERCENT or len(code) != 2 or code == "un":
        return None
    if len(text) < LONG_CHARACTERS and (score < LEAST_SCORE or code in _RELATED):
        return None
    return code, percent / 100


@cache
def _load() -> Callable[..., Any] | None:
    """Return the detector, or None on systems without it."""
    try:
        import pycld2
    except ImportError:
        return None
    detect: Callable[..., Any] = pycld2.detect
    return detect
