"""Words too common to search for: one plain text file per language, replaceable by the user."""

from functools import cache
from pathlib import Path

from telusur.language.normalise import normalise_word
from telusur.language.words import find_words

DIRECTORY = Path(__file__).with_name("stopwords")


def load_stop_words(path: Path | str, language: str = "") -> frozenset[str]:
    """Read a list of stop words in UTF-8: any number per line, `#` starts a comment.

    Words are split and lower-cased like those of a text in `language` (by default the name of the
    file: `tr.txt` is Turkish), so "don't" in the file matches "don't" in a text.
    """
    path = Path(path)
    return parse_stop_words(path.read_text(encoding="utf-8-sig"), language or path.stem)


def parse_stop_words(text: str, language: str) -> frozenset[str]:
    """Return the words of such a list."""
    words = [word for line in text.splitlines() for word in find_words(line.split("#", 1)[0])]
    return frozenset(normalise_word(word, language) for word in words)


@cache
def stop_words_of(language: str) -> frozenset[str]:
    """Return the built-in stop words of a language; none for languages without a list."""
    path = DIRECTORY / f"{language}.txt"
    if not language.isalpha() or not path.is_file():
        return frozenset()
    return load_stop_words(path)


@cache
def languages_with_stop_words() -> tuple[str, ...]:
    """Return the codes of the languages that have a list."""
    return tuple(sorted(path.stem for path in DIRECTORY.glob("*.txt")))
