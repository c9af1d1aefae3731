"""Which language a text is written in."""

import re
import struct
import threading
from functools import cache
from itertools import repeat
from typing import Any

from telusur.language.compact_detector import recognise
from telusur.language.stop_words import languages_with_stop_words, stop_words_of
from telusur.machine.cache import cache_directory

# The larger model is used where the compact detector is in doubt. It reads a text byte by byte, so
# most texts are decided by their first characters, and only doubtful ones are read further.
FIRST_LOOK_CHARACTERS = 300
SECOND_LOOK_CHARACTERS = 1500
SURE_CONFIDENCE = 0.95
LEAST_CONFIDENCE = 0.5
LEAST_BYTES = 8
LEAST_WORDS = 25
SURE_SHARE = 0.25
SURE_SHARE_OF_ENGLISH = 0.08
ENGLISH_CHARACTERS = 900
MOST_FOREIGN_LETTERS = 0.02
_BITS = 16

# Labels of the model that name a variety of a language that has a two-letter code; labels of three
# letters that are not here have none, and are reported as unknown. `zxx` is "no language": it is
# kept as a candidate, so that code listings end as unknown.
_CODE_OF_VARIETY = {"arz": "ar", "ary": "ar", "yue": "zh", "wuu": "zh", "uzs": "uz", "hbo": "he"}

# Digits say nothing about a language, and lone surrogates are not text.
_WITHOUT_LANGUAGE = re.compile(r"[\d\ud800-\udfff]+")

_FOREIGN_LETTER = re.compile(r"[^\x00-\xbf\u2000-\u2bff]")

_lock = threading.Lock()
_identifier: Any = None


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the language of `text`, or "" if it is unclear."""
    return detect_language_with_confidence(text)[0]


def is_written_in(text: str, language: str) -> bool:
    """Tell whether the stop words of a text leave no doubt that it is in this language.

    It is a quick check of the language a page declares; False means nothing.
    """
    words = text[:SECOND_LOOK_CHARACTERS].lower().split()
    small = stop_words_of(language)
    share = sum(word in small for word in words) / max(len(words), 1)
    return len(words) >= LEAST_WORDS and share >= SURE_SHARE


def is_english(text: str) -> bool:
    """Tell whether the stop words of a text leave no doubt that it is in English.

    Ten times faster than the model; False means nothing. A text is English if it has at least twice
    as many English stop words as those of any other language, and hardly a letter outside ASCII.
    """
    sample = text[:ENGLISH_CHARACTERS]
    words = sample.lower().split()
    if len(words) < LEAST_WORDS or _foreign_letters(sample) > MOST_FOREIGN_LETTERS * len(sample):
        return False
    counts = _unpack(sum(map(_votes().get, words, repeat(0))))
    return counts[0] >= max(SURE_SHARE_OF_ENGLISH * len(words), 2 * max(counts[1:]))


def _foreign_letters(text: str) -> int:
    """Count letters outside ASCII, without typographic quotes, dashes and spaces."""
    return 0 if text.isascii() else len(_FOREIGN_LETTER.findall(text))


@cache
def _votes() -> dict[str, int]:
    """Return for each stop word a number that counts once for each of its languages.

    So one sum counts for all languages at once: each has its own 16 bits, English the lowest.
    """
    others = [code for code in languages_with_stop_words() if code != "en"]
    votes: dict[str, int] = {}
    for number, code in enumerate(["en", *others]):
        for word in stop_words_of(code):
            votes[word] = votes.get(word, 0) | 1 << _BITS * number
    return votes


def _unpack(counts: int) -> tuple[int, ...]:
    """Return the count of each language, English first."""
    languages = len(languages_with_stop_words())
    return struct.unpack(f"<{languages}H", counts.to_bytes(_BITS // 8 * languages, "little"))


def detect_language_with_confidence(text: str) -> tuple[str, float]:
    """Return the language of `text` and how sure that is, from 0 to 1; ("", 0.0) for no words."""
    recognised = recognise(text)
    if recognised is not None:
        return recognised
    code, confidence = _classify(text[:FIRST_LOOK_CHARACTERS])
    if confidence < SURE_CONFIDENCE and len(text) > FIRST_LOOK_CHARACTERS:
        code, confidence = _classify(text[:SECOND_LOOK_CHARACTERS])
    return (code if confidence >= LEAST_CONFIDENCE else ""), confidence


def _classify(text: str) -> tuple[str, float]:
    sample = _WITHOUT_LANGUAGE.sub(" ", text)
    if len(sample.strip().encode()) < LEAST_BYTES:
        return "", 0.0
    label, confidence = _get_identifier().classify(sample)
    return _code_of(label), float(confidence)


def _code_of(label: str) -> str:
    return label if len(label) == 2 else _CODE_OF_VARIETY.get(label, "")


def _get_identifier() -> Any:
    """Return the larger model, loaded when first needed.

    The first time on a machine that takes a second; then its tables lie in the cache of the user.
    """
    global _identifier  # noqa: PLW0603 - one model a process
    if _identifier is None:
        with _lock:
            if _identifier is None:
                from telusur.language.small_model import load_small_model

                _identifier = load_small_model(
                    lambda label: _code_of(label) or label == "zxx", cache_directory()
                )
    return _identifier
