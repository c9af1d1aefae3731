"""Bonuses for matching documents: words near each other, in the URL, or exactly as typed.

Words typed side by side belong together. The few words of a URL are also scored separately, because
they would not matter in a long text. A stem stands for words with different meanings, so the typed
form counts a little more than the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise, product
from typing import NamedTuple

from telusur.index.query import Query, Words
from telusur.index.weights import (
    AS_PHRASE_WEIGHT,
    AS_TYPED_WEIGHT,
    IN_URL_WEIGHT,
    NEAR_SLOP,
    NEAR_WEIGHT,
)
from telusur.language.exact import exact_terms_of_word
from telusur.language.words import find_words
from telusur.search.query.lexicon import Lexicon
from telusur.search.query.syntax import Row, is_plain

# Only the first words of a query are used; longer ones are prose.
MOST_WORDS = 30
# A longer query is prose, which no page contains word for word.
LONGEST_PHRASE = 8
_MOST_VARIANTS = 4


class TypedWords(NamedTuple):
    """The plain words of a query as typed, without stop words of any language."""

    content: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    has_stop_words: bool = False

    @classmethod
    def of(cls, tree: Row, languages: tuple[str, ...], lexicon: Lexicon) -> "TypedWords":
        """Take them from a query tree."""
        words = [word for part in tree.parts if is_plain(part) for word in find_words(part.text)]
        content = dict.fromkeys(
            word
            for word in words[:MOST_WORDS]
            if not any(lexicon.is_stop_word(word, code) for code in languages)
        )
        return cls(tuple(content), languages, len(content) < len(words))


NOTHING_TYPED = TypedWords()


def with_bonuses(query: Query, typed: TypedWords = NOTHING_TYPED) -> Query:
    """Return the query with its bonuses; it finds the same documents."""
    words = [node for node in query.wanted if isinstance(node, Words) and _is_single(node)]
    words = words[:MOST_WORDS]
    bonuses = (*_near_pairs(words), *_in_url(words), *_as_typed(typed))
    return replace(query, bonus=(*query.bonus, *bonuses)) if bonuses else query


def _as_typed(typed: TypedWords) -> Iterator[Words]:
    """Yield the bonuses for words exactly as typed, and for all of them as a phrase.

    Phrases with stop words are left out: reading their positions takes longer than everything else.
    """
    for word in typed.content[:MOST_WORDS]:
        forms = _forms_of((word,), typed.languages)
        if forms and all(len(form) == 1 for form in forms):  # pairs of characters have no stem
            yield Words(forms, "exact", AS_TYPED_WEIGHT)
    if 2 <= len(typed.content) <= LONGEST_PHRASE and not typed.has_stop_words:
        yield Words(_forms_of(typed.content, typed.languages), "exact", AS_PHRASE_WEIGHT)


def _forms_of(words: Sequence[str], languages: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return a row of words in the forms of each language."""
    rows = ([exact_terms_of_word(word, code) for word in words] for code in languages)
    forms = dict.fromkeys(tuple(chain.from_iterable(row)) for row in rows)
    return tuple([form for form in forms if form])


def _near_pairs(words: list[Words]) -> Iterator[Words]:
    for first, second in pairwise(words):
        pairs = [(*one, *other) for one, other in product(first.variants, second.variants)]
        yield Words(tuple(pairs[:_MOST_VARIANTS]), weight=NEAR_WEIGHT, slop=NEAR_SLOP)


def _in_url(words: list[Words]) -> Iterator[Words]:
    for word in words:
        yield Words(word.variants, "url", IN_URL_WEIGHT, word.slop)


def _is_single(words: Words) -> bool:
    return words.place == "everywhere" and all(len(run) == 1 for run in words.variants)
