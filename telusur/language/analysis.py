"""From text to terms, in the same way for documents and queries.

1. words: runs of letters and digits of any script (`words`)
2. normal form: NFKC, lower case as the language has it (`normalise`)
3. scripts without spaces: pairs of characters, overlapping
4. stop words: left out, unless asked to keep them
5. stem: Porter/Snowball, by the language
"""

import threading
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import Stemmer

from telusur.language.normalise import DOTTED_I_LANGUAGES, normalise_word
from telusur.language.stop_words import stop_words_of
from telusur.language.words import find_words, is_continuous, locate_words, split_scripts

LONGEST_TERM = 64
CACHED_WORDS = 60_000
UNKNOWN_IS_READ_AS = "en"

_STEMMERS = {
    "ar": "arabic", "hy": "armenian", "eu": "basque", "ca": "catalan", "cs": "czech",
    "da": "danish", "nl": "dutch", "en": "english", "eo": "esperanto", "et": "estonian",
    "fi": "finnish", "fr": "french", "de": "german", "el": "greek", "hi": "hindi",
    "hu": "hungarian", "id": "indonesian", "ms": "indonesian", "ga": "irish", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "no": "norwegian", "nb": "norwegian", "nn": "norwegian",
    "fa": "persian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "es": "spanish", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip

# How many letters at the beginning of an ASCII word in lower case its stem keeps, by the language;
# but English makes "lie" of "lying". Other stemmers cut prefixes.
_TWO = ("ca", "cs", "da", "el", "en", "es", "eu", "hu", "it", "nb", "nn", "no", "pl", "pt", "ro",
        "ru", "sv")  # fmt: skip
_ONE = ("de", "et", "fi", "fr", "lt")
_KEPT_LETTERS = {**dict.fromkeys(_TWO, 2), **dict.fromkeys(_ONE, 1)}


class Token(NamedTuple):
    """A term, the offsets of its characters in the text, and its position among the words."""

    term: str
    start: int
    end: int
    position: int


def tokens(text: str, language: str, *, keep_stop_words: bool = False) -> list[Token]:
    """Return the terms of `text` with offsets; positions count stop words even if they are
    dropped."""
    analyser = get_analyser(language)
    found, position = [], 0
    for word, start, end in locate_words(text):
        kept = keep_stop_words or not analyser.is_stop_word(word)
        for term, from_, to in analyser.locate_terms(word, start, end):
            if kept:
                found.append(Token(term, from_, to, position))
            position += 1
    return found


def terms(text: str, language: str, *, keep_stop_words: bool = False) -> list[str]:
    """Return the terms of `text` in order, without stop words unless asked for."""
    if keep_stop_words:
        return joined_terms(text, language).split()
    return get_analyser(language).join_without_stop_words(text).split()


@lru_cache(maxsize=20_000)
def terms_of_word(word: str, language: str) -> tuple[str, ...]:
    """Return the terms of one word; cached, because queries repeat their words."""
    return tuple(terms(word, language, keep_stop_words=True))


def joined_terms(text: str, language: str) -> str:
    """Return every term of `text` in order, stop words included, with spaces between them."""
    return get_analyser(language).join_all(text)


@lru_cache(maxsize=20_000)
def is_stop_word(word: str, language: str) -> bool:
    """Tell whether a single word is a stop word of the language; cached for queries."""
    return get_analyser(language).is_stop_word(word)


class StemMemory(dict[str, str]):
    """A bounded cache of stems: when it is full, only words that were used again are kept."""

    def __init__(self, make: Callable[[str], str]) -> None:
        self._make = make
        self._older: dict[str, str] = {}

    def __missing__(self, word: str) -> str:
        made = self._older.get(word)
        if made is None:
            made = self._make(word)
        if len(word) <= LONGEST_TERM:
            if len(self) >= CACHED_WORDS:
                self._older = dict(self)
                self.clear()
            self[word] = made
        return made


class Analyser:
    """The analysis of one language, with a cache of words; safe to share between threads."""

    def __init__(self, language: str, stop_words: frozenset[str] | None = None) -> None:
        self.language = language
        self.stop_words = stop_words_of(language) if stop_words is None else stop_words
        self._stem = make_stemmer(language)
        self._lock = threading.Lock()
        self._all = StemMemory(self._join_terms_of)
        self._without_stop_words = StemMemory(self._join_unless_stop_word)

    def join_all(self, text: str) -> str:
        """Return every term, with spaces between."""
        return " ".join(map(self._all.__getitem__, find_words(text)))

    def join_without_stop_words(self, text: str) -> str:
        """Return the terms that are not stop words, with one space or more between."""
        return " ".join(map(self._without_stop_words.__getitem__, find_words(text)))

    def is_stop_word(self, word: str) -> bool:
        """Tell whether a word is on the list, in any case and form."""
        return bool(self.stop_words) and normalise_word(word, self.language) in self.stop_words

    def locate_terms(self, word: str, start: int, end: int) -> list[tuple[str, int, int]]:
        """Return the terms of one word from `start` to `end`: one, or pairs."""
        if not is_continuous(word):
            return [(term, start, end) for term in self._all[word].split()]
        located = []
        for piece, offset in split_scripts(word):
            located += self._locate_piece(piece, start + offset)
        return located

    def _locate_piece(self, piece: str, start: int) -> list[tuple[str, int, int]]:
        made = self._all[piece].split()
        pairs_fit = len(made) == max(1, len(piece) - 1) and is_continuous(piece)
        if not pairs_fit:  # normalising changed the number of characters, or it is a plain word
            return [(term, start, start + len(piece)) for term in made]
        length = min(2, len(piece))
        return [(term, start + i, start + i + length) for i, term in enumerate(made)]

    def _join_unless_stop_word(self, word: str) -> str:
        return "" if self.is_stop_word(word) else self._all[word]

    def _join_terms_of(self, word: str) -> str:
        if word.isascii():
            return self.stem_of(normalise_word(word, self.language))
        made: list[str] = []
        for piece, _ in split_scripts(word):
            # Normalising may give several words: "½" is 1 and 2.
            for part in find_words(normalise_word(piece, self.language)):
                made += _pairs_of(part) if is_continuous(part) else [self.stem_of(part)]
        return " ".join(made)

    def stem_of(self, word: str) -> str:
        """Return the stem of a word in normal form."""
        word = word[:LONGEST_TERM]
        if self._stem is None:
            return word
        with self._lock:  # a Snowball stemmer has one buffer
            return str(self._stem(word)) or word


def kept_letters(language: str) -> int:
    """Return how many letters, 0 to 2, an ASCII word has in common with its stem for certain.

    A second letter "y" may become another one.
    """
    language = language or UNKNOWN_IS_READ_AS
    if language in DOTTED_I_LANGUAGES:
        return 0
    return _KEPT_LETTERS.get(language, 0 if language in _STEMMERS else 2)


def make_stemmer(language: str) -> Callable[[str], str] | None:
    """Return a stemmer, for one thread at a time; None for a language without stemming."""
    algorithm = _STEMMERS.get(language)
    # The second argument turns off PyStemmer's own cache; ours is faster.
    return Stemmer.Stemmer(algorithm, 0).stemWord if algorithm else None


def _pairs_of(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=16)
def get_analyser(language: str) -> Analyser:
    """Return the analyser of a language; without a list or a stemmer for it, words stay as written.

    A text too short to detect its language ("") is read as English: usually it is, and if not, the
    words of the query are read the same way.
    """
    return Analyser(language or UNKNOWN_IS_READ_AS)
