"""From what was typed to what the index is asked: every word in each language of the collection."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from telusur.index.query import Match, Node, Query, Words
from telusur.language.analysis import is_stop_word, terms
from telusur.language.words import find_words
from telusur.search.syntax import Wish, parse_wishes

# Documents with all words come before those with some; a query of more words is prose, where
# a missing word tells nothing. Measured in bench/relevance.py.
TOGETHER_UP_TO = 8


def parse_query(text: str, languages: Iterable[str] = ("",)) -> Query:
    """Return the query for what was typed; any string gives one, an empty one if it has no words.

    `languages` are those of the documents: a word is looked for in the form each of them gives it.
    `lang:` narrows them.
    """
    wishes = parse_wishes(text)
    filters = [wish for wish in wishes if wish.field in ("site", "lang") and not wish.is_excluded]
    spoken = _languages_of(filters) or tuple(dict.fromkeys(languages)) or ("",)
    return _QueryBuilder(spoken).build(wishes)


def _languages_of(filters: list[Wish]) -> tuple[str, ...]:
    chosen = [
        choice.text.lower()
        for wish in filters
        for choice in (wish, *wish.alternatives)
        if choice.field == "lang"
    ]
    return tuple(dict.fromkeys(chosen))


class _QueryBuilder:
    """Gathers the parts of one query."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self._languages = languages
        self._words: Counter[tuple[tuple[str, ...], ...]] = Counter()
        self._ambiguous: Counter[tuple[tuple[str, ...], ...]] = Counter()
        self._stop_words: Counter[tuple[tuple[str, ...], ...]] = Counter()
        self._required: list[Node] = []
        self._excluded: list[Node] = []
        self._matches: dict[str, list[str]] = {}

    def build(self, wishes: tuple[Wish, ...]) -> Query:
        for wish in wishes:
            self._add(wish)
        if not self._words and not self._required:  # only stop words: then they count
            self._words = self._ambiguous + self._stop_words
            self._ambiguous.clear()
        words = tuple(_weighted(self._words))
        matches = (Match(field, tuple(values)) for field, values in self._matches.items())
        return Query(
            wanted=words,
            required=(*self._required, *matches),
            excluded=tuple(self._excluded),
            bonus=(*_weighted(self._ambiguous), *_together(words)),
        )

    def _add(self, wish: Wish) -> None:
        if wish.is_excluded:
            self._excluded += self._nodes_of(wish)
        elif wish.alternatives:
            self._add_either((wish, *wish.alternatives))
        elif wish.field in ("site", "lang"):
            for match in self._nodes_of(wish):
                assert isinstance(match, Match)
                self._matches.setdefault(match.field, []).extend(match.values)
        elif wish.is_phrase or wish.field:
            self._required += self._nodes_of(wish)
        else:
            self._add_words(wish.text)

    def _add_words(self, text: str) -> None:
        for word in find_words(text):
            content = [code for code in self._languages if not is_stop_word(word, code)]
            if len(content) == len(self._languages):
                counted = self._words
            else:  # a stop word of some languages only ("die") helps to rank, and may be missing
                counted = self._ambiguous if content else self._stop_words
            for variants in self._variants_by_term(word, content or self._languages):
                counted[variants] += 1

    def _variants_by_term(
        self, word: str, languages: Sequence[str]
    ) -> Iterator[tuple[tuple[str, ...], ...]]:
        """Yield the forms by language of each term of a word: one term, or pairs of characters."""
        forms = [terms(word, code, keep_stop_words=True) for code in languages]
        for same_place in zip(*forms, strict=False):
            yield tuple((term,) for term in dict.fromkeys(same_place))

    def _add_either(self, wishes: tuple[Wish, ...]) -> None:
        nodes = tuple(node for wish in wishes for node in self._nodes_of(wish))
        if nodes:
            self._required.append(Query(wanted=nodes))

    def _nodes_of(self, wish: Wish) -> list[Node]:
        """Return what one wish alone asks for: a match, or a run of words, or nothing."""
        if wish.field in ("site", "lang"):
            field = "language" if wish.field == "lang" else "site"
            return [Match(field, (wish.text.lower().strip("/"),))]
        runs = (tuple(terms(wish.text, code, keep_stop_words=True)) for code in self._languages)
        variants = tuple(dict.fromkeys(run for run in runs if run))
        place = "title" if wish.field == "title" else "everywhere"
        return [Words(variants, place)] if variants else []


def _weighted(counted: Counter[tuple[tuple[str, ...], ...]]) -> Iterator[Words]:
    """Yield the words; one typed twice weighs twice."""
    for variants, count in counted.items():
        yield Words(variants, weight=float(count))


def _together(words: tuple[Words, ...]) -> tuple[Query, ...]:
    """Return what doubles the score of a document that has all the words of a short query."""
    return (Query(required=words),) if 2 <= len(words) <= TOGETHER_UP_TO else ()
