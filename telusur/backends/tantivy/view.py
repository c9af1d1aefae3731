"""The tantivy index as of one commit: rank, show, count, explain."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any

from telusur.backends.tantivy.facets import count_facets
from telusur.backends.tantivy.layout import FIELD_OF_PLACE, make_entry, read_document
from telusur.backends.tantivy.texts import TextSource
from telusur.index.contract import Candidate, Candidates, Entry, Ranking
from telusur.index.fields import STORED_CHARACTERS
from telusur.index.query import Query
from telusur.models import Explanation, FacetCount

_MOST_LANGUAGES = 50
_MOST_FREQUENCIES = 10_000


class TantivyView:
    """A view of one commit; `searcher` is None before the first one."""

    def __init__(
        self,
        schema: Any,
        searcher: Any,
        reading_errors: AbstractContextManager[object],
        texts: TextSource | None = None,
    ) -> None:
        self._schema = schema
        self._searcher = searcher
        self._reading_errors = reading_errors
        self._texts = texts
        self._frequencies: dict[tuple[str, str], int] = {}

    def rank(self, query: Query, limit: int) -> Ranking:
        """Return the `limit` best documents for a query, and the number of all that match."""
        if self._searcher is None or query.is_empty:
            return Ranking(0)
        with self._reading_errors:
            asked = self._make(query)
            result = self._searcher.search(asked, max(limit, 1), count=True)
            hits = result.hits[:limit]
            scores, at = zip(*hits, strict=True) if hits else ((), ())
            numbers, sites = self._column("number", at), self._column("site_number", at)
        return Ranking(int(result.count), Candidates(scores, numbers, sites, at))

    def _column(self, name: str, addresses: Sequence[Any]) -> list[int]:
        return self._searcher.fast_field_values(name, addresses)  # type: ignore[no-any-return]

    def entries(self, candidates: Sequence[Candidate]) -> tuple[Entry, ...]:
        """Return the documents of candidates of this view, in their order.

        A text that is kept elsewhere is the current one.
        """
        with self._reading_errors:
            stored = [read_document(self._searcher.doc(each.address)) for each in candidates]
        missing = [each.url_id for each in stored if each.text is None]
        texts = self._texts.read(missing) if self._texts is not None and missing else {}
        return tuple(
            make_entry(
                document,
                candidate.score,
                texts.get(document.url_id, "")[:STORED_CHARACTERS]
                if document.text is None
                else document.text,
            )
            for document, candidate in zip(stored, candidates, strict=True)
        )

    def facets(self, query: Query, names: Iterable[str]) -> Mapping[str, tuple[FacetCount, ...]]:
        """Count the matches by facets of `FIELD_FACETS`, the most frequent value first."""
        wanted = tuple(names)
        if self._searcher is None or query.is_empty or not wanted:
            return dict.fromkeys(wanted, ())
        with self._reading_errors:
            return count_facets(self._searcher, self._make(query), wanted)

    def explain(self, query: Query, candidate: Candidate) -> Explanation | None:
        """Return how the score of a candidate of this view was calculated; None if it has none."""
        asked = self._make(query)
        try:
            tree = asked.explain(self._searcher, candidate.address)
        # The document does not match.
        except ValueError:
            return None
        return _explanation(json.loads(tree.to_json()))

    @cached_property
    def _languages(self) -> dict[str, int]:
        if self._searcher is None:
            return {}
        import tantivy

        wish = {"languages": {"terms": {"field": "language", "size": _MOST_LANGUAGES}}}
        with self._reading_errors:
            found = self._searcher.aggregate(tantivy.Query.all_query(), wish)
        buckets = found["languages"]["buckets"]
        counts = ((str(bucket["key"]), int(bucket["doc_count"])) for bucket in buckets)
        return dict(sorted(counts, key=lambda each: (-each[1], each[0])))

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language, the most first; "" is unknown."""
        return self._languages

    def count(self) -> int:
        """Return the number of documents."""
        return 0 if self._searcher is None else int(self._searcher.num_docs)

    def frequency(self, term: str, place: str = "everywhere") -> int:
        """Return how many documents have a term in a place."""
        known = self._frequencies.get((term, place))
        return self._look_up(term, place) if known is None else known

    def _look_up(self, term: str, place: str) -> int:
        if self._searcher is None:
            return 0
        with self._reading_errors:
            found = int(self._searcher.doc_freq(FIELD_OF_PLACE[place], term))
        if len(self._frequencies) >= _MOST_FREQUENCIES:
            self._frequencies.clear()
        self._frequencies[term, place] = found
        return found

    def terms(self, prefix: str, limit: int, place: str = "exact") -> list[tuple[str, int]]:
        """Return terms with this prefix and their numbers of documents, the largest first."""
        if self._searcher is None:
            return []
        with self._reading_errors:
            found = self._searcher.terms_with_prefix(FIELD_OF_PLACE[place], prefix, limit=limit)
        return [(str(term), int(count)) for term, count in found]

    def _make(self, query: Query) -> Any:
        from telusur.backends.tantivy.query import make_tantivy_query

        return make_tantivy_query(self._schema, self._searcher, query, self.frequency)


_SUM = re.compile(r"BooleanClause\. sum of \.\.\.|DisjunctionMax.*? of \.\.\.")
_TERM = re.compile(r'Term=Term\(field=\d+, type=Str, (".*")\)')


def _plain(words: str) -> str:
    """Return a description of tantivy without the names of its classes."""
    words = _SUM.sub("sum of", words).replace("TermQuery, product of...", "word, product of")
    words = _TERM.sub(r"\1", words).replace("Phrase Scorer", "words near each other or a phrase")
    return words.removesuffix("...").rstrip()


def _explanation(node: dict[str, Any]) -> Explanation:
    """Return a node of tantivy's explanation as ours; `context` names the term or query."""
    context = " ".join(_plain(words) for words in node.get("context") or ())
    description = f"{_plain(node['description'])} {context}".strip()
    details = tuple(_explanation(child) for child in node.get("details") or ())
    return Explanation(float(node["value"]), description, details)
