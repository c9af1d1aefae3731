"""Did you mean: words the collection does not have, put right by words that it has."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeGuard

from telusur.language.analysis import terms_of_word
from telusur.language.normalise import normalise_word
from telusur.language.words import find_words, is_continuous, locate_words
from telusur.search.near_words import NearWord, near_words
from telusur.search.syntax import All, Either, Not, Row, Tree, Wish, is_plain, wishes_of
from telusur.search.understood import describe
from telusur.search.word_list import WordList

# Short words have too many neighbours, long ones are no words.
SHORTEST, LONGEST = 3, 40
# Up to so many letters one error is believed, beyond that two.
ONE_ERROR_UP_TO = 5
# One more error must be worth so many times the documents.
COST_OF_AN_ERROR = math.log(30)
SHORTEST_PART = 3
MOST_WISHES_CORRECTED = 24
MOST_WORDS = 8
# Errors stand in pages too: a word of so few documents in a large collection may be one, if
# there is a near word that is so many times more frequent.
LARGE_COLLECTION = 1_000
MOST_OF_AN_ERROR = 2
TIMES_MORE_FREQUENT = 100
_NAMED = re.compile(r"\w:\S")


def did_you_mean(tree: Row, languages: Sequence[str], words: WordList) -> str:
    """Return the query with its words put right; empty when there is nothing to correct.

    Long queries are pasted, not typed, and left as they are.
    """
    wishes = list(wishes_of(tree))
    if len(wishes) > MOST_WISHES_CORRECTED:
        return ""
    speller = _Speller(languages, words)
    if all(map(speller.is_right, wishes)):  # as nearly always
        return ""
    joined = Row(tuple(speller.join(tree.parts)))
    better = _rewrite(joined, speller.correct_wish)
    return describe(better) if better != tree else ""


def correct(typed: Sequence[str], words: WordList, languages: Sequence[str] = ("",)) -> list[str]:
    """Return the words with those put right that the collection does not have.

    A word may fall into two (`searchengine`), and two may become one (`data base`).
    """
    return _Speller(languages, words).correct(typed)


class _Speller:
    """Corrects the words of one query."""

    def __init__(self, languages: Sequence[str], words: WordList) -> None:
        self._languages = languages or ("",)
        self._words = words
        self._left = MOST_WORDS
        is_large = words.count() >= LARGE_COLLECTION
        self._most_of_an_error = MOST_OF_AN_ERROR if is_large else 0

    def is_right(self, wish: Wish) -> bool:
        """Tell whether there are enough documents with each word of a wish, so that it stays."""
        most = self._most_of_an_error
        return all(self._has_more_than(most, word) for word in find_words(wish.text))

    def correct_wish(self, wish: Wish) -> Wish:
        if wish.field not in ("", "title") or wish.kind not in ("word", "phrase"):
            return wish
        if _has_a_name(wish):
            return wish
        corrected = self._correct_text(wish.text)
        return wish if corrected == wish.text else replace(wish, text=corrected)

    def _correct_text(self, text: str) -> str:
        """Return a text with its words corrected, and what stands between them kept."""
        made, at = [], 0
        for word, start, end in locate_words(text):
            made += [text[at:start], self._correct_word(word)]
            at = end
        return "".join([*made, text[at:]])

    def correct(self, typed: Sequence[str]) -> list[str]:
        joined = self.join([Wish(word) for word in typed])
        made = [self.correct_wish(wish).text for wish in joined if isinstance(wish, Wish)]
        return " ".join(made).split()

    def join(self, parts: Iterable[Tree]) -> list[Tree]:
        """Return the parts with words made one that only together are a word."""
        made: list[Tree] = []
        for part in parts:
            last = made[-1] if made else None
            if (
                _is_a_word(last)
                and _is_a_word(part)
                and self._is_better_joined(last.text, part.text)
            ):
                made[-1] = Wish(f"{last.text}{part.text}")
            else:
                made.append(part)
        return made

    def _is_better_joined(self, first: str, second: str) -> bool:
        are_known = self._has_more_than(0, first) and self._has_more_than(0, second)
        return not are_known and self._frequency(f"{first}{second}") > 0

    def _correct_word(self, word: str) -> str:
        normal = normalise_word(word, self._languages[0])
        if self._left <= 0 or not _may_be_wrong(normal):
            return word
        if self._has_more_than(self._most_of_an_error, word):
            return word
        frequency = max(self._frequencies(word))
        self._left -= 1
        most = 1 if len(normal) <= ONE_ERROR_UP_TO or frequency else 2
        found = near_words(normal, most, self._words)
        if not frequency:
            found += self._split(normal)
        best = max(found, key=_worth, default=None)
        if best is None or best.frequency < frequency * TIMES_MORE_FREQUENT:
            return word
        return best.text

    def _split(self, word: str) -> Iterator[NearWord]:
        """Yield pairs of words of the collection that make this one; a blank is an error."""
        for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            frequency = min(self._frequency(word[:at]), self._frequency(word[at:]))
            if frequency:
                yield NearWord(f"{word[:at]} {word[at:]}", frequency, 1)

    def _has_more_than(self, documents: int, word: str) -> bool:
        """Tell whether more documents than so many have a word, in this or another form."""
        return any(frequency > documents for frequency in self._frequencies(word))

    def _frequencies(self, word: str) -> Iterator[int]:
        """Yield how many documents have a word by its stems, which a search knows, and as it is."""
        for code in self._languages:
            yield from map(self._words.frequency, terms_of_word(word, code))
        yield self._frequency(word)

    def _frequency(self, word: str) -> int:
        return self._words.frequency(normalise_word(word, self._languages[0]), "exact")


def _has_a_name(wish: Wish) -> bool:
    """Tell whether a word was meant for a filter (`before:lunch`, `filetype:pdf`) or an address.

    Nobody meant `before:punch`; how it was understood is told elsewhere.
    """
    return wish.kind == "word" and _NAMED.search(wish.text) is not None


def _is_a_word(part: Tree | None) -> TypeGuard[Wish]:
    return is_plain(part) and not _has_a_name(part)


def _worth(near: NearWord) -> float:
    return math.log(near.frequency) - COST_OF_AN_ERROR * near.distance


def _may_be_wrong(word: str) -> bool:
    is_word = SHORTEST <= len(word) <= LONGEST and not any(map(str.isdigit, word))
    return is_word and not is_continuous(word)


def _rewrite(tree: Tree, change: Callable[[Wish], Wish]) -> Tree:
    """Return the tree with every wish changed but those for what must not be there."""
    match tree:
        case Wish():
            return change(tree)
        case Not():
            return tree
        case All() | Either() | Row():
            return replace(tree, parts=tuple(_rewrite(part, change) for part in tree.parts))
