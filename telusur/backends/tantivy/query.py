"""Translates our queries to tantivy."""

from collections.abc import Callable
from typing import Any

from tantivy import FieldType, Occur, Schema
from tantivy import Query as TantivyQuery

from telusur.backends.tantivy.layout import FIELD_OF_PLACE
from telusur.document_table import VALUE_FACETS
from telusur.index.query import Fuzzy, Match, Node, Prefix, Query, Range, Words
from telusur.index.weights import (
    FUZZY_SCORE,
    MOST_WORDS_OF_PREFIX,
    even_factors,
    repeated,
)

# A site is found by each of its hosts too.
_FIELD_OF_MATCH = {
    **{name: row.name for name, (row, _) in VALUE_FACETS.items()},
    "site": "hosts",
    "id": "url_id",
}


Frequency = Callable[[str, str], int]


def make_tantivy_query(schema: Schema, searcher: Any, query: Query, frequency: Frequency) -> Any:
    """Return the tantivy query that matches and scores as `query` says.

    `frequency` tells how many documents have a term in a place.
    """
    return _Maker(schema, searcher, frequency).make(query)


class _Maker:
    """Makes one query; the searcher finds the words with a prefix."""

    def __init__(self, schema: Schema, searcher: Any, frequency: Frequency) -> None:
        self._schema = schema
        self._searcher = searcher
        self._frequency = frequency

    def make(self, query: Query) -> Any:
        core = self._core_of(query)
        if not query.bonus:
            return core
        # Parts that find nothing are left out: tantivy would look them up twice in every segment.
        some = [node for node in query.bonus if self._may_match(node)]
        bonus = [(Occur.Should, self._node(node)) for node in some]
        return TantivyQuery.boolean_query([(Occur.Must, core), *bonus])

    def _may_match(self, node: Node) -> bool:
        """Tell whether some document may have all required terms."""
        if isinstance(node, Words):
            place = node.place
            return any(all(self._frequency(t, place) for t in run) for run in node.variants)
        return not isinstance(node, Query) or all(map(self._may_match, node.required))

    def _core_of(self, query: Query) -> Any:
        parts = [(Occur.Must, self._node(node)) for node in query.required]
        if query.wanted:
            parts.append((Occur.Must, _any_of([self._node(node) for node in query.wanted])))
        if not parts:
            parts.append((Occur.Must, TantivyQuery.empty_query()))
        parts += [(Occur.MustNot, self._node(node)) for node in query.excluded]
        return parts[0][1] if len(parts) == 1 else TantivyQuery.boolean_query(parts)

    def _node(self, node: Node) -> Any:
        match node:
            case Query():
                return self.make(node)
            case Match():
                return self._match(node)
            case Range():
                return self._range(node)
            case Prefix():
                return _weighted(self._prefix(node), node.weight)
            case Fuzzy():
                return _weighted(self._fuzzy(node), node.weight)
            case Words():
                return _weighted(self._words(node), node.weight)

    def _match(self, match: Match) -> Any:
        field = _FIELD_OF_MATCH[match.field]
        values = [TantivyQuery.term_query(self._schema, field, value) for value in match.values]
        return TantivyQuery.const_score_query(_any_of(values), 0.0)

    def _range(self, range_: Range) -> Any:
        low, high = range_.low, range_.high
        kind = FieldType.Float
        if range_.field == "day":
            kind = FieldType.Unsigned
            # Day 0 is "unknown".
            low = max(1, int(low or 0))
            high = None if high is None else int(high)
        if low is not None and high is not None and high < low:
            return TantivyQuery.empty_query()
        found = TantivyQuery.range_query(self._schema, range_.field, kind, low, high)
        return TantivyQuery.const_score_query(found, 0.0)

    def _prefix(self, prefix: Prefix) -> Any:
        field = FIELD_OF_PLACE[prefix.place]
        words = self._searcher.terms_with_prefix(field, prefix.text, limit=MOST_WORDS_OF_PREFIX)
        return _best_of([self._run(field, (word,), 0) for word, _ in words])

    def _fuzzy(self, fuzzy: Fuzzy) -> Any:
        field = FIELD_OF_PLACE[fuzzy.place]
        near = TantivyQuery.fuzzy_term_query(self._schema, field, fuzzy.text, fuzzy.distance)
        as_typed = self._run(field, (fuzzy.text,), 0)
        return _best_of([as_typed, TantivyQuery.const_score_query(near, FUZZY_SCORE)])

    def _words(self, words: Words) -> Any:
        field = FIELD_OF_PLACE[words.place]
        runs = [self._run(field, variant, words.slop) for variant in words.variants]
        if len(runs) > 1:
            runs = list(map(_times, runs, self._evened(field, words.variants)))
        return _best_of(runs)

    def _evened(self, field: str, variants: tuple[tuple[str, ...], ...]) -> list[float]:
        """Return the factors of variants that are single words; phrases are left as they are."""
        if any(len(variant) > 1 for variant in variants):
            return [1.0] * len(variants)
        frequencies = [int(self._searcher.doc_freq(field, term)) for (term,) in variants]
        return even_factors(frequencies, int(self._searcher.num_docs))

    def _run(self, field: str, run: tuple[str, ...], slop: int) -> Any:
        if len(run) == 1:
            return TantivyQuery.term_query(self._schema, field, run[0])
        return TantivyQuery.phrase_query(self._schema, field, list(run), slop)


def _any_of(queries: list[Any]) -> Any:
    if len(queries) == 1:
        return queries[0]
    return TantivyQuery.boolean_query([(Occur.Should, query) for query in queries])


def _best_of(queries: list[Any]) -> Any:
    """Return a query that scores as the best of several; without any, it finds nothing."""
    if not queries:
        return TantivyQuery.empty_query()
    return queries[0] if len(queries) == 1 else TantivyQuery.disjunction_max_query(queries)


def _times(query: Any, factor: float) -> Any:
    return query if factor == 1.0 else TantivyQuery.boost_query(query, factor)


def _weighted(query: Any, weight: float) -> Any:
    weight = repeated(weight)
    return query if weight == 1.0 else TantivyQuery.boost_query(query, weight)
