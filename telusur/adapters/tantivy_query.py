"""A query of ours in tantivy's words."""

from typing import Any

from tantivy import Occur, Schema
from tantivy import Query as TantivyQuery

from telusur.index.query import Match, Node, Query, Words

_FIELD_OF_PLACE = {"everywhere": "everywhere", "title": "title_terms"}
_FIELD_OF_MATCH = {"site": "hosts", "language": "language"}


def make_tantivy_query(schema: Schema, query: Query) -> Any:
    """Return the tantivy query that matches and scores as `query` says."""
    core = _core_of(schema, query)
    if not query.bonus:
        return core
    bonus = [(Occur.Should, _make(schema, node)) for node in query.bonus]
    return TantivyQuery.boolean_query([(Occur.Must, core), *bonus])


def _core_of(schema: Schema, query: Query) -> Any:
    parts = [(Occur.Must, _make(schema, node)) for node in query.required]
    if query.wanted:
        parts.append((Occur.Must, _any_of([_make(schema, node) for node in query.wanted])))
    if not parts:
        parts.append((Occur.Must, TantivyQuery.empty_query()))
    parts += [(Occur.MustNot, _make(schema, node)) for node in query.excluded]
    return parts[0][1] if len(parts) == 1 else TantivyQuery.boolean_query(parts)


def _any_of(queries: list[Any]) -> Any:
    if len(queries) == 1:
        return queries[0]
    return TantivyQuery.boolean_query([(Occur.Should, query) for query in queries])


def _make(schema: Schema, node: Node) -> Any:
    if isinstance(node, Query):
        return make_tantivy_query(schema, node)
    if isinstance(node, Match):
        return _match_query(schema, node)
    return _words_query(schema, node)


def _match_query(schema: Schema, match: Match) -> Any:
    field = _FIELD_OF_MATCH[match.field]
    values = [TantivyQuery.term_query(schema, field, value) for value in match.values]
    return TantivyQuery.const_score_query(_any_of(values), 0.0)


def _words_query(schema: Schema, words: Words) -> Any:
    field = _FIELD_OF_PLACE[words.place]
    variants = [_run_query(schema, field, variant) for variant in words.variants]
    best = variants[0] if len(variants) == 1 else TantivyQuery.disjunction_max_query(variants)
    return best if words.weight == 1.0 else TantivyQuery.boost_query(best, words.weight)


def _run_query(schema: Schema, field: str, run: tuple[str, ...]) -> Any:
    if len(run) == 1:
        return TantivyQuery.term_query(schema, field, run[0])
    return TantivyQuery.phrase_query(schema, field, list(run))
