"""A collection: one directory with all data of a crawled part of the web."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telusur.backends import create_store, open_store
from telusur.closing import Closes
from telusur.crawl.urls.identity import complete_url, former_key_of, host_of, keys_meant, parse_url
from telusur.errors import UsageError
from telusur.index.contract import number_of
from telusur.models import Counts, Document, MarkedPage, State, Story, url_id_of
from telusur.pipeline.control.distant_crawl import Steered
from telusur.pipeline.indexing.index_seconds import find_index_seconds
from telusur.pipeline.indexing.meaning import Meanings
from telusur.pipeline.indexing.standing import LatestStandings
from telusur.pipeline.indexing.vectors import AUTO
from telusur.reports.chosen_pages import TakingOut
from telusur.reports.clusters.clustering import Clustering
from telusur.reports.learned_sites.framing import Framing
from telusur.reports.page_details import Inspecting
from telusur.reports.searching import Searching
from telusur.reports.stored_pages import StoredPages
from telusur.reports.word_lists import WordLists
from telusur.settings import CrawlSettings
from telusur.settings.reading import make_settings
from telusur.store.problems import Verification, Watch
from telusur.store.session import transaction
from telusur.store.store import Store
from telusur.store.views import SiteTally

# The crawler, the indexer and most reports are imported by the methods that use them: a search
# would spend more CPU time on importing them than on searching.
if TYPE_CHECKING:
    from telusur.pipeline.control.ctrl_c import Interrupts, Report
    from telusur.pipeline.crawl import Summary
    from telusur.reports.maps import Maps
    from telusur.reports.root_words import GroupWords, WordWishes

MOST_SITES = 500


def open_collection(address: str | Path, *, create: bool = True) -> "Collection":
    """Open the collection at an address; with `create`, make it in a new or empty directory."""
    if create:
        create_store(address)
    return Collection(open_store(address))


def verify_collection(address: str | Path, watch: Watch | None = None) -> Verification:
    """Check a collection that may be too damaged to open."""
    return open_store(address).verify(watch or _watch_nothing)


def _watch_nothing(step: str, done: int, total: int) -> None:
    """Ignore how far a verification is."""


class Collection(
    Searching, StoredPages, Inspecting, Clustering, Framing, TakingOut, Steered, Closes
):
    """Crawl into it, add to it, search it; close it, or use it in a `with` block."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._reader = store.reader()
        self._crawls = store.crawls()
        self._index = store.index(read_only=True)
        self._standings = LatestStandings(store.blobs)
        self._words = WordLists(store.blobs)
        self._meanings = Meanings(store)

    def close(self) -> None:
        """Close everything."""
        self._index.close()
        self._store.close()

    @property
    def address(self) -> str:
        """Return the address of the collection."""
        return self._store.address

    @property
    def directory(self) -> Path:
        """Return the directory, if the collection is stored in one."""
        return Path(self.address)

    @property
    def name(self) -> str:
        """Return the name of the collection."""
        return self._store.name

    @cached_property
    def maps(self) -> "Maps":
        """Return the link graph: maps, sites, and the outline of how pages were found."""
        from telusur.reports.maps import Maps

        return Maps(self._store.graph(self._standings.read), self.answer)

    # Writing

    def crawl(self, urls: Sequence[str], **settings: Any) -> "Summary":
        """Crawl from these URLs; settings have the names of the command-line flags."""
        checked = make_settings(CrawlSettings, ("{name}", settings))
        return self.run_crawl(urls, checked)

    def run_crawl(
        self,
        urls: Sequence[str],
        settings: CrawlSettings,
        *,
        report: "Report | None" = None,
        report_every: float = 1.0,
        interrupts: "Interrupts | None" = None,
    ) -> "Summary":
        """Crawl with checked settings; without URLs, resume from those of earlier crawls.

        With `interrupts` the first Ctrl-C stops gracefully; the second raises KeyboardInterrupt at
        once.
        """
        import asyncio

        from telusur.pipeline.crawl import CrawlRun
        from telusur.pipeline.plan.examples import with_examples, with_marks
        from telusur.pipeline.plan.left_out import check_secrets
        from telusur.pipeline.plan.plan import make_plan

        plan = make_plan(self.start_urls(urls), settings)
        with self._store.control.own():
            if not plan.start_urls:
                raise UsageError("There is nothing to crawl: name at least one start URL.")
            check_secrets(self._store, plan.start_urls, plan.settings)
            plan = with_marks(with_examples(plan, self.document), self._reader.marks())
            run = CrawlRun(self._store, plan, self.counts())
            if interrupts is None:
                return asyncio.run(run.run(report, report_every))
            return asyncio.run(interrupts.run(run, report, report_every))

    def start_urls(self, urls: Sequence[str] = ()) -> list[str]:
        """Return the start URLs of a crawl; without any, those of all earlier crawls.

        A URL without a scheme is completed as in earlier crawls. The others are not changed, so
        that they are checked as typed.
        """
        known = self._crawls.start_urls()
        return [url if parse_url(url) else complete_url(url, known) or url for url in urls] or known

    def mark(self, url: str, is_good: bool | None) -> None:
        """Mark a page as good or bad for the topic, so that crawls learn; None removes the mark.

        The page need not be fetched yet.
        """
        url_id = self._identify(url)
        if url_id is None:
            raise UsageError(f"{url!r} is not a web address.")
        store = self._store
        with (
            store.control.own(),
            store.guard(),
            closing(store.session()) as session,
            transaction(session),
        ):
            if is_good is None:
                session.catalogue.forget_mark(url_id)
            else:
                session.catalogue.put_mark(url_id, MarkedPage(url, is_good, time.time()))

    def marks(self) -> list[MarkedPage]:
        """Return the marked pages, in the order of their marks."""
        return self._reader.list_marks()

    def mark_of(self, url: str) -> bool | None:
        """Return True for a page marked good, False for bad, None for neither."""
        url_id = self._identify(url)
        return self._reader.find_mark(url_id) if url_id is not None else None

    def add(self, documents: Iterable[Document]) -> int:
        """Index documents that did not come from a crawl; return how many."""
        from telusur.pipeline.indexing.on_demand import add_documents

        return add_documents(self._store, documents, time.time())

    def index(self, *, settle: bool = False, vectors: str = AUTO) -> int:
        """Index new documents; return the number of documents read.

        `settle` also computes the static rank and indexes all link texts, so that the index does
        not depend on the order of events. `vectors` for semantic search are updated if there are
        some ("auto"), made ("always") or left alone ("never").
        """
        from telusur.pipeline.indexing.on_demand import index_collection

        return index_collection(self._store, with_settling=settle, vectors=vectors)

    def reindex(
        self,
        report: Callable[[int], None] | None = None,
        *,
        model: str | Path | None = None,
        hooks: str | Path | None = None,
    ) -> int:
        """Extract all pages again from the archive and index them; return how many.

        `model` and `hooks` are files as for `crawl`; they must be named again if crawls had them.
        "" extracts the pages without one.
        """
        from telusur.pipeline.indexing.on_demand import reindex_collection
        from telusur.pipeline.indexing.reindexing import OwnFiles

        named = (None if each is None else str(each) for each in (model, hooks))
        return reindex_collection(self._store, report, OwnFiles(*named))

    # Reading

    def counts(self) -> Counts:
        """Return how many URLs, pages and documents there are."""
        return self._reader.counts()

    def why(self, url: str) -> Story | None:
        """Return the history of a URL, or None if it is unknown."""
        url_id = self._identify(url)
        story = self._reader.story(url_id) if url_id else None
        if url_id is not None and story is not None and story.indexed:
            seconds = find_index_seconds(self._store.blobs, number_of(url_id))
            if seconds is not None:
                story.operations["index"] = seconds
        if story is None or story.state is not State.WAITING:
            return story
        parked = self._reader.why_parked(host_of(story.url))
        return replace(story, reason="; ".join(filter(None, (story.reason, parked))))

    def document(self, url: str) -> Document | None:
        """Return the document stored for a URL, or None."""
        url_id = self._identify(url)
        return self._reader.document(url_id) if url_id else None

    # Counting

    def count_roots(
        self,
        topics: Sequence[str] = (),
        *,
        by_site: bool = False,
        wishes: "WordWishes | None" = None,
    ) -> "list[GroupWords]":
        """Return the most frequent words by root: of topics, of the largest sites, or of all."""
        from telusur.reports.root_words import (
            ALL_WORDS,
            LARGEST_SITES,
            count_roots,
            texts_of_all,
            texts_of_topics,
        )

        wishes = wishes or ALL_WORDS
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
        """Return the sites with their number of documents, largest first."""
        return self._reader.sites(limit)

    def site_order(self) -> tuple[str, ...]:
        """Return all sites with documents, in the order in which they joined."""
        return self._reader.site_order()

    def site_tallies(self) -> tuple[SiteTally, ...]:
        """Return the largest sites with their fetched, waiting, failed and skipped URLs."""
        return self._crawls.tallies(MOST_SITES).sites

    def pages(
        self, fields: Sequence[str] = (), parts: Sequence[str] = ()
    ) -> Iterator[dict[str, Any]]:
        """Iterate over the fetched pages in fetch order, with these fields; all by default.

        `parts` (forms, tables, scripts, links, images, lists, styles) are read from the archive.
        """
        from telusur.reports.export import PageExport

        return PageExport(self._reader.pages, self._read_parts, self.links).walk(fields, parts)

    def urls(self) -> Iterator[dict[str, Any]]:
        """Iterate over all known URLs, in the order they were found."""
        return self._reader.urls()

    def verify(self) -> Verification:
        """Check that archive, catalogue, frontier and index agree."""
        return self._store.verify(_watch_nothing)

    def is_crawling(self) -> bool:
        """Tell whether a process is writing the collection now."""
        return self._store.control.is_owned()

    def _identify(self, url: str) -> bytes | None:
        """Return the url_id of a page; None if the URL is not a web address."""
        keys = keys_meant(url)
        is_plain = len(keys) == 1 and former_key_of(keys[0]) is None
        known = None if is_plain else self._reader.known_id(keys)
        return known or (url_id_of(keys[0]) if keys else None)
