"""One page through the parser: decode, extract, judge its links; pure, for any worker process."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from telusur.crawl.discovery import Discovery, FoundLink
from telusur.crawl.link_record import pack_links
from telusur.crawl.listing import Listing
from telusur.crawl.near_duplicates import signature
from telusur.crawl.relevance import Measure
from telusur.crawl.traps import Sample, take_sample
from telusur.crawl.urls import normalize_url, parse_url
from telusur.extract.content_coding import ContentCodingError, decode_content
from telusur.extract.decode import decode_html
from telusur.extract.document import extract_document
from telusur.extract.dom import MAX_CHARACTERS, cut_page
from telusur.extract.model import Model
from telusur.extract.soft404 import is_soft_404
from telusur.language.detect import detect_language, is_english
from telusur.models import Document, Link, Page, Reason, media_type_of, url_id_of
from telusur.run.eyes import Eyes
from telusur.run.hooks import CrawledPage, load_hooks
from telusur.run.hooks_file import HooksFile
from telusur.run.sitemap_parsing import SitemapParser

HTML_TYPES = ("text/html", "application/xhtml+xml")
WANTED_TYPES = (*HTML_TYPES, "text/plain", "")
ROBOT_NAME = "telusur"
HARDLY_ANY_TEXT = 200
HUGE_BYTES = 1_000_000
_READ_HEADERS = ("content-type", "content-encoding", "x-robots-tag", "link")
_CONTROL_BYTES = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")


class ParseJob(NamedTuple):
    """What a parser needs of a fetched page, and the page's distance from the start."""

    url: str
    depth: int
    headers: Sequence[tuple[str, str]]
    body: bytes
    truncated: bool = False
    wants_sample: bool = True
    """Whether the sample is needed by which traps are recognised."""
    stops_at_shell: bool = False
    """Whether a page that only a browser can fill is to be recognised, and left at that."""
    rendered: str = ""
    """The page as a browser shows it; this is read then, and not the body."""
    moved_to: str = ""
    """Where a script of the page leads its reader."""
    sitemap: int = 0
    """If this is read as a sitemap, how many sitemaps led to it, itself included."""

    @classmethod
    def of(cls, page: Page, depth: int, *, wants_sample: bool = True) -> "ParseJob":
        """Make the job of a page, without the headers that no parser reads."""
        headers = [field for field in page.headers if field[0].lower() in _READ_HEADERS]
        return cls(page.url, depth, headers, page.body, page.truncated, wants_sample)

    def header(self, name: str) -> str:
        """Return the first value of a header, its name in lower case; empty if there is none."""
        return next((value for key, value in self.headers if key.lower() == name), "")


@dataclass(slots=True)
class Parsed:
    """What the parser found: a document and its links, or the reason there is none."""

    document: Document | None = None
    fresh: list[FoundLink] = field(default_factory=list)
    """The links that the frontier may not know yet."""
    links: bytes = b""
    """All links of the page, packed: see crawl/link_record.py."""
    targets: bytes = b""
    """The identities of their targets, 16 bytes each."""
    again: "array[int] | None" = None
    """Which of them are known and may be followed, by place, if the strategy wants to know."""
    sight: Any = None
    """What the strategy saw, for its other half."""
    measure: Measure | None = None
    """What the page has of the topic."""
    redirect: FoundLink | None = None
    """Where the page sends its reader by `<meta http-equiv=refresh>`."""
    digest: bytes = b""
    signature: bytes = b""
    """What near duplicates are recognised by, where wanted: see crawl/near_duplicates.py."""
    sample: Sample | None = None
    """What traps are recognised by, where it was asked for: see crawl/traps.py."""
    canonical_id: bytes | None = None
    size_bytes: int = 0
    truncated: bool = False
    is_soft_404: bool = False
    """The page says that there is none, whatever its status says."""
    is_shell: bool = False
    """Only a browser can fill this page; nothing else was looked at."""
    rendering: str = ""
    """That the page was rendered, or why it was not, where that was wanted."""
    rendered: bytes = b""
    """The page as the browser showed it."""
    trouble: str = ""
    """What the user's own code did wrong on this page."""
    listing: Listing | None = None
    """What it names, if it is a sitemap; there is no document then."""
    part_bytes: int = 0
    """What the page needed besides itself."""
    scope_number: int = 0
    """Of the scope that its links were judged by."""
    skip_reason: str = ""


@dataclass(slots=True, frozen=True)
class PageParser:
    """Turns pages into documents under one crawl's settings."""

    discovery: Discovery
    content: str
    max_bytes: int
    wants_signature: bool = True
    model: Model | None = None
    """What finds the content; None for the model that comes with Telusur."""
    hooks: HooksFile | None = None
    """The user's own code."""
    eyes: Eyes = field(default_factory=Eyes)
    """What of the strategy and the topic runs here."""

    def warm_up(self) -> None:
        """Load what is loaded at first use: before the first page waits, or needs memory too."""
        self.eyes.warm_up()
        if self.hooks is not None:
            load_hooks(self.hooks)
        self._extract("<p>This loads the model that finds the content.", "")
        is_english("the " * 30)
        detect_language("This sentence loads the model that tells languages apart.")

    def parse(self, job: ParseJob) -> Parsed:
        """Parse one page: (1) decode, (2) look at the bytes, (3) extract, (4) judge the links.

        The user's own code, if any, sees the page before, and the links after us.
        """
        if job.sitemap:
            return self._parse_sitemap(job)
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
            job, body = job._replace(body=b""), b""  # what is made of it needs the room
        document = self._rendered(job) or self._document(job.url, html, content_type)  # 3
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
        parsed.digest = text_digest(document)
        if self.wants_signature:
            parsed.signature = signature(document.text)
        if job.wants_sample:
            parsed.sample = take_sample(document.text)
        self._judge_links(parsed, page, job)  # 4
        document.links = []
        document.blocks = []
        return parsed

    def _parse_sitemap(self, job: ParseJob) -> Parsed:
        parser = SitemapParser(self.discovery, self.hooks, self.eyes)
        kind, coding = job.header("content-type"), job.header("content-encoding")
        read = parser.parse(job.url, job.sitemap, job.body, kind, coding)
        return Parsed(
            listing=read.listing, skip_reason=read.skip_reason, trouble=read.trouble,
            size_bytes=len(job.body), truncated=job.truncated or read.is_cut,
            scope_number=self.discovery.scope.number,
        )  # fmt: skip

    def _rendered(self, job: ParseJob) -> Document | None:
        """Return the document that a browser shows; one that only leads elsewhere leads there."""
        if not job.rendered:
            return None
        document = self._extract(job.rendered, job.url)
        if not document.refresh and len(document.text) < HARDLY_ANY_TEXT:
            document.refresh = job.moved_to or None
        return document

    def _document(self, url: str, html: bytes | str, content_type: str) -> Document:
        if media_type_of(content_type) == "text/plain":
            text = as_text(html, content_type)[:MAX_CHARACTERS]
            title = text.strip().split("\n", 1)[0][:200]
            is_cut = len(text) == MAX_CHARACTERS
            language = detect_language(text)
            return Document(url, title, text=text, language=language, truncated=is_cut)
        return self._extract(html, url, content_type)

    def _extract(self, html: bytes | str, url: str, content_type: str = "") -> Document:
        return extract_document(
            html, url, content_type=content_type, content=self.content, model=self.model
        )

    def _judge_links(self, parsed: Parsed, page: CrawledPage, job: ParseJob) -> None:
        """Note where a page leads: its links, its original, and where it sends its reader."""
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
    """Return as much of a huge page as is read of it, and whether that is not all."""
    text = as_text(body, content_type)
    is_plain = media_type_of(content_type) == "text/plain"
    read = text[:MAX_CHARACTERS] if is_plain else cut_page(text)
    return read, len(read) < len(text)


def looks_binary(body: bytes, content_type: str) -> bool:
    """Tell bytes that no reader could read: a known signature, or control bytes among the first.

    UTF-16 text has zero bytes too, but says so by its byte order mark or its declared charset.
    """
    head = body[:1024]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or "utf-16" in content_type.lower():
        return False
    if head.startswith(
        (b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b")
    ):
        return True
    return len(head.translate(None, _CONTROL_BYTES)) < len(head) * 0.9


def apply_headers(document: Document, headers: Sequence[tuple[str, str]]) -> None:
    """Let `X-Robots-Tag` and `Link: rel=canonical` speak; the most restrictive word wins."""
    for name, value in headers:
        if name.lower() == "x-robots-tag":
            words = _robots_words(value)
            document.noindex |= bool(words & {"noindex", "none"})
            document.nofollow |= bool(words & {"nofollow", "none"})
        elif name.lower() == "link" and "canonical" in value.lower() and not document.canonical:
            document.canonical = _canonical_of(value, document.url)


def _robots_words(value: str) -> set[str]:
    """Return the directives meant for us: `noindex` and `telusur: noindex`, not `otherbot: ...`."""
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


def text_digest(document: Document) -> bytes:
    """Return the digest that exact duplicates share."""
    text = f"{document.title}\0{document.text}"
    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
