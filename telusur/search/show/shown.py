"""The words of a query to mark in a text, and the weight of each."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from telusur.index.query import Fuzzy, Node, Prefix, Query, Words
from telusur.language.analysis import terms
from telusur.language.token_table import hash_term
from telusur.search.query.lexicon import Lexicon
from telusur.search.query.near_words import near_words
from telusur.search.show.marks import SoughtWord
from telusur.search.word_list import WordList

MOST_WORDS = 40
# The most words that a prefix or a fuzzy word is marked as; the index uses as many for a prefix.
MOST_FORMS = 50
_SMALL_WEIGHT = 0.05


def words_to_show(
    query: Query,
    languages: tuple[str, ...],
    lexicon: Lexicon,
    words: WordList | None = None,
) -> tuple[SoughtWord, ...]:
    """Return the words and phrases to mark. Rare ones weigh more; stop words next to nothing.

    `words` are those of the collection; without them all weigh the same, and prefixes match
    nothing.
    """
    shown = _Shown(languages, lexicon, words)
    nodes = dict.fromkeys(_nodes_of(query))
    found = {word: None for node in nodes for word in shown.words_of(node)}
    content = [word for word in found if word.weight > _SMALL_WEIGHT]
    return tuple(content or found)[:MOST_WORDS]


def _nodes_of(query: Query) -> Iterator[Node]:
    """Yield words, phrases, prefixes and fuzzy words, including those of nested queries."""
    for node in (*query.required, *query.wanted, *query.bonus):
        if isinstance(node, Query):
            yield from _nodes_of(node)
        elif isinstance(node, (Words, Prefix, Fuzzy)):
            yield node


class _Shown:
    """Makes sought words of the nodes of a query."""

    def __init__(
        self,
        languages: tuple[str, ...],
        lexicon: Lexicon,
        words: WordList | None,
    ) -> None:
        self._languages = languages
        self._lexicon = lexicon
        self._words = words
        self._documents = words.count() if words is not None else 0

    def words_of(self, node: Node) -> Iterator[SoughtWord]:
        """Yield what to mark for one node; words of the title or the URL are not in the text."""
        if isinstance(node, Prefix):
            yield self._any_of(word for word, _ in self._beginning(node.text))
        elif isinstance(node, Fuzzy):
            yield self._any_of([node.text, *self._near(node)])
        elif isinstance(node, Words) and node.place == "exact":
            yield from self._exact_words(node)
        elif isinstance(node, Words):
            yield self._word(node.variants)

    def _word(self, variants: tuple[tuple[str, ...], ...]) -> SoughtWord:
        return SoughtWord.of(variants, max(map(self._weight, variants)))

    def _exact_words(self, node: Words) -> Iterator[SoughtWord]:
        """Yield a phrase as written, and its words for texts without the phrase."""
        stems = {
            tuple(terms(" ".join(run), code, keep_stop_words=True)): None
            for run in node.variants
            for code in self._languages
        }
        runs = tuple(tuple(map(hash_term, run)) for run in stems if run)
        exact = frozenset(node.variants)
        weight = 2 * max(map(self._weight, stems), default=1.0)
        yield SoughtWord(runs, exact, weight=weight)
        for term in {term: None for run in stems if len(run) > 1 for term in run}:
            yield replace(self._word(((term,),)), part_of=exact)

    def _any_of(self, written: Iterable[str]) -> SoughtWord:
        """Return words that are each matched exactly as written."""
        forms = list(written)
        stems = {
            term: None
            for form in forms
            for code in self._languages
            for term in terms(form, code, keep_stop_words=True)
        }
        return SoughtWord(
            tuple((hash_term(term),) for term in stems), frozenset((form,) for form in forms)
        )

    def _beginning(self, prefix: str) -> list[tuple[str, int]]:
        return self._words.terms(prefix, MOST_FORMS) if self._words is not None else []

    def _near(self, fuzzy: Fuzzy) -> list[str]:
        if self._words is None:
            return []
        found = near_words(fuzzy.text, fuzzy.distance, self._words)
        found.sort(key=lambda near: (near.distance, -near.frequency))
        return [near.text for near in found[:MOST_FORMS]]

    def _weight(self, run: tuple[str, ...]) -> float:
        """Return the weight of a run: that of its rarest word."""
        return max((self._weight_of_term(term) for term in run), default=_SMALL_WEIGHT)

    def _weight_of_term(self, term: str) -> float:
        if any(self._lexicon.is_stop_word(term, code) for code in self._languages):
            return _SMALL_WEIGHT
        if self._words is None or not self._documents:
            return 1.0
        share = (self._words.frequency(term) + 0.5) / (self._documents + 1)
        return 0.2 + math.log1p(1 / share) / 10
