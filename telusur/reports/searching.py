"""Searches a collection by words, by meaning or in columns, with suggestions and word lists."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telusur.errors import UsageError
from telusur.index.contract import Index, IndexItem
from telusur.models import Document, Hit, SearchResults
from telusur.pipeline.indexing.meaning import Meanings
from telusur.pipeline.indexing.standing import LatestStandings
from telusur.pipeline.indexing.vectors import NEVER
from telusur.reports.word_lists import COMMON, SYNONYMS, WordLists, stop_words_file
from telusur.search.columns import ColumnRequest, ColumnResults
from telusur.search.query.lexicon import Lexicon
from telusur.search.request import SearchRequest
from telusur.store.reader import CatalogueReader
from telusur.store.store import Store

# A collection that is only read by URL has this class, too, and searches nothing.
if TYPE_CHECKING:
    from telusur.search.help.completion import Suggestion
    from telusur.search.rank.word_counts import TermInDocument, WordStatistics
    from telusur.search.show.highlight import Ranges


class Searching(ABC):
    """The searches of a collection, and their settings."""

    _store: Store
    _reader: CatalogueReader
    _standings: LatestStandings
    _index: Index
    _words: WordLists
    _meanings: Meanings

    @abstractmethod
    def document(self, url: str) -> Document | None:
        """Return the document stored for a URL, or None."""

    @abstractmethod
    def _identify(self, url: str) -> bytes | None:
        """Return the url_id of a page; None if the URL is not a web address."""

    def search(self, query: str, page: int = 1, limit: int = 10, **wishes: Any) -> SearchResults:
        """Return one page of the matching documents, best first.

        Further options are fields of `telusur.search.request.SearchRequest`: `per_site`, `group`,
        `facets`, `explain`, `model`, `as_of`, `semantic`.
        """
        return self.answer(SearchRequest(query, page, limit, **wishes))

    def answer(self, request: SearchRequest) -> SearchResults:
        """Run a search request."""
        from telusur.search.engine import search
        from telusur.search.show.hits import Sources

        self._renew_old_index()
        store = self._meanings.choose(request.semantic)
        if store is not None:
            store.catch_up(request.read_seconds)
        meaning = store.meaning() if store is not None else None
        reader = self._reader
        sources = Sources(self._standings.read(), reader.copies, meaning, reader.fetched_again)
        as_of = time.time() if request.as_of is None else request.as_of
        results = search(self._index, request, sources=sources, lexicon=self._words.lexicon())
        results = replace(results, as_of=as_of)
        if store is None:
            return results
        return replace(results, semantic=store.name, unread=store.count_unread())

    def search_columns(
        self,
        words: str,
        columns: Sequence[str] = ("title", "description", "text"),
        *,
        regex: bool = False,
        page: int = 1,
        limit: int = 10,
    ) -> ColumnResults:
        """Return one page of the documents with these words, or a pattern, in the columns.

        Words match literally; case is ignored. `telusur.search.columns.COLUMNS` can be searched. A
        pattern may take a second per document. Outside the main thread a separate process searches
        for it, since nothing else could stop it.
        """
        return self.answer_columns(ColumnRequest(words, tuple(columns), regex, page, limit))

    def answer_columns(self, request: ColumnRequest) -> ColumnResults:
        """Run a column search."""
        from telusur.reports.column_search import search_columns

        if request.is_regex and threading.current_thread() is not threading.main_thread():
            from telusur.reports.column_child import search_in_child

            return search_in_child(self._store.address, request)
        return search_columns(lambda: self._reader.columns(request.columns), request)

    def terms(self, word: str, limit: int = 10) -> "list[WordStatistics]":
        """Return the frequency of a word in the documents, by place: TF, DF and IDF."""
        from telusur.search.rank.word_counts import count_words

        self._renew_old_index()
        return count_words(self._index.view(), self._reader.document, word, limit)

    def terms_of(self, url: str, limit: int = 50) -> "list[TermInDocument]":
        """Return the words of a document with TF by place, DF and IDF, highest weight first.

        Link texts are not included.
        """
        from telusur.search.rank.word_counts import count_terms

        return count_terms(self._index.view(), self._item(url), limit)

    def related(self, url: str, limit: int = 10) -> tuple[Hit, ...]:
        """Return the pages most similar to a page, without its copies."""
        from telusur.search.help.related import find_related
        from telusur.search.show.hits import Sources

        sources = Sources(find_copies=self._reader.copies)
        return find_related(self._index.view(), self._item(url), limit, sources)

    def _item(self, url: str) -> IndexItem:
        """Return a document as an item of the index."""
        self._renew_old_index()
        url_id, document = self._identify(url), self.document(url)
        if url_id is None or document is None:
            raise UsageError(f"{url}: the collection does not have this page.")
        return IndexItem(url_id, document.url, document)

    def suggest(self, typed: str, limit: int = 10) -> "tuple[Suggestion, ...]":
        """Return words, phrases and titles that complete the typed text."""
        from telusur.search.engine import languages_of
        from telusur.search.help.completion import suggest

        languages, lexicon = languages_of(self._index), self._words.lexicon()
        return suggest(typed, self._index.view(), languages, limit, lexicon)

    def find_words(self, query: str, text: str, language: str = "") -> "Ranges":
        """Return the ranges of a text that match a query, as snippets mark them."""
        from telusur.search.show.highlight import find_words

        return find_words(query, text, language, self._index.view(), self._words.lexicon())

    def lexicon(self) -> Lexicon:
        """Return the collection's own stop words, common words and synonyms."""
        return self._words.lexicon()

    def count_indexed(self) -> int:
        """Return the number of documents in the index."""
        return self._index.count()

    def put_semantic(self, model: str) -> int:
        """Enable semantic search with a model; "" searches by words only.

        Computes the vectors of all documents now, and returns their number. Later documents get
        theirs when they are indexed or at the next search.
        """
        return self._meanings.put_setting(model)

    def _renew_old_index(self) -> None:
        """Rebuild an index of an older format, unless a crawl does so or we lack permission."""
        if not self._index.is_outdated() or self._store.control.is_owned():
            return
        if self._store.may_write():
            from telusur.pipeline.indexing.on_demand import index_collection

            index_collection(self._store, with_settling=True, vectors=NEVER)

    # Word lists apply from the next search on; nothing is indexed again.

    def put_stop_words(self, language: str, path: Path | None) -> None:
        """Set the stop words of a language; None restores the built-in list."""
        with self._store.guard():
            self._words.put(stop_words_file(language), path)

    def put_common_words(self, path: Path | None) -> None:
        """Set words to ignore in queries of any language; None removes them."""
        with self._store.guard():
            self._words.put(COMMON, path)

    def put_synonyms(self, path: Path | None) -> None:
        """Set the synonyms; None removes them."""
        with self._store.guard():
            self._words.put(SYNONYMS, path)
