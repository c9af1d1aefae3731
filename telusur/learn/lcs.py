"""The longest common subsequence of words: how much two texts share, in order."""

from collections.abc import Sequence

from telusur.language.words import find_words


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return find_words(text.casefold())


def lcs_length(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest sequence of words that both have in this order.

    Bit-parallel (Hyyrö, 2004): a row of the usual table is one large number, so that a paragraph
    against a description costs a few additions a word.

    >>> lcs_length("the cat sat on the mat".split(), "a cat on a mat".split())
    3
    """
    places: dict[str, int] = {}
    for position, word in enumerate(one):
        places[word] = places.get(word, 0) | (1 << position)
    row = all_ones = (1 << len(one)) - 1
    for word in other:
        if shared := row & places.get(word, 0):
            row = ((row + shared) | (row - shared)) & all_ones
    return len(one) - row.bit_count()


def share_in(words: Sequence[str], text: Sequence[str]) -> float:
    """Return the share of `words` that are in `text` in the same order, 0 to 1."""
    return lcs_length(words, text) / len(words) if words else 0.0


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Return 1 for the same words in the same order, 0 for nothing in common."""
    return lcs_length(one, other) / max(len(one), len(other)) if one and other else 0.0
