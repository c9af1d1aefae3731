"""A collection: one directory with everything about one corner of the web."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from telusur.adapters.lock import OwnerLock, is_owned
from telusur.adapters.sqlite_catalogue import SqliteCatalogue
from telusur.adapters.sqlite_crawls import SqliteCrawls
from telusur.adapters.sqlite_marks import forget_mark, put_mark
from telusur.adapters.sqlite_outline import SqliteWebGraph
from telusur.adapters.sqlite_parked import why_parked
from telusur.adapters.sqlite_reader import SqliteReader
from telusur.adapters.sqlite_schema import DATABASE, connect, create_database, storage_errors
from telusur.adapters.sqlite_tallies import SiteTally, SqliteTallies
from telusur.adapters.tantivy_index import TantivyIndex
from telusur.adapters.timeline_file import Sample, read_timeline
from telusur.adapters.word_files import COMMON, SYNONYMS, WordFiles, stop_words_file
from telusur.closing import Closes
from telusur.crawl.urls import host_of, normalize_url
from telusur.errors import CollectionError, UsageError
from telusur.extract.content_coding import ContentCodingError, decode_content
from telusur.extract.part_records import PageParts
from telusur.extract.parts import read_parts
from telusur.extract.plain import as_page
from telusur.index.contract import IndexItem
from telusur.models import (
    Counts,
    Document,
    Hit,
    Link,
    MarkedPage,
    Page,
    SearchResults,
    State,
    Story,
    url_id_of,
)
from telusur.run.adding import put_documents
from telusur.run.column_child import search_in_child
from telusur.run.column_search import search_columns
from telusur.run.crawl import CrawlRun, Summary, make_plan
from telusur.run.distant_crawl import ask_crawl, stop_crawl
from telusur.run.examples import with_examples, with_marks
from telusur.run.index_position import INDEX
from telusur.run.index_work import index_collection, open_for_indexing, reindex_collection
from telusur.run.indexer import catch_up
from telusur.run.inspecting import Inspecting
from telusur.run.interrupted import Report, run_until_interrupted
from telusur.run.limits import read_limits
from telusur.run.maps import Maps
from telusur.run.meaning import Meanings
from telusur.run.root_words import (
    ALL_WORDS,
    LARGEST_SITES,
    GroupWords,
    WordWishes,
    count_roots,
    texts_of_all,
    texts_of_topics,
)
from telusur.run.standing import StandingFile
from telusur.run.status import Status, idle_status, with_tallies
from telusur.run.taking_out import TakingOut
from telusur.run.vectors import AUTO, NEVER
from telusur.run.verify import Verification, verify_collection
from telusur.search.columns import ColumnRequest, ColumnResults
from telusur.search.completion import Suggestion, suggest
from telusur.search.engine import languages_of, search
from telusur.search.highlight import Ranges, find_words
from telusur.search.hits import Sources
from telusur.search.lexicon import Lexicon
from telusur.search.related import find_related
from telusur.search.request import SearchRequest
from telusur.search.word_counts import TermInDocument, WordStatistics, count_terms, count_words
from telusur.settings import CrawlSettings, make_settings

MOST_SITES = 500


def open_collection(directory: str | Path, *, create: bool = True) -> "Collection":
    """Open the collection in `directory`; a new or empty directory becomes one if `create`."""
    path = Path(directory)
    if create and not (path / DATABASE).exists():
        _make_new(path)
    return Collection(path)


def _make_new(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise CollectionError(f"{path}: this is a file; a collection is a directory.")
    if path.is_dir() and any(entry.name != f".{DATABASE}.new" for entry in path.iterdir()):
        raise CollectionError(
            f"{path}: this directory has other files in it and is not a collection; "
            "name a new or an empty one."
        )
    with storage_errors(path):
        path.mkdir(parents=True, exist_ok=True)
    create_database(path)


class Collection(Inspecting, TakingOut, Closes):
    """Crawl into it, add to it, search it; close it, or use it in a `with` block."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._reader = SqliteReader(directory)
        self._index = TantivyIndex(directory / INDEX, read_only=True)
        self._standings = StandingFile(directory / INDEX)
        self._tallies = SqliteTallies(directory)
        self._site_tallies = SqliteTallies(directory)
        self._words = WordFiles(directory)
        self._meanings = Meanings(directory)
        self._graph = SqliteWebGraph(directory, self._standings.read)
        self.maps = Maps(self._graph, self.answer)
        """The web of the collection: maps, sites, and the outline of how pages were found."""

    def close(self) -> None:
        """Let go of all files."""
        self._reader.close()
        self._graph.close()
        self._index.close()

    @property
    def name(self) -> str:
        """Return the name of the directory."""
        return self.directory.resolve().name

    # Writing

    def crawl(self, urls: Sequence[str], **settings: Any) -> Summary:
        """Crawl from these URLs; settings have the names of the command-line flags."""
        checked = make_settings(CrawlSettings, ("{name}", settings))
        return self.run_crawl(urls, checked)

    def run_crawl(
        self,
        urls: Sequence[str],
        settings: CrawlSettings,
        *,
        report: Report | None = None,
        report_every: float = 1.0,
        on_interrupt: Callable[[], None] | None = None,
    ) -> Summary:
        """Crawl with checked settings; without URLs, go on from those of earlier crawls.

        With `on_interrupt` the first Ctrl-C calls it and stops gracefully; the second raises
        KeyboardInterrupt at once.
        """
        plan = make_plan(urls or SqliteCrawls(self.directory).start_urls(), settings)
        with OwnerLock(self.directory):
            if not plan.start_urls:
                raise UsageError("There is nothing to crawl: name at least one start URL.")
            plan = with_marks(with_examples(plan, self.document), self._reader.marks())
            run = CrawlRun(self.directory, plan, self.counts())
            return asyncio.run(run_until_interrupted(run, report, report_every, on_interrupt))

    def mark(self, url: str, is_good: bool | None) -> None:
        """Call a page good or bad for the topic, so that crawls learn from it; None takes it back.

        The page need not be fetched yet.
        """
        url_id = _identify(url)
        if url_id is None:
            raise UsageError(f"{url!r} is not a web address.")
        with OwnerLock(self.directory):
            if is_good is None:
                forget_mark(self.directory, url_id)
            else:
                put_mark(self.directory, url_id, MarkedPage(url, is_good, time.time()))

    def marks(self) -> list[MarkedPage]:
        """Return the pages that were called good or bad, in the order they were."""
        return self._reader.list_marks()

    def mark_of(self, url: str) -> bool | None:
        """Return whether a page was called good (True) or bad; None if neither."""
        url_id = _identify(url)
        return self._reader.find_mark(url_id) if url_id is not None else None

    def add(self, documents: Iterable[Document]) -> int:
        """Index documents that did not come from a crawl; return how many."""
        now = time.time()
        with open_for_indexing(self.directory) as (connection, index):
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                count = put_documents(SqliteCatalogue(connection), documents, now)
            catch_up(self.directory, connection, index)
        return count

    def index(self, *, settle: bool = False, vectors: str = AUTO) -> int:
        """Index what is not in the index yet; return how many documents were looked at.

        `settle` also works out the static rank and folds all link texts in, so that the index is
        the same however it came about. `vectors` for search by meaning are brought up to date where
        there are some ("auto"), made ("always") or left alone ("never").
        """
        return index_collection(self.directory, with_settling=settle, vectors=vectors)

    def reindex(self, report: Callable[[int], None] | None = None) -> int:
        """Extract all pages again from the archive and index them; return how many."""
        return reindex_collection(self.directory, report)

    def put_semantic(self, model: str) -> int:
        """Have searches go by meaning too, by a model; "" goes back to words only.

        All that is there is read by the model at once; returns how many documents. What comes
        later is read as it is indexed, or when somebody searches.
        """
        return self._meanings.put_setting(model)

    def _renew_old_index(self) -> None:
        """Make an index of an older format anew, unless a crawl is doing that."""
        if self._index.is_outdated() and not is_owned(self.directory):
            self.index(settle=True, vectors=NEVER)

    # Word lists count from the next search on; nothing has to be indexed again.

    def put_stop_words(self, language: str, path: Path | None) -> None:
        """Have words of a language left out of queries; None takes our own list again."""
        self._words.put(stop_words_file(language), path)

    def put_common_words(self, path: Path | None) -> None:
        """Have words left out of queries besides, in any language; None takes them back."""
        self._words.put(COMMON, path)

    def put_synonyms(self, path: Path | None) -> None:
        """Have words found by others that mean the same; None takes them back."""
        self._words.put(SYNONYMS, path)

    # Reading

    def search(self, query: str, page: int = 1, limit: int = 10, **wishes: Any) -> SearchResults:
        """Return one page of the documents that fit the words, best first.

        More may be wished for by the names of `telusur.search.request.SearchRequest`: `per_site`,
        `group`, `facets`, `explain`, `model`, `as_of`, `semantic`.
        """
        return self.answer(SearchRequest(query, page, limit, **wishes))

    def answer(self, request: SearchRequest) -> SearchResults:
        """Return what a search asks for."""
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
        """Return one page of the documents with these words, or a pattern, in one of the columns.

        Words are looked for as they stand, in any case; `telusur.search.columns.COLUMNS` may be
        searched. A pattern may take a second on a document; outside the main thread it is looked
        for by a process of its own, since nothing else could stop it.
        """
        return self.answer_columns(ColumnRequest(words, tuple(columns), regex, page, limit))

    def answer_columns(self, request: ColumnRequest) -> ColumnResults:
        """Return what a search in columns asks for."""
        if request.is_regex and threading.current_thread() is not threading.main_thread():
            return search_in_child(self.directory, request)
        return search_columns(lambda: self._reader.columns(request.columns), request)

    def terms(self, word: str, limit: int = 10) -> list[WordStatistics]:
        """Return how often a word stands in the documents, by place: TF, DF and IDF."""
        self._renew_old_index()
        return count_words(self._index.view(), self._reader.document, word, limit)

    def terms_of(self, url: str, limit: int = 50) -> list[TermInDocument]:
        """Return the words of a document with TF by place, DF and IDF, the most telling first.

        What links say about it is not among them.
        """
        return count_terms(self._index.view(), self._item(url), limit)

    def related(self, url: str, limit: int = 10) -> tuple[Hit, ...]:
        """Return the pages most like a page, by its most telling words; no copies of it."""
        sources = Sources(find_copies=self._reader.copies)
        return find_related(self._index.view(), self._item(url), limit, sources)

    def _item(self, url: str) -> IndexItem:
        """Return a document as the index takes it."""
        self._renew_old_index()
        url_id, document = _identify(url), self.document(url)
        if url_id is None or document is None:
            raise UsageError(f"{url}: the collection does not have this page.")
        return IndexItem(url_id, document.url, document)

    def suggest(self, typed: str, limit: int = 10) -> tuple[Suggestion, ...]:
        """Return words, phrases and titles that may be meant by what was typed so far."""
        languages, lexicon = languages_of(self._index), self._words.lexicon()
        return suggest(typed, self._index.view(), languages, limit, lexicon)

    def find_words(self, query: str, text: str, language: str = "") -> Ranges:
        """Return the ranges of a text that match a query, as snippets mark them."""
        return find_words(query, text, language, self._index.view(), self._words.lexicon())

    def lexicon(self) -> Lexicon:
        """Return the collection's own stop words, common words and synonyms."""
        return self._words.lexicon()

    def count_indexed(self) -> int:
        """Return how many documents can be found by a search."""
        return self._index.count()

    def counts(self) -> Counts:
        """Return how many URLs, pages and documents there are."""
        return self._reader.counts()

    def why(self, url: str) -> Story | None:
        """Return the story of a URL, or None when it was never heard of."""
        url_id = _identify(url)
        story = self._reader.story(url_id) if url_id else None
        if story is None or story.state is not State.WAITING:
            return story
        with closing(connect(self.directory, read_only=True)) as connection:
            parked = why_parked(connection, host_of(story.url), time.time())
        return replace(story, reason="; ".join(filter(None, (story.reason, parked))))

    def document(self, url: str) -> Document | None:
        """Return the document stored for a URL, or None."""
        url_id = _identify(url)
        return self._reader.document(url_id) if url_id else None

    def page(self, url: str) -> Page | None:
        """Return the newest answer for a URL from the archive, or None."""
        url_id = _identify(url)
        return self._reader.page(url_id, url) if url_id else None

    def links(self, url: str) -> list[Link]:
        """Return the links of a page in reading order."""
        url_id = _identify(url)
        return [stored.link for stored in self._reader.links(url_id)] if url_id else []

    def parts(self, url: str) -> PageParts | None:
        """Read forms, tables, scripts, images, lists, styles and metadata from the archive."""
        stored = self.html(url)
        if stored is None:
            return None
        parts = read_parts(stored[0], url, content_type=stored[1])
        document = self.document(url)
        parts.metadata.page_type = document.page_type if document is not None else ""
        return parts

    def html(self, url: str) -> tuple[bytes | str, str] | None:
        """Return a stored page as HTML, plain text included, and its Content-Type; or None.

        What a browser made of it, if one did: that is what was indexed.
        """
        page = self.page(url)
        url_id = _identify(url)
        if page is None or url_id is None:
            return None
        if (rendered := self._reader.rendered(url_id)) is not None:
            return rendered, "text/html; charset=utf-8"
        try:
            coding = page.header("content-encoding")
            body, _ = decode_content(page.body, coding, CrawlSettings().max_bytes)
        except ContentCodingError as error:
            raise CollectionError(f"{url}: the stored page cannot be read: {error}") from None
        content_type = page.header("content-type")
        return as_page(body, content_type), content_type

    # Counting

    def count_roots(
        self, topics: Sequence[str] = (), *, by_site: bool = False, wishes: WordWishes = ALL_WORDS
    ) -> list[GroupWords]:
        """Return the most frequent words by root: of topics, of the largest sites, or of all."""
        if topics and by_site:
            raise UsageError("Count by topic or by site, not both.")
        if topics:
            pages = ((topic, page) for topic in topics for page in self.find_all(topic))
            found = ((topic, self.document(page.url)) for topic, page in pages)
            known = ((topic, document) for topic, document in found if document is not None)
            return count_roots(texts_of_topics(known), wishes)
        sites = [site for site, _ in self.sites(LARGEST_SITES)] if by_site else []
        rows = self._reader.columns(("site", "text"))
        groups = count_roots(texts_of_all(rows, sites), wishes)
        return sorted(groups, key=lambda group: (-group.documents, group.name))

    def sites(self, limit: int = 50) -> list[tuple[str, int]]:
        """Return the sites with their number of documents, the largest first."""
        return self._reader.sites(limit)

    def site_tallies(self) -> tuple[SiteTally, ...]:
        """Return the largest sites with pages fetched, URLs waiting, failed and skipped."""
        return self._site_tallies.read(MOST_SITES).sites

    def pages(self) -> Iterator[dict[str, Any]]:
        """Walk over the fetched pages in fetch order."""
        return self._reader.pages()

    def urls(self) -> Iterator[dict[str, Any]]:
        """Walk over every URL known, in the order they were found."""
        return self._reader.urls()

    def verify(self) -> Verification:
        """Check that archive, catalogue, frontier and index tell the same story."""
        return verify_collection(self.directory)

    def is_crawling(self) -> bool:
        """Tell whether some process is writing the collection now."""
        return is_owned(self.directory)

    # Watching and steering a crawl that another process runs

    def status(self, sites: int = 10) -> Status:
        """Return what the running crawl does; without one, what the collection has."""
        live = ask_crawl(self.directory, "status")
        tallies = self._tallies.read(sites)
        if live is None:
            live = idle_status(self.counts(), tallies, is_busy=is_owned(self.directory))
        return with_tallies(live, tallies)

    def timeline(self, since: float = float("-inf")) -> tuple[Sample, ...]:
        """Return the course of its crawls over time, in samples, oldest first."""
        return read_timeline(self.directory, since)

    def pause(self) -> Status | None:
        """Have the running crawl start no more requests; None when no crawl runs."""
        return ask_crawl(self.directory, "pause")

    def resume(self) -> Status | None:
        """Have the paused crawl go on; None when no crawl runs."""
        return ask_crawl(self.directory, "resume")

    def limit(self, **changes: Any) -> Status | None:
        """Have the running crawl go on under other limits; None when no crawl runs.

        `pages`, `depth`, `seconds`, `total_bytes`, `scope` and `delay` may be changed; None takes
        a limit away.
        """
        return ask_crawl(self.directory, "limits", **read_limits(changes))

    def stop(self, *, wait: bool = True) -> Status | None:
        """Have the running crawl save and stop, and wait for its end; None when none runs."""
        return stop_crawl(self.directory, wait=wait)


def _identify(url: str) -> bytes | None:
    key = normalize_url(url)
    return url_id_of(key) if key else None
