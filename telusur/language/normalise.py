"""One form for each word: Unicode NFKC, and lower case by the rules of its language."""

import unicodedata

from telusur.language.words import INVISIBLE

# Languages with two letters i: I is the capital of ı, İ that of i.
DOTTED_I_LANGUAGES = frozenset({"tr", "az"})
_DOTTED_I = str.maketrans({"I": "ı", "İ": "i"})
_WITHOUT_INVISIBLE = str.maketrans("", "", INVISIBLE)


def normalise_word(word: str, language: str) -> str:
    """Return the normal form of a word: "ＩＳＰＡＲＴＡ" is "ısparta" in Turkish."""
    if not word.isascii():
        word = unicodedata.normalize("NFKC", word.translate(_WITHOUT_INVISIBLE))
    if language in DOTTED_I_LANGUAGES:
        word = word.translate(_DOTTED_I)
    if word.isascii():
        return word.lower()
    # Elsewhere "İ" folds to i and a dot above it, which nobody types.
    folded = word.casefold().replace("i\u0307", "i")
    return unicodedata.normalize("NFKC", folded)
