"""Words as written, in normal form but not stemmed: for phrases, prefixes and fuzzy words.

`join_both` makes stems and exact forms of a text in one pass, as an indexer needs them. The text is
split at every ASCII character that is not a letter or digit; only new pieces, and pieces with other
characters, are analysed further.
"""

from functools import lru_cache

from telusur.language.analysis import (
    LONGEST_TERM,
    UNKNOWN_IS_READ_AS,
    Analyser,
    StemMemory,
    get_analyser,
)
from telusur.language.normalise import DOTTED_I_LANGUAGES

_CUT = bytes(code if code > 127 or chr(code).isalnum() else ord(" ") for code in range(256))
_CUT_AND_LOWER = bytes(_CUT[ord(chr(code).lower())] if code < 128 else code for code in range(256))


class ExactAnalyser(Analyser):
    """Like `Analyser`, without stemming: one exact term for each term, in order."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self._stem = None


class _PieceAnalyser:
    """Stems and exact forms of the pieces of a text between ASCII spaces and punctuation."""

    def __init__(self, language: str) -> None:
        self._has_dotted_i = language in DOTTED_I_LANGUAGES
        self._cut = _CUT if self._has_dotted_i else _CUT_AND_LOWER
        self.stems = StemMemory(get_analyser(language).join_all)
        self.exact = StemMemory(get_exact_analyser(language).join_all)

    def join_both(self, text: str) -> tuple[str, str]:
        data = text.encode("utf-8", "surrogatepass").translate(self._cut)
        pieces = data.decode("utf-8", "surrogatepass").split()
        stems = " ".join(map(self.stems.__getitem__, pieces))
        if self._has_dotted_i:
            return stems, " ".join(map(self.exact.__getitem__, pieces))
        exact = self.exact
        return stems, " ".join(
            [
                piece if piece.isascii() and len(piece) <= LONGEST_TERM else exact[piece]
                for piece in pieces
            ]
        )


@lru_cache(maxsize=16)
def get_exact_analyser(language: str) -> ExactAnalyser:
    """Return the analyser that keeps words of a language as written."""
    return ExactAnalyser(language or UNKNOWN_IS_READ_AS)


@lru_cache(maxsize=16)
def _get_piece_analyser(language: str) -> _PieceAnalyser:
    return _PieceAnalyser(language or UNKNOWN_IS_READ_AS)


def exact_terms(text: str, language: str) -> list[str]:
    """Return every word of `text` in order, in lower case and normal form."""
    return get_exact_analyser(language).join_all(text).split()


@lru_cache(maxsize=20_000)
def exact_terms_of_word(word: str, language: str) -> tuple[str, ...]:
    """Return the same for one word; cached, because queries repeat their words."""
    return tuple(exact_terms(word, language))


def join_both(text: str, language: str) -> tuple[str, str]:
    """Return the terms of `text` and its words as written, one for one, with spaces between."""
    return _get_piece_analyser(language).join_both(text)
