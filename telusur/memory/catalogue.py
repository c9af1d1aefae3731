"""The catalogue in memory: fetches, documents, links, robots files and crawls."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from telusur.document_table import DOCUMENT_FIELDS
from telusur.memory.state import StoredDocument, StoredFetch, Tables, Workspace
from telusur.models import Document, MarkedPage, Page, Reason, State
from telusur.store.records import NO_OPERATIONS, ArchiveKey, CrawlRecord, StoredRobots, Twin


class MemoryCatalogue:
    """Implements `telusur.store.catalogue.Catalogue`."""

    def __init__(self, space: Workspace) -> None:
        self._space = space

    def put_fetch(
        self, url_id: bytes, page: Page, key: ArchiveKey | None, *, size_bytes: int, reason: str,
        is_final: bool, operations: Mapping[str, float] = NO_OPERATIONS,
        crawl_id: int | None = None,
    ) -> None:  # fmt: skip
        """Record one finished fetch."""
        tables = self._space.write()
        tables.fetched += 1
        fetch = StoredFetch(
            tables.fetched, page, key, size_bytes, reason, is_final, dict(operations), crawl_id
        )
        tables.fetches[url_id] = (*tables.fetches.get(url_id, ()), fetch)

    # Documents

    def put_document(
        self, url_id: bytes, document: Document, *, site: str, fetched_at: float, digest: bytes,
        canonical: bytes | None, not_indexed: str,
    ) -> None:  # fmt: skip
        """Store the current document of a URL in place of the earlier one."""
        tables = self._space.write()
        document = _kept(document)
        old = tables.documents.get(url_id)
        if document.topic_score is None:
            judged = Document() if old is None else old.document
            document.topic_score, document.topic = judged.topic_score, judged.topic
        stored = StoredDocument(
            0, url_id, document, site, fetched_at, digest, canonical, not_indexed
        )
        self._put(tables, stored)

    def renew_document(self, url_id: bytes, document: Document, digest: bytes) -> None:
        """Replace a document by a new extraction of the same page."""
        old = self._space.read().documents[url_id]
        self.put_document(
            url_id, document, site=old.site, fetched_at=old.fetched_at, digest=digest,
            canonical=old.canonical, not_indexed=old.not_indexed,
        )  # fmt: skip

    def _put(self, tables: Tables, document: StoredDocument) -> None:
        """Store a document as the newest change."""
        tables.changes += 1
        tables.documents[document.url_id] = replace(document, number=tables.changes)

    def depth_of(self, url_id: bytes) -> int | None:
        """Return the depth of a URL; None if no crawl found it."""
        url = self._space.read().urls.get(url_id)
        return None if url is None else url.depth

    def put_mark(self, url_id: bytes, mark: MarkedPage) -> None:
        """Store that the user marked a page as good or bad."""
        self._space.write().marks[url_id] = mark

    def forget_mark(self, url_id: bytes) -> None:
        """Remove the mark of a page."""
        self._space.write().marks.pop(url_id, None)

    def twin_of(self, url_id: bytes, digest: bytes) -> Twin | None:
        """Return another indexed document with the same title and text."""
        for other in self._space.read().documents.values():
            if other.digest == digest and other.url_id != url_id and not other.not_indexed:
                return Twin(other.url_id, other.document.url, other.canonical)
        return None

    def take_out_of_index(self, url_id: bytes, reason: str) -> None:
        """Take a document out of the index for a reason, which its URL gets too."""
        tables = self._space.write()
        document, url = tables.documents.get(url_id), tables.urls.get(url_id)
        if document is not None:
            self._put(tables, replace(document, not_indexed=reason))
        if url is not None:
            tables.put(replace(url, reason=reason))

    def settle_canonicals(self) -> int:
        """Take documents that name another as their original out of the index."""
        documents = self._space.write().documents
        copies = [
            (copy.url_id, original.document.url)
            for copy in documents.values()
            if not copy.not_indexed
            and copy.canonical is not None
            and (original := documents.get(copy.canonical)) is not None
            and not original.not_indexed
            and original.canonical is None
        ]
        for url_id, original_url in copies:
            self.take_out_of_index(url_id, f"{Reason.CANONICAL}: {original_url}")
        return len(copies)

    # Links, robots files, facts

    def put_links(self, url_id: bytes, targets: bytes, record: bytes) -> None:
        """Store the links of a page: the ids of the targets, and the packed links."""
        self._space.write().links[url_id] = (targets, record)

    def targets_of(self, url_id: bytes) -> list[bytes]:
        """Return the ids of the pages that a page links to."""
        targets, _ = self._space.read().links.get(url_id, (b"", b""))
        return [targets[at : at + 16] for at in range(0, len(targets), 16)]

    def put_robots(self, host: str, data: bytes, status: int | None, at: float) -> None:
        """Store the robots.txt of a known host and the status of the response."""
        hosts = self._space.write().hosts
        if host in hosts:
            hosts[host] = replace(hosts[host], robots=StoredRobots(data, status, at))

    def robots_of(self, host: str) -> StoredRobots | None:
        """Return a host's robots.txt, if it was ever requested."""
        known = self._space.read().hosts.get(host)
        return None if known is None else known.robots

    def put_style_sheet(self, url: str, key: ArchiveKey | None) -> None:
        """Store that a style sheet was asked for, and its response."""
        self._space.write().style_sheets[url] = key

    def fact(self, name: str) -> bytes | None:
        """Return a fact about the collection, if it is known."""
        return self._space.read().facts.get(name)

    def put_fact(self, name: str, value: bytes) -> None:
        """Store a fact about the collection."""
        self._space.write().facts[name] = value

    def site_record(self, site: str) -> bytes | None:
        """Return what was learned about a site, if anything was."""
        return self._space.read().site_records.get(site)

    def put_site_record(self, site: str, record: bytes) -> None:
        """Store what was learned about a site."""
        self._space.write().site_records[site] = record

    # Crawls

    def begin_crawl(
        self, settings: Mapping[str, Any], start_urls: Sequence[str], *, has_topic: bool
    ) -> int:
        """Record a crawl that starts now; return its id."""
        tables = self._space.write()
        crawl = CrawlRecord(
            self._space.clock(), None, "running", tuple(start_urls), deepcopy(dict(settings))
        )
        tables.crawls = (*tables.crawls, crawl)
        return len(tables.crawls)

    def put_limits(self, limits: Mapping[str, Any]) -> None:
        """Change settings of the crawl that was started last."""
        tables = self._space.write()
        *others, last = tables.crawls
        tables.crawls = (*others, replace(last, settings=last.settings | deepcopy(dict(limits))))

    def end_crawl(self, crawl_id: int, outcome: str) -> None:
        """Record how a crawl ended."""
        tables, ended_at = self._space.write(), self._space.clock()
        crawls = list(tables.crawls)
        crawls[crawl_id - 1] = replace(crawls[crawl_id - 1], ended_at=ended_at, outcome=outcome)
        tables.crawls = tuple(crawls)

    def last_crawl(self) -> CrawlRecord | None:
        """Return the crawl that was started last."""
        crawls = self._space.read().crawls
        return deepcopy(crawls[-1]) if crawls else None

    def answered_urls(self) -> Iterator[str]:
        """Walk over the URLs of pages that were answered and will not be retried."""
        tables = self._space.read()
        for url in list(tables.urls.values()):
            has_ended = url.state in (State.DONE, State.FAILED, State.SKIPPED)
            if has_ended and url.url_id not in tables.sitemaps:
                fetches = tables.fetches.get(url.url_id, ())
                if any(fetch.page.status is not None for fetch in fetches):
                    yield url.url


def _kept(document: Document) -> Document:
    """Return a copy of a document without what is not stored: links and blocks."""
    names = [field.name for field in DOCUMENT_FIELDS if field.is_stored]
    return Document(**{name: deepcopy(getattr(document, name)) for name in names})
