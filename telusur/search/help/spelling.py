"""Did you mean: corrects words that the collection does not have to words that it has."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeGuard

from telusur.language.analysis import terms_of_word
from telusur.language.normalise import normalise_word
from telusur.language.words import find_words, is_continuous, locate_words
from telusur.search.query.near_words import NearWord, near_words
from telusur.search.query.syntax import All, Either, Not, QueryWish, Row, Tree, is_plain, wishes_of
from telusur.search.query.understood import describe
from telusur.search.word_list import WordList

# Short words have too many neighbours; very long ones are not words.
SHORTEST, LONGEST = 3, 40
# Words up to this length may have one error, longer ones two.
ONE_ERROR_UP_TO = 5
# Another error is accepted only for a word with this many times more documents, as logarithm.
COST_OF_AN_ERROR = math.log(30)
SHORTEST_PART = 3
MOST_WISHES_CORRECTED = 24
MOST_WORDS = 8
# Pages have misspellings too: in a large collection, a word in few documents may be one if a
# similar word is many times more frequent.
LARGE_COLLECTION = 1_000
MOST_OF_AN_ERROR = 2
TIMES_MORE_FREQUENT = 100
_NAMED = re.compile(r"\w:\S")


def did_you_mean(tree: Row, languages: Sequence[str], words: WordList) -> str:
    """Return the query with corrected words; empty when there is nothing to correct.

    Long queries are pasted, not typed, so they are not corrected.
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
    """Return the words, with those corrected that the collection does not have.

    A word may be split into two (`searchengine`), and two may be joined (`data base`).
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

    def is_right(self, wish: QueryWish) -> bool:
        """Tell whether enough documents have each word of a wish, so that it needs no
        correction."""
        most = self._most_of_an_error
        return all(self._has_more_than(most, word) for word in find_words(wish.text))

    def correct_wish(self, wish: QueryWish) -> QueryWish:
        if wish.field not in ("", "title") or wish.kind not in ("word", "phrase"):
            return wish
        if _has_a_name(wish):
            return wish
        corrected = self._correct_text(wish.text)
        return wish if corrected == wish.text else replace(wish, text=corrected)

    def _correct_text(self, text: str) -> str:
        """Return a text with its words corrected; the text between them is kept."""
        made, at = [], 0
        for word, start, end in locate_words(text):
            made += [text[at:start], self._correct_word(word)]
            at = end
        return "".join([*made, text[at:]])

    def correct(self, typed: Sequence[str]) -> list[str]:
        joined = self.join([QueryWish(word) for word in typed])
        made = [self.correct_wish(wish).text for wish in joined if isinstance(wish, QueryWish)]
        return " ".join(made).split()

    def join(self, parts: Iterable[Tree]) -> list[Tree]:
        """Return the parts, with neighbouring words joined that only together are a word."""
        made: list[Tree] = []
        for part in parts:
            last = made[-1] if made else None
            if (
                _is_a_word(last)
                and _is_a_word(part)
                and self._is_better_joined(last.text, part.text)
            ):
                made[-1] = QueryWish(f"{last.text}{part.text}")
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
        """Yield pairs of words of the collection that make up this one; the space counts as an
        error."""
        for at in range(SHORTEST_PART, len(word) - SHORTEST_PART + 1):
            frequency = min(self._frequency(word[:at]), self._frequency(word[at:]))
            if frequency:
                yield NearWord(f"{word[:at]} {word[at:]}", frequency, 1)

    def _has_more_than(self, documents: int, word: str) -> bool:
        """Tell whether more than `documents` documents have a word, in this or another form."""
        return any(frequency > documents for frequency in self._frequencies(word))

    def _frequencies(self, word: str) -> Iterator[int]:
        """Yield how many documents have a word: by each of its stems, and as written."""
        for code in self._languages:
            yield from map(self._words.frequency, terms_of_word(word, code))
        yield self._frequency(word)

    def _frequency(self, word: str) -> int:
        return self._words.frequency(normalise_word(word, self._languages[0]), "exact")


def _has_a_name(wish: QueryWish) -> bool:
    """Tell whether a word was meant for a filter (`before:lunch`, `filetype:pdf`) or an address.

    Such a word is not corrected: nobody meant `before:punch`.
    """
    return wish.kind == "word" and _NAMED.search(wish.text) is not None


def _is_a_word(part: Tree | None) -> TypeGuard[QueryWish]:
    return is_plain(part) and not _has_a_name(part)


def _worth(near: NearWord) -> float:
    return math.log(near.frequency) - COST_OF_AN_ERROR * near.distance


def _may_be_wrong(word: str) -> bool:
    is_word = SHORTEST <= len(word) <= LONGEST and not any(map(str.isdigit, word))
    return is_word and not is_continuous(word)


def _rewrite(tree: Tree, change: Callable[[QueryWish], QueryWish]) -> Tree:
    """Return the tree with every wish changed, except excluded ones."""
    match tree:
        case QueryWish():
            return change(tree)
        case Not():
            return tree
        case All() | Either() | Row():
            return replace(tree, parts=tuple(_rewrite(part, change) for part in tree.parts))
