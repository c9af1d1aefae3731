"""Words as they are written, in normal form but not stemmed: for phrases, prefixes, near misses."""

from functools import lru_cache

from telusur.language.analysis import UNKNOWN_IS_READ_AS, Analyser


class ExactAnalyser(Analyser):
    """The same road as `Analyser`, up to the stem: one exact term for each term, in order."""

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self._stem = None


@lru_cache(maxsize=16)
def get_exact_analyser(language: str) -> ExactAnalyser:
    """Return the analyser that keeps words of a language as written."""
    return ExactAnalyser(language or UNKNOWN_IS_READ_AS)


def exact_terms(text: str, language: str) -> list[str]:
    """Return every word of `text` in order, in lower case and normal form."""
    return joined_exact_terms(text, language).split()


def joined_exact_terms(text: str, language: str) -> str:
    """Return the same with spaces between."""
    return get_exact_analyser(language).join_all(text)
