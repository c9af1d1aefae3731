"""Words of the collection that are similar to a typed one."""

from typing import NamedTuple

from telusur.language.edits import edit_distance
from telusur.search.word_list import WordList

# How many of the most frequent words with the same beginning are compared; a rare word is a poor
# correction.
LOOKED_AT = 2_000
# The first letters that are assumed right when the list is read; errors there are tried one by one.
_HEAD = 2
_LATIN = "abcdefghijklmnopqrstuvwxyz"


class NearWord(NamedTuple):
    """A word of the collection, its number of documents, and its distance from the one typed."""

    text: str
    frequency: int
    distance: int


def near_words(word: str, most: int, words: WordList) -> list[NearWord]:
    """Return the words at most `most` edits away, without the word itself."""
    found = {}
    letters = set(word)
    for other, frequency in words.terms(word[:_HEAD], LOOKED_AT):
        # Each edit changes at most one letter of either word; this excludes most words.
        if abs(len(other) - len(word)) <= most and len(letters ^ set(other)) <= 2 * most:
            distance = edit_distance(word, other, most)
            if 0 < distance <= most:
                found[other] = NearWord(other, frequency, distance)
    for other in _with_another_head(word):
        if other not in found and (frequency := words.frequency(other, "exact")):
            found[other] = NearWord(other, frequency, 1)
    return list(found.values())


def _with_another_head(word: str) -> set[str]:
    """Return the words one edit away that begin with other letters."""
    alphabet = _LATIN if word.isascii() else "".join(sorted(set(word) | set(_LATIN)))
    made = set()
    for at in range(_HEAD):
        left, right = word[:at], word[at:]
        made |= {left + right[1:], left + right[1:2] + right[:1] + right[2:]}
        made |= {left + letter + right[1:] for letter in alphabet}
        made |= {left + letter + right for letter in alphabet}
    return {other for other in made if other and other[:_HEAD] != word[:_HEAD]}
