"""Everything an index needs from a text, in one pass: terms, exact words, token table.

The pass is compiled if Telusur was installed with a compiler; it calls Python for words with more
than one term. Texts full of those, as in scripts that are searched by pairs, use `exact` and
`token_table` instead.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from telusur.language.analysis import LONGEST_TERM, UNKNOWN_IS_READ_AS, get_analyser, make_stemmer
from telusur.language.characters import kinds_of_characters
from telusur.language.compiled import native
from telusur.language.exact import get_exact_analyser, join_both
from telusur.language.normalise import DOTTED_I_LANGUAGES, normalise_word
from telusur.language.token_table import SCATTER, pack_tokens
from telusur.language.words import find_words, is_continuous

# Cached words per language, in about 10 MB.
MOST_WORDS = 100_000


class IndexedText(NamedTuple):
    """Terms and words as written, one for one, with spaces between; and the table of the terms."""

    terms: str
    exact: str
    tokens: str


def read_text(text: str, language: str) -> IndexedText:
    """Return what an index stores of a text."""
    if native is not None:
        made = compiled_analysis(language or UNKNOWN_IS_READ_AS).analyse(text)
        if made is not None:
            return IndexedText(*made)
    terms, exact = join_both(text, language)
    return IndexedText(terms, exact, pack_tokens(text, language, terms))


@lru_cache(maxsize=16)
def compiled_analysis(language: str) -> Any:
    """Return the compiled analysis of a language; call it only if there is one."""
    analyser, exact = get_analyser(language), get_exact_analyser(language)
    lowers = language not in DOTTED_I_LANGUAGES

    def make(word: str) -> tuple[str, str]:
        forms = find_words(normalise_word(word, language))
        if len(forms) == 1 and not is_continuous(forms[0]):
            return analyser.stem_of(forms[0]), forms[0][:LONGEST_TERM]
        return analyser.join_all(word), exact.join_all(word)

    def locate(word: str) -> tuple[list[tuple[str, int, int]], list[str]]:
        return analyser.locate_terms(word, 0, len(word)), exact.join_all(word).split()

    # A separate stemmer needs no lock: no other thread interrupts the C code.
    return native.Analysis(
        make_stemmer(language), make, locate, kinds_of_characters(), SCATTER, lowers, MOST_WORDS,
        analyser.is_stop_word,
    )  # fmt: skip
