"""Counts the plain words of a query, each in its forms by languages and synonyms."""

from collections.abc import Iterator, Mapping, Sequence

from telusur.index.query import Words
from telusur.language.analysis import terms_of_word
from telusur.search.query.lexicon import Lexicon

Variants = tuple[tuple[str, ...], ...]
Tally = dict[Variants, int]


class CountedWords:
    """How often each word was typed: content, stop word of some languages, stop word of all."""

    def __init__(self) -> None:
        self.content: Tally = {}
        self.ambiguous: Tally = {}
        self.small: Tally = {}

    def tally_for(self, content_in: int, languages: int) -> Tally:
        """Return the tally of a word; a stop word of some languages ("die") only helps to rank."""
        if content_in == languages:
            return self.content
        return self.ambiguous if content_in else self.small

    def count_small_ones(self) -> None:
        """Count stop words if there are no other words."""
        if self.content:
            return
        self.content, self.ambiguous = self.ambiguous, {}
        for variants, count in self.small.items():
            self.content[variants] = self.content.get(variants, 0) + count


def count_words(words: Sequence[str], languages: Sequence[str], lexicon: Lexicon) -> CountedWords:
    """Count a row of words by kind; their forms and synonyms compete."""
    counted = CountedWords()
    forms = {code: _forms_of(words, code) for code in languages}
    synonyms = {code: _synonyms_of(forms[code], code, lexicon) for code in languages}
    for at, word in enumerate(words):
        content = [code for code in languages if not lexicon.is_stop_word(word, code)]
        tally = counted.tally_for(len(content), len(languages))
        codes = content or languages
        others = [run for code in codes for run in synonyms[code].get(at, ())]
        for same_place in zip(*(forms[code][at] for code in codes), strict=False):
            own = [(term,) for term in same_place]
            variants = tuple(dict.fromkeys([*own, *others]))
            tally[variants] = tally.get(variants, 0) + 1
    return counted


def weighted(counted: Mapping[Variants, int]) -> Iterator[Words]:
    """Yield the words; one typed twice weighs twice."""
    for variants, count in counted.items():
        yield Words(variants, weight=float(count))


def _forms_of(words: Sequence[str], language: str) -> list[tuple[str, ...]]:
    return [terms_of_word(word, language) for word in words]


def _synonyms_of(
    forms: list[tuple[str, ...]], language: str, lexicon: Lexicon
) -> dict[int, Variants]:
    """Return the synonyms of words by their index; pairs of characters have none."""
    row = [form[0] if len(form) == 1 else "" for form in forms]
    return lexicon.synonyms_in(row, language)
