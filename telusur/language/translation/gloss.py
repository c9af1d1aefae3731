"""Translates word by word, from a table: a gloss, good enough for finding, not for reading."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from telusur.errors import UsageError
from telusur.language.normalise import DOTTED_I_LANGUAGES, normalise_word
from telusur.language.translation.contract import (
    LanguagePair,
    Outcome,
    Translation,
    Translator,
    refuse_length,
    refuse_pair,
)
from telusur.language.words import find_words, locate_words

LONGEST_TEXT = 1_000_000


@dataclass(slots=True, frozen=True)
class WordTable:
    """The best translation of each word of one language pair."""

    pair: LanguagePair
    #: By the normal form of the word.
    words: Mapping[str, str]


def read_word_table(text: str, pair: LanguagePair, where: str = "word table") -> WordTable:
    """Read a table: one word per line, a tab, its translation; `#` starts a comment.

    If a word has several lines, the first counts. An entry of several words is left out: a gloss
    looks up single words.
    """
    words: dict[str, str] = {}
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        entry = line.split("#", 1)[0].strip()
        if not entry:
            continue
        written, _, translation = map(str.strip, entry.partition("\t"))
        if not (written and translation):
            raise UsageError(
                f"{where}, line {number}: {entry!r} is no entry; write a word, a tab and its"
                " translation."
            )
        if find_words(written) == [written]:
            words.setdefault(normalise_word(written, pair.source), translation)
    return WordTable(pair, words)


class Gloss:
    """Implements `telusur.language.translation.contract.Translator`.

    Each word becomes its best word. Unknown words, punctuation and spaces stay as they are.
    """

    longest_text = LONGEST_TEXT

    def __init__(self, tables: Iterable[WordTable], name: str = "gloss") -> None:
        self.name = name
        self._tables = {table.pair: table.words for table in tables}
        self.pairs = frozenset(self._tables)

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[Outcome]:
        """Return an outcome for each text, in the order of the texts."""
        pair = LanguagePair(source, target)
        if pair not in self.pairs:
            return [refuse_pair(self.name, source, target) for _ in texts]
        words = _Words(self._tables[pair], pair)
        return [self._translate_one(text, words) for text in texts]

    def _translate_one(self, text: str, words: "_Words") -> Outcome:
        if len(text) > self.longest_text:
            return refuse_length(self.name, len(text), self.longest_text)
        return Translation("".join(_pieces(text, words)), self.name)


class _Words(dict[str, str]):
    """The translations of words as they are written, each worked out once in a call."""

    def __init__(self, table: Mapping[str, str], pair: LanguagePair) -> None:
        super().__init__()
        self._table = table
        self._pair = pair

    def __missing__(self, written: str) -> str:
        found = self._table.get(normalise_word(written, self._pair.source))
        self[written] = shown = (
            written if found is None else _in_the_case_of(written, found, self._pair.target)
        )
        return shown


def _pieces(text: str, words: _Words) -> Iterator[str]:
    """Yield the text with its words translated, and everything between them as it is."""
    last = 0
    for written, start, end in locate_words(text):
        yield text[last:start]
        yield words[written]
        last = end
    yield text[last:]


def _in_the_case_of(written: str, word: str, language: str) -> str:
    """Return a word in capitals or with a capital letter if the written one has them."""
    if written.isupper() and len(written) > 1:
        return _upper(word, language)
    if written[0].isupper():
        return _upper(word[0], language) + word[1:]
    return word


def _upper(text: str, language: str) -> str:
    if language in DOTTED_I_LANGUAGES:
        text = text.replace("i", "İ")
    return text.upper()


if TYPE_CHECKING:
    # mypy checks here that the contract is met.
    _translator: Translator = Gloss([])
