"""Parses one page: decode, extract, judge its links. Pure, for any worker process."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from time import perf_counter
from typing import Any

from telusur.crawl.relevance import Measure
from telusur.crawl.rules.discovery import Discovery, FoundLink
from telusur.crawl.rules.near_duplicates import signature
from telusur.crawl.rules.sitemap_listing import Listing
from telusur.crawl.rules.traps import Sample, take_sample
from telusur.crawl.urls.identity import normalize_url, parse_url
from telusur.crawl.urls.link_record import pack_links
from telusur.extract.content.model import Model
from telusur.extract.document import PageReading, read_page
from telusur.extract.media_types import is_plain
from telusur.extract.page.binary import looks_binary
from telusur.extract.page.content_coding import ContentCodingError, decode_content
from telusur.extract.page.decode import decode_html
from telusur.extract.page.dom import MAX_CHARACTERS, cut_page
from telusur.extract.page.soft404 import is_soft_404
from telusur.extract.site.evidence import PageEvidence
from telusur.extract.style.page_sheets import Sheets, SheetsMissing
from telusur.language.detect import detect_language, is_english
from telusur.language.reading_time import reading_minutes
from telusur.models import Document, Link, Reason, media_type_of, url_id_of
from telusur.pipeline.parsing.hooks import CrawledPage, load_hooks
from telusur.pipeline.parsing.hooks_file import HooksFile
from telusur.pipeline.parsing.jobs import ParseJob
from telusur.pipeline.parsing.messages import send_flat
from telusur.pipeline.parsing.sheet_shelf import SheetShelf
from telusur.pipeline.parsing.site_shelf import SiteShelf
from telusur.pipeline.parsing.sitemap_parser import SitemapParser
from telusur.pipeline.parsing.strategy_looks import Eyes
from telusur.store.archive import Packer

ROBOT_NAME = "telusur"
HARDLY_ANY_TEXT = 200
HUGE_BYTES = 1_000_000
_CLEARLY_ENGLISH = (
    "This text loads what tells the languages of most pages apart. The larger model is loaded when "
    "a page is met whose language is in doubt, since many crawls never need it."
)


@dataclass(slots=True)
class Parsed:
    """The result of parsing: a document and its links, or the reason there is none."""

    document: Document | None = None
    # Links that may be new to the frontier.
    fresh: list[FoundLink] = field(default_factory=list)
    # All links of the page, packed; see crawl/urls/link_record.py.
    links: bytes = b""
    # The url_ids of their targets, 16 bytes each.
    targets: bytes = b""
    # Positions of known links in scope, if the strategy wants them.
    again: "array[int] | None" = None
    # Notes of the strategy's `look`, for its half in the main process.
    sight: Any = None
    # The topic words of the page.
    measure: Measure | None = None
    # The target of `<meta http-equiv=refresh>`.
    redirect: FoundLink | None = None
    digest: bytes = b""
    # The signature for near-duplicates, if requested; see crawl/rules/near_duplicates.py.
    signature: bytes = b""
    # The sample for traps, if requested; see crawl/rules/traps.py.
    sample: Sample | None = None
    canonical_id: bytes | None = None
    size_bytes: int = 0
    truncated: bool = False
    # The text of the page says "not found", whatever its status.
    is_soft_404: bool = False
    # The page is empty without JavaScript; nothing else was examined.
    is_shell: bool = False
    # Style sheets without which the page is not read; nothing else was examined.
    missing_sheets: tuple[str, ...] = ()
    # The crawl stopped before the sheets came; the URL waits for the next run.
    is_interrupted: bool = False
    # Whether the page was rendered, or why not, if that was wanted.
    rendering: str = ""
    # The rendered page.
    rendered: bytes = b""
    # The error of the user's hooks on this page.
    trouble: str = ""
    # The URLs of a sitemap; a sitemap has no document.
    listing: Listing | None = None
    # What the page tells about its site, if that is learned and the page would teach anything.
    evidence: PageEvidence | None = None
    # The response as the archive wants it, if it lets parsers pack it.
    packed: object = None
    # Bytes of the resources that the browser loaded for the page.
    part_bytes: int = 0
    # Seconds of each operation on the page, by name.
    operations: dict[str, float] = field(default_factory=dict)
    # The version of the scope that judged its links.
    scope_number: int = 0
    skip_reason: str = ""


send_flat(Document)
send_flat(Parsed)


@dataclass(slots=True, frozen=True)
class PageParser:
    """Turns pages into documents under one crawl's settings."""

    discovery: Discovery
    content: str
    max_bytes: int
    wants_signature: bool = True
    # The model that finds the main content; None for the shipped one.
    model: Model | None = None
    # The user's hooks.
    hooks: HooksFile | None = None
    # The half of the strategy that runs in the parsers.
    eyes: Eyes = field(default_factory=Eyes)
    # Whether linked style sheets count.
    wants_sheets: bool = False
    shelf: SheetShelf = field(default_factory=SheetShelf)
    # What is known about sites; None to read each page alone.
    sites: SiteShelf | None = None
    # Packs responses for the archive, if it lets parsers do that.
    packer: Packer | None = None

    def warm_up(self) -> None:
        """Load models now, before the first page waits for them."""
        self.eyes.warm_up()
        if self.hooks is not None:
            load_hooks(self.hooks)
        # Loads the model for the main content.
        self._extract(f"<p>{_CLEARLY_ENGLISH}", "")
        is_english("the " * 30)
        detect_language(_CLEARLY_ENGLISH)

    def parse(self, job: ParseJob) -> Parsed:
        """Parse one page, and pack its response for the archive; a huge one is packed later."""
        parsed = self._parse(job)
        is_final = not (parsed.is_shell or parsed.missing_sheets)
        if self.packer is not None and is_final and len(job.body) <= HUGE_BYTES:
            started_at = perf_counter()
            parsed.packed = self.packer(job.page)
            parsed.operations["write"] = perf_counter() - started_at
        return parsed

    def _parse(self, job: ParseJob) -> Parsed:
        """Parse one page: (1) decode, (2) look at the bytes, (3) extract, (4) judge the links.

        Hooks see the page before step 4, and the links after it.
        """
        if job.sitemap:
            return self._parse_sitemap(job)
        started_at = perf_counter()
        try:  # 1
            body, cut = decode_content(job.body, job.header("content-encoding"), self.max_bytes)
        except ContentCodingError as error:
            return Parsed(skip_reason=f"{Reason.BAD_RESPONSE}: {error}")
        number = self.discovery.scope.number
        parsed = Parsed(size_bytes=len(body), truncated=cut or job.truncated, scope_number=number)
        content_type = job.header("content-type")
        if looks_binary(body, content_type):  # 2
            parsed.skip_reason = f"{Reason.CONTENT_TYPE}: binary data"
            return parsed
        html: bytes | str = body
        if len(body) > HUGE_BYTES:
            html, is_cut = cut_huge(body, content_type)
            parsed.truncated |= is_cut
            # Free the body: extraction needs the memory.
            job, body = job._replace(body=b""), b""
        try:
            reading = self._rendered(job) or self._reading(job, html, content_type)  # 3
        except SheetsMissing as missing:
            parsed.missing_sheets = missing.urls
            return parsed
        document = reading.document
        title, text = document.title, document.text
        if job.stops_at_shell and document.needs_browser:
            parsed.is_shell = True
            return parsed
        parsed.document = document
        parsed.truncated |= document.truncated
        apply_headers(document, job.headers)
        page = CrawledPage(document, job.depth, lambda: job.rendered or as_text(html, content_type))
        if self.hooks is not None:
            parsed.trouble = load_hooks(self.hooks).visit(page)
            document = parsed.document = page.document
        parsed.is_soft_404 = is_soft_404(document)
        # Copies of a page are recognised by what it says by itself, or by what hooks made of it.
        if reading.site is not None and (title, text) == (document.title, document.text):
            title, text = reading.title_alone, reading.text_alone
        else:
            title, text = document.title, document.text
        parsed.digest = text_digest(title, text)
        if self.wants_signature:
            parsed.signature = signature(text)
        if job.wants_sample:
            parsed.sample = take_sample(text)
        parsed.evidence = self._evidence_in(reading, job.url)
        extracted_at = perf_counter()
        self._judge_links(parsed, page, job)  # 4
        parsed.operations["extract"] = extracted_at - started_at
        parsed.operations["links"] = perf_counter() - extracted_at
        document.links = []
        document.blocks = []
        document.posts, document.comments = [], []
        return parsed

    def evidence_of(self, job: ParseJob) -> PageEvidence | None:
        """Return what a page tells about its site; nothing else is examined."""
        content_type = job.header("content-type")
        try:
            body, _ = decode_content(job.body, job.header("content-encoding"), self.max_bytes)
        except ContentCodingError:
            return None
        if looks_binary(body, content_type):
            return None
        html = body if len(body) <= HUGE_BYTES else cut_huge(body, content_type)[0]
        # What style sheets hide is hidden on every page alike.
        reading = self._rendered(job) or self._reading(job, html, content_type, with_sheets=False)
        return self._evidence_in(reading, job.url)

    def _parse_sitemap(self, job: ParseJob) -> Parsed:
        parser = SitemapParser(self.discovery, self.hooks, self.eyes)
        kind, coding = job.header("content-type"), job.header("content-encoding")
        read = parser.parse(job.url, job.sitemap, job.body, kind, coding)
        return Parsed(
            listing=read.listing, skip_reason=read.skip_reason, trouble=read.trouble,
            size_bytes=len(job.body), truncated=job.truncated or read.is_cut,
            scope_number=self.discovery.scope.number,
        )  # fmt: skip

    def _evidence_in(self, reading: PageReading, url: str) -> PageEvidence | None:
        if reading.site is None or self.sites is None:
            return None
        evidence = reading.site.evidence
        return evidence if self.sites.record_of(url).wants(evidence.address) else None

    def _rendered(self, job: ParseJob) -> PageReading | None:
        """Return the rendered page as read; one that only redirects has the target."""
        if not job.rendered:
            return None
        reading = self._extract(job.rendered, job.url)
        document = reading.document
        if not document.refresh and len(document.text) < HARDLY_ANY_TEXT:
            document.refresh = job.moved_to or None
        return reading

    def _reading(
        self, job: ParseJob, html: bytes | str, content_type: str, *, with_sheets: bool = True
    ) -> PageReading:
        url = job.url
        if is_plain(media_type_of(content_type)):
            text = as_text(html, content_type)[:MAX_CHARACTERS]
            title = text.strip().split("\n", 1)[0][:200]
            is_cut = len(text) == MAX_CHARACTERS
            language = detect_language(text)
            minutes = reading_minutes(text, language)
            document = Document(
                url, title, text=text, language=language, truncated=is_cut, reading_minutes=minutes
            )
            return PageReading.of_text(document)
        is_styled = self.wants_sheets and with_sheets
        sheets = self.shelf.of_page(url, job.sheets) if is_styled else None
        return self._extract(html, url, content_type, sheets)

    def _extract(
        self, html: bytes | str, url: str, content_type: str = "", sheets: Sheets | None = None
    ) -> PageReading:
        return read_page(
            html,
            url,
            content_type=content_type,
            content=self.content,
            model=self.model,
            sheets=sheets,
            site=self.sites.record_of(url) if self.sites is not None and url else None,
        )

    def _judge_links(self, parsed: Parsed, page: CrawledPage, job: ParseJob) -> None:
        """Record the links of a page, its canonical URL and its redirect."""
        document = page.document
        links = document.links
        if document.canonical or document.refresh:
            links = self._follow_directives(parsed, document, job)
        if document.nofollow:
            self.eyes.look(parsed, document, [], [])
            return
        links = [link for link in links if not link.rel or not _is_nofollow(link.rel)]
        found = self.discovery.found_on(job.url, links, job.depth + 1)
        if found.links:
            parsed.links = pack_links(found.links)
            parsed.targets = b"".join(found.targets)
            parsed.fresh = found.fresh
        if self.hooks is not None:
            parsed.fresh, trouble = load_hooks(self.hooks).judge(found.fresh, page)
            parsed.trouble = parsed.trouble or trouble
        self.eyes.look(parsed, document, found.links, found.again)

    def _follow_directives(self, parsed: Parsed, document: Document, job: ParseJob) -> list[Link]:
        own_key = normalize_url(job.url)
        if document.canonical and document.canonical != job.url:
            canonical = normalize_url(document.canonical)
            if canonical is not None and canonical != own_key:
                parsed.canonical_id = url_id_of(canonical)
        if document.refresh and normalize_url(document.refresh) != own_key:
            parsed.redirect = self.discovery.found_by_address(document.refresh, job.depth)
        if not document.canonical:
            return document.links
        return [*document.links, Link(document.canonical, rel="canonical")]


def _is_nofollow(relations: str) -> bool:
    return "nofollow" in relations.lower().split()


def as_text(html: bytes | str, content_type: str) -> str:
    """Return a page as text."""
    return html if isinstance(html, str) else decode_html(html, content_type)[0]


def cut_huge(body: bytes, content_type: str) -> tuple[str, bool]:
    """Return the part of a huge page that is parsed, and whether it was cut."""
    text = as_text(body, content_type)
    is_text = is_plain(media_type_of(content_type))
    read = text[:MAX_CHARACTERS] if is_text else cut_page(text)
    return read, len(read) < len(text)


def apply_headers(document: Document, headers: Sequence[tuple[str, str]]) -> None:
    """Apply `X-Robots-Tag` and `Link: rel=canonical`; the most restrictive directive wins."""
    for name, value in headers:
        if name.lower() == "x-robots-tag":
            words = _robots_words(value)
            document.noindex |= bool(words & {"noindex", "none"})
            document.nofollow |= bool(words & {"nofollow", "none"})
        elif name.lower() == "link" and "canonical" in value.lower() and not document.canonical:
            document.canonical = _canonical_of(value, document.url)


def _robots_words(value: str) -> set[str]:
    """Return the directives for us: `noindex` and `telusur: noindex`, not `otherbot: ...`."""
    words = set()
    audience = ROBOT_NAME
    for part in value.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in ("unavailable_after", "max-snippet"):
            audience = name.strip()
            part = rest  # noqa: PLW2901
        if audience == ROBOT_NAME:
            words.add(part.strip())
    return words


def _canonical_of(value: str, base: str) -> str | None:
    for part in value.split(","):
        address, _, parameters = part.partition(";")
        if 'rel="canonical"' in parameters.lower() or "rel=canonical" in parameters.lower():
            return parse_url(address.strip().strip("<>"), base)
    return None


def text_digest(title: str, text: str) -> bytes:
    """Return the digest that exact duplicates share."""
    both = f"{title}\0{text}"
    return blake2b(both.encode("utf-8", "replace"), digest_size=16).digest()
