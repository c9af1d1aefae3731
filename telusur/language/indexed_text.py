"""Everything an index needs from a text, in one pass: terms, exact words, and a token table.

The pass is compiled if Telusur was installed with a compiler; it calls Python for words with more
than one term. Texts full of those, as in scripts that are searched by pairs, use `exact` and
`token_table` instead.

A snippet needs the places of a few words. In most texts the compiled part finds them without a
table, because it looks up only words that begin as those do. An index keeps tables of the others.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from telusur.language.analysis import (
    LONGEST_TERM,
    UNKNOWN_IS_READ_AS,
    get_analyser,
    kept_letters,
    make_stemmer,
)
from telusur.language.characters import kinds_of_characters
from telusur.language.compiled import native
from telusur.language.exact import get_exact_analyser, join_both
from telusur.language.normalise import DOTTED_I_LANGUAGES, normalise_word
from telusur.language.token_table import SCATTER, pack_tokens
from telusur.language.words import FIRST_CONTINUOUS, find_words, is_continuous

# Cached words per language, in about 10 MB.
MOST_WORDS = 100_000
# Bytes of UTF-8 per character, for texts that are read without a table: letters are mostly Latin.
MOST_BYTES = 1.25


class IndexedText(NamedTuple):
    """Terms and words as written, one for one, with spaces between; and the table of the terms.

    `tokens` is "" for a text that is read without a table.
    """

    terms: str
    exact: str
    tokens: str


def read_text(text: str, language: str, *, with_table: bool = True) -> IndexedText:
    """Return the words of a text; without `with_table`, a table only if snippets need it."""
    if native is not None:
        with_table = with_table or needs_table(text, language)
        made = compiled_analysis(language or UNKNOWN_IS_READ_AS).analyse(text, with_table)
        if made is not None:
            return IndexedText(*made)
    terms, exact = join_both(text, language)
    return IndexedText(terms, exact, pack_tokens(text, language, terms))


def needs_table(text: str, language: str) -> bool:
    """Tell whether nearly every word would have to be looked up for a snippet."""
    if not kept_letters(language):
        return True
    return not text.isascii() and len(text.encode("utf-8", "replace")) > MOST_BYTES * len(text)


def make_token_table(text: str, language: str) -> str:
    """Return the table of a text."""
    if native is not None:
        made = compiled_analysis(language or UNKNOWN_IS_READ_AS).analyse(text, True, False)
        if made is not None:
            return str(made[2])
    return pack_tokens(text, language)


@lru_cache(maxsize=16)
def compiled_analysis(language: str) -> Any:
    """Return the compiled analysis of a language; call it only if there is one."""
    analyser, exact = get_analyser(language), get_exact_analyser(language)
    lowers = language not in DOTTED_I_LANGUAGES

    def make(word: str) -> tuple[str, str]:
        form = normalise_word(word, language)
        # As nearly all words; the patterns below take longer.
        if form.isalnum() and max(form) < FIRST_CONTINUOUS:
            return analyser.stem_of(form), form[:LONGEST_TERM]
        forms = find_words(form)
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
