"""Finds the words of a query in any text, for marking them in a stored copy."""

from collections.abc import Iterable

from telusur.index.contract import View
from telusur.language.token_table import pack_tokens, unpack_tokens
from telusur.search.engine import languages_of
from telusur.search.query.lexicon import NO_LEXICON, Lexicon
from telusur.search.query.reader import read_query
from telusur.search.show.marks import find_marks
from telusur.search.show.shown import words_to_show

Ranges = tuple[tuple[int, int], ...]


def find_words(
    query: str, text: str, language: str, view: View, lexicon: Lexicon = NO_LEXICON
) -> Ranges:
    """Return the ranges of a text that match a query, in order and without overlaps."""
    read = read_query(query, languages_of(view), lexicon)
    words = words_to_show(read.query, read.languages, lexicon, view)
    tokens = unpack_tokens(pack_tokens(text, language))
    return _joined((mark.start, mark.end) for mark in find_marks(text, tokens, words, language))


def _joined(spans: Iterable[tuple[int, int]]) -> Ranges:
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)
