"""What is tried: every parser of foreign bytes, as a function of bytes that raises nothing.

Errors that a parser documents are caught here; anything else is a find.
"""

import os
import random
import re
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pycurl

from telusur.backends.warc.fields import view_record
from telusur.backends.warc.record import read_record
from telusur.backends.warc.rendered import read_rendered
from telusur.backends.warc.scan import scan_records
from telusur.crawl.hosts import politeness
from telusur.crawl.rules.near_duplicates import signature
from telusur.crawl.rules.robots import Robots
from telusur.crawl.rules.traps import take_sample, trap_reason
from telusur.crawl.urls import identity as urls
from telusur.errors import CollectionError, TelusurError
from telusur.extract.document import extract_document
from telusur.extract.facts import dates
from telusur.extract.facts.json_text import parse_json
from telusur.extract.feed.parsing import parse_feed
from telusur.extract.page.binary import looks_binary
from telusur.extract.page.content_coding import ContentCodingError, decode_content
from telusur.extract.page.decode import decode_html
from telusur.extract.page.dom import parse_html
from telusur.extract.page.resolve import resolve_url
from telusur.extract.sitemap import parse_moment, read_sitemap
from telusur.extract.style.colours import parse_paint
from telusur.extract.style.declarations import read_declarations
from telusur.extract.style.selectors import read_selector
from telusur.extract.style.sheet import parse_sheet
from telusur.extract.writing import sanitize_css as harmless_css
from telusur.extract.writing.formats import extract_content
from telusur.extract.writing.offline import offline_page
from telusur.extract.writing.parts import read_parts
from telusur.extract.writing.sanitize import read_sheets, write_harmless
from telusur.fetch.curl.answers import read_answer
from telusur.language.detect import detect_language
from telusur.language.indexed_text import read_text
from telusur.models import Document
from telusur.pipeline.parsing.page_parser import apply_headers
from telusur.search.query.reader import read_query
from tests.fuzz.any_arrays import any_arrays, any_texts
from tests.fuzz.twins import compare_pages, compare_texts

CORPUS = Path(os.environ.get("TELUSUR_FUZZ_CORPUS", Path(__file__).parent / "corpus"))
PAGES = Path(__file__).parents[1] / "extract" / "cases"
URL = "http://coast.example/a/b?c=d"
TYPES = ("", "text/html", "text/html; charset=utf-16", "text/html; charset=gb18030", ";;=\0")
CODINGS = ("gzip", "deflate", "br", "zstd", "gzip, br", "zstd, gzip", "identity", "x")
LANGUAGES = ("en", "", "ja", "tr", "ar", "id", "de")
HEADERS = ("x-robots-tag", "link", "content-type", "retry-after")
# Behind a letter or a digit `url(` is another function, or the unit of a number.
LOADING = re.compile(r"(?<![a-z0-9_-])url\(|@import", re.IGNORECASE | re.ASCII)
PLACE = Path(tempfile.mkdtemp(prefix="telusur-fuzz-files-"))


def warm_up() -> None:
    """Load what is loaded at first use, which takes long with sanitizers."""
    words = "The harbour at night is quiet, and the boats are asleep until the tide comes back. "
    check_document(extract_document(f"<title>Tide</title><h1>Tide</h1><p>{words * 5}", URL))
    detect_language(words * 5)
    for language in LANGUAGES:
        read_text(words, language)


def choice(data: bytes, options: tuple[str, ...]) -> str:
    """Return one of some options by the bytes: the same for the same."""
    return random.Random(data).choice(options)


def text_of(data: bytes) -> str:
    """Return bytes as a text that may have anything but halves of characters."""
    return data.decode("utf-8", "replace")


def check_document(document: Document) -> None:
    """Insist that a document can be stored."""
    values = (document.title, document.text, document.author, document.description)
    others = (document.keywords, document.canonical, document.refresh, document.language)
    for value in (*values, *others, *(part for link in document.links for part in link)):
        if isinstance(value, str):
            assert "\0" not in value
            value.encode("utf-8")


def page(data: bytes) -> None:
    """Extract a page."""
    check_document(extract_document(data, URL, content_type=choice(data, TYPES)))


def formats(data: bytes) -> None:
    """Write a page down in each format, and take it apart."""
    text = text_of(data)
    for name in ("markdown", "html", "xml", "json"):
        extract_content(text, URL, format=name).encode("utf-8")
    read_parts(text, URL)


def stored_page(data: bytes) -> None:
    """Make a page harmless that is to be shown, or saved."""
    text = text_of(data)
    read_sheets(text, URL)
    written = "".join(piece.tag for piece in write_harmless(parse_html(text), URL))
    assert "<script" not in written.lower()
    offline_page(data, URL, lambda url: None)


def encoding(data: bytes) -> None:
    """Find out what bytes are written in."""
    text, _ = decode_html(data, choice(data, TYPES))
    text.encode("utf-8")
    assert "\0" not in text
    looks_binary(data, choice(data, TYPES))


def robots(data: bytes) -> None:
    """Read a robots.txt, and ask it."""
    rules = Robots.parse(data, "http://a.example/robots.txt")
    for agent in ("telusur", "Mozilla/5.0 (compatible; Googlebot/2.1)", ""):
        for url in (URL, "http://a.example/" + text_of(data)[-80:], "/"):
            assert isinstance(rules.allows(url, agent), bool)
            rules.rule_for(url, agent).encode("utf-8")
        delays = rules.crawl_delay(agent), rules.request_rate(agent)
        assert all(delay is None or delay >= 0 for delay in delays)
        rules.visit_time(agent)
    for url in rules.sitemaps:
        url.encode("utf-8")


def sitemap(data: bytes) -> None:
    """Read a sitemap or a feed."""
    with suppress(ContentCodingError):
        read = read_sitemap(
            data, content_type=choice(data, TYPES), content_encoding=choice(data, CODINGS)
        )
        for entry in read.entries if read else ():
            entry.url.encode("utf-8")
    plain = read_sitemap(data)
    assert plain is None or len(plain.entries) <= 50_000


def feed(data: bytes) -> None:
    """Read a feed."""
    read = parse_feed(data, URL)
    assert len(read.entries) <= 2_000
    minutes = read.polling.ttl_minutes
    assert minutes is None or minutes > 0


def coding(data: bytes) -> None:
    """Undo content codings."""
    for name in CODINGS:
        with suppress(ContentCodingError):
            body, _ = decode_content(data, name, 100_000)
            assert len(body) <= 100_000


def url(data: bytes) -> None:
    """Read addresses, alone and relative to another."""
    text = text_of(data)
    base, _, reference = text.partition("\n")
    for found in (urls.parse_url(text), urls.parse_url(reference, base), urls.guess_url(text)):
        if found is None:
            continue
        key = urls.normalize_url(found)
        assert key is None or urls.normalize_url(key) == key, found
        assert key is None or urls.parse_url(found) == found, found  # else it is not fetched
        urls.host_of(found), urls.site_of(found), urls.url_pattern(found), trap_reason(found)
        dates.date_in_url(found)
    resolved = resolve_url("http://a.example/b/c", text)
    assert resolved is None or resolved.isascii()


def sheet(data: bytes) -> None:
    """Read style sheets and styles."""
    text = text_of(data)
    parse_sheet(text)
    read_declarations(text)
    read_selector(text)
    parse_paint(text)
    extract_document(f"<style>{text}</style><p class=a id=b style='{text}'>A line of text.</p>")
    made = harmless_css.harmless_sheet(text) + harmless_css.harmless_style(text)
    assert not LOADING.search(made), LOADING.search(made)


def json_ld(data: bytes) -> None:
    """Read what a page says of itself in JSON."""
    text = text_of(data)
    with suppress(ValueError):
        parse_json(text)
    script = f'<title>T</title><script type="application/ld+json">{text}</script><p>words'
    check_document(extract_document(script, URL))


def date(data: bytes) -> None:
    """Read dates."""
    text = text_of(data)
    dates.parse_date(text)
    dates.find_dates(text, month_first=True)
    parse_moment(text)
    politeness.retry_after(text, 1_700_000_000.0)


def header(data: bytes) -> None:
    """Read the head of an answer, and what its fields say."""
    answer = read_answer([line + b"\r\n" for line in data.split(b"\n")])
    document = Document(URL)
    apply_headers(document, answer.headers)
    check_document(document)
    for name in HEADERS:
        politeness.retry_after(answer.header(name), 1_700_000_000.0)


def warc(data: bytes) -> None:
    """Read records of an archive."""
    file = PLACE / "x.warc.gz"
    file.write_bytes(data)
    for _ in scan_records(file, len(data), lambda _: None):
        pass
    read_rendered(file, 0)
    with suppress(CollectionError):
        view_record(file, 0, len(data))
    with suppress(ValueError, IndexError):  # as WarcArchive catches them
        read_record(data, URL)


def cookies(data: bytes) -> None:
    """Let libcurl read a file of cookies."""
    file = PLACE / "cookies"
    file.write_bytes(data)
    handle = pycurl.Curl()
    handle.setopt(pycurl.COOKIEFILE, str(file))
    with suppress(pycurl.error):  # "a value grew larger than allowed"
        handle.setopt(pycurl.COOKIELIST, "RELOAD")
        handle.getinfo_raw(pycurl.INFO_COOKIELIST)
    handle.close()


def text(data: bytes) -> None:
    """Analyse a text."""
    words = text_of(data)
    detect_language(words)
    signature(words)
    take_sample(words)
    for language in LANGUAGES:
        read_text(words, language)


def query(data: bytes) -> None:
    """Read a query."""
    with suppress(TelusurError):
        read_query(text_of(data)[:2000])


def planted(data: bytes) -> None:
    """Fail in the ways that a find can: for the tests of all this."""
    if data.startswith(b"crash"):
        import ctypes

        ctypes.string_at(0)
    while data.startswith(b"hang"):
        pass
    if data.startswith(b"raise"):
        raise IndexError("planted")


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        *(
            page,
            formats,
            stored_page,
            encoding,
            robots,
            sitemap,
            feed,
            coding,
            url,
            sheet,
            json_ld,
            date,
        ),
        *(header, warc, cookies, text, query, any_arrays, any_texts, compare_pages, compare_texts),
        planted,
    )
}
SEEDS_OF = {
    "formats": "page", "stored_page": "page", "encoding": "page", "compare_pages": "page",
    "any_texts": "page", "any_arrays": "page", "compare_texts": "text",
}  # fmt: skip


def seeds_of(name: str) -> list[bytes]:
    """Return the inputs that a target begins with, and that failed once."""
    folders = [CORPUS / folder for folder in dict.fromkeys((SEEDS_OF.get(name, name), name))]
    files = [path for folder in folders for path in sorted(folder.glob("*"))]
    if SEEDS_OF.get(name, name) == "page":
        files += sorted(PAGES.glob("*.html"))
    return [path.read_bytes() for path in files] or [b""]
