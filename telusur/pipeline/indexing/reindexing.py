"""Extracts documents again from archived pages; nothing is fetched."""

import logging
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from telusur.crawl.rules.discovery import Discovery
from telusur.crawl.rules.scope import Scope
from telusur.document_table import DOCUMENT_FIELDS
from telusur.errors import UsageError
from telusur.extract.content.model import Model, load_model
from telusur.extract.site.evidence import address_of
from telusur.models import Reason
from telusur.pipeline.parsing.hooks_file import HooksFile, read_hooks
from telusur.pipeline.parsing.jobs import ParseJob
from telusur.pipeline.parsing.page_parser import PageParser, Parsed
from telusur.pipeline.parsing.reading import MOST_READINGS
from telusur.pipeline.parsing.sheet_shelf import SheetFile
from telusur.pipeline.parsing.site_memory import SiteMemory
from telusur.pipeline.parsing.site_shelf import SiteShelf
from telusur.settings import CrawlSettings
from telusur.store.changes import Changes
from telusur.store.reader import CatalogueReader
from telusur.store.records import BEGINNING, Change, CrawlRecord, Cursor
from telusur.store.session import Session, transaction
from telusur.store.store import Store

_LOG = logging.getLogger(__name__)
BATCH = 100
#: How many pages with errors in the user's hooks are named.
MOST_TROUBLES = 5
_FAILED_VISIT = f"{Reason.HOOKS}: visit()"
# Fields that do not come from the page: its URL, the user's fields, results of the crawl.
_NOT_EXTRACTED = (
    "url",
    *(field.name for field in DOCUMENT_FIELDS if field.is_stored and not field.is_extracted),
)


@dataclass(slots=True, frozen=True)
class OwnFiles:
    """The user's model and hooks for extracting again.

    None extracts as the crawls did; that is refused if they had a file, since a collection must not
    decide which files are read or run. "" goes without a file.
    """

    model: str | None = None
    hooks: str | None = None


class CrawlWay(NamedTuple):
    """How a crawl extracted its pages: content setting, the user's files, and site by site."""

    content: str
    model: str
    hooks: str
    style_sheets: bool = False
    learns_site: bool = True


class CrawlWays:
    """How each crawl of a collection extracted its pages, by start time."""

    def __init__(self, runs: Sequence[CrawlRecord]) -> None:
        runs = sorted(runs, key=lambda run: run.started_at)
        self._starts = [run.started_at for run in runs]
        self.ways = [_way_of(run.settings) for run in runs]

    def of(self, fetched_at: float) -> CrawlWay:
        """Return how the crawl that ran at this time extracted pages."""
        place = bisect_right(self._starts, fetched_at) - 1
        return self.ways[max(place, 0)] if self.ways else _way_of({})


def _way_of(settings: Any) -> CrawlWay:
    known = settings if isinstance(settings, dict) else {}
    content, model, hooks = (str(known.get(name) or "") for name in CrawlWay._fields[:3])
    content = content if content in ("article", "text") else "article"
    is_article = content == "article"
    return CrawlWay(
        content,
        model,
        hooks,
        # Crawls of earlier versions fetched no style sheets ...
        style_sheets=is_article and known.get("style_sheets") is True,
        # ... and did not learn sites, because they could not; that needs no fetching.
        learns_site=is_article and known.get("learn_site") is not False,
    )


class Parsers:
    """The parser for each `CrawlWay`, with the files that the user named."""

    def __init__(self, ways: Iterable[CrawlWay], files: OwnFiles) -> None:
        ways = list(ways)
        had = {name: {getattr(way, name) for way in ways} - {""} for name in ("model", "hooks")}
        for name, used in had.items():
            _check_named(name, getattr(files, name), used)
        self._model: Model | None = load_model(Path(files.model)) if files.model else None
        self._hooks: HooksFile | None = read_hooks(files.hooks) if files.hooks else None
        # A file applies to pages of crawls that had one; to all pages if none had.
        self._is_for_all = {name: not used for name, used in had.items()}
        # What is known about sites, for the parsers of all ways that learn them.
        self.sites = SiteShelf()
        self.parser_for = cache(self._make)

    def _make(self, way: CrawlWay) -> PageParser:
        settings = CrawlSettings(scope="any")
        return PageParser(
            Discovery(Scope([], settings)),
            way.content,
            settings.max_bytes,
            wants_signature=False,
            model=self._model if way.model or self._is_for_all["model"] else None,
            hooks=self._hooks if way.hooks or self._is_for_all["hooks"] else None,
            wants_sheets=way.style_sheets,
            sites=self.sites if way.learns_site else None,
        )


def _check_named(name: str, given: str | None, used: set[str]) -> None:
    """Refuse to extract differently from the crawl, unless the user says so."""
    if given is not None or not used:
        return
    files = ", ".join(sorted(Path(path).name for path in used))
    raise UsageError(
        f"Pages of this collection were crawled with --{name} {files}: name the file again with "
        f"--{name} FILE, or extract without it: --without-{name}."
    )


def extract_again(
    store: Store,
    session: Session,
    report: Callable[[int], None] | None = None,
    files: OwnFiles | None = None,
) -> int:
    """Extract every document again from its archived page; return how many.

    Each page is extracted as the crawl that fetched it did. First all sites are learned again, so
    the result does not depend on when a page was fetched. Whether a page is indexed, and why not,
    does not change. Documents that did not come from a crawl do not change either. After a kill
    some documents are new and some old; each is complete.
    """
    ways = CrawlWays(store.crawls().runs())
    parsers = Parsers(ways.ways, files or OwnFiles())
    count = 0
    with closing(store.reader()) as reader, closing(store.changes()) as changes:
        work = _Renewing(session, reader, parsers)
        end = changes.end()
        for batch in _batches(changes, end):
            with transaction(session):
                for change in batch:
                    work.learn(change, ways.of(change.fetched_at))
                work.learned.save()
        for batch in _batches(changes, end):
            with transaction(session):
                count += sum(work.renew(change, ways.of(change.fetched_at)) for change in batch)
            if report is not None:
                report(count)
    return count


def _batches(changes: Changes, end: Cursor) -> Iterator[list[Change]]:
    cursor = BEGINNING
    while batch := list(changes.after(cursor, BATCH, until=end)):
        yield [change for change, _ in batch]
        _, cursor = batch[-1]


class _Renewing:
    """Writes documents extracted again from archived pages."""

    def __init__(self, session: Session, reader: CatalogueReader, parsers: Parsers) -> None:
        self._catalogue = session.catalogue
        self._reader = reader
        self._parsers = parsers
        self._troubles = 0
        self.learned = SiteMemory(session.catalogue, starts_over=True)

    def learn(self, change: Change, way: CrawlWay) -> None:
        """Add what an archived page tells about its site, if it would teach anything."""
        url, site = change.document.url, change.site
        is_copy = change.not_indexed.startswith(Reason.DUPLICATE)
        if not way.learns_site or is_copy or not self.learned.wants(site, address_of(url)):
            return
        job = self._job_of(change)
        evidence = self._parsers.parser_for(way).evidence_of(job) if job is not None else None
        if evidence is not None:
            self.learned.learn(site, evidence)

    def _job_of(self, change: Change) -> ParseJob | None:
        page = self._reader.page(change.url_id, change.document.url)
        if page is None:
            return None
        depth = self._catalogue.depth_of(change.url_id) or 0
        job = ParseJob.of(page, depth, wants_sample=False)
        rendered = self._reader.rendered(change.url_id)
        if rendered is not None:
            job = job._replace(rendered=rendered.decode("utf-8", "replace"))
        return job

    def renew(self, change: Change, way: CrawlWay) -> bool:
        """Extract and write a document again; return whether the archive has its page."""
        url_id, url = change.url_id, change.document.url
        job = self._job_of(change)
        stored = self._reader.document(url_id)
        if job is None or stored is None:
            return False
        if not self._parsers.sites.has(change.site):
            packed = self._catalogue.site_record(change.site)
            self._parsers.sites.take([(change.site, packed or b"")])
        parser = self._parsers.parser_for(way)
        parsed = self._parse(parser, job)
        if parsed.document is None:
            return False
        has_own_fields = parser.hooks is not None and not parsed.trouble.startswith(_FAILED_VISIT)
        for name in _NOT_EXTRACTED:
            if name != "fields" or not has_own_fields:
                setattr(parsed.document, name, getattr(stored, name))
        self._tell(url, parsed.trouble)
        self._catalogue.renew_document(url_id, parsed.document, parsed.digest)
        if parsed.links:
            self._catalogue.put_links(url_id, parsed.targets, parsed.links)
        return True

    def _parse(self, parser: PageParser, job: ParseJob) -> Parsed:
        """Parse a page with the style sheets that the crawl had."""
        parsed = parser.parse(job)
        for _ in range(MOST_READINGS):
            if not parsed.missing_sheets:
                break
            found = dict(job.sheets)
            for url in parsed.missing_sheets:
                stored = self._reader.style_sheet(url)
                found[url] = SheetFile.of(stored.page) if stored is not None else None
            job = job._replace(sheets=found)
            parsed = parser.parse(job)
        return parsed

    def _tell(self, url: str, trouble: str) -> None:
        self._troubles += bool(trouble)
        if trouble and self._troubles <= MOST_TROUBLES:
            _LOG.warning("%s: %s", ascii(url)[1:-1], trouble)
