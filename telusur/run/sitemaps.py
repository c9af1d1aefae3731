"""Sitemaps: read those that are in the archive, and write one of what a crawl found."""

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from html import unescape

from telusur.errors import CollectionError
from telusur.extract.content_coding import ContentCodingError, decode_content
from telusur.extract.markup import escape
from telusur.models import Page

MOST_URLS = 50_000
"""That one sitemap may have, as the protocol says."""
MOST_FILES = 50
_LARGEST = 50_000_000
_LOC = re.compile(r"<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]]{1,2083}?)\s*(?:\]\]>)?\s*</loc>")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

PageOf = Callable[[str], Page | None]


def read_sitemap(url: str, page_of: PageOf) -> list[str] | None:
    """Return the URLs of a sitemap and of those it names; None when it is not in the archive."""
    waiting, found, is_stored = [url], [], False
    for _ in range(MOST_FILES):
        if not waiting:
            break
        text = _text_of(waiting.pop(), page_of)
        if text is None:
            continue
        is_stored = True
        locations = [unescape(each) for each in _LOC.findall(text)]
        if "<sitemapindex" in text[:2000]:
            waiting += locations
        else:
            found += locations
    return found if is_stored else None


def _text_of(url: str, page_of: PageOf) -> str | None:
    try:
        page = page_of(url)
        if page is None or page.status != 200:
            return None
        body, _ = decode_content(page.body, page.header("content-encoding"), _LARGEST)
        if body[:2] == b"\x1f\x8b":  # .xml.gz, sent as what it is
            body = zlib.decompressobj(31).decompress(body, _LARGEST)
    except (CollectionError, ContentCodingError, zlib.error):
        return None
    return body.decode("utf-8", "replace")


def write_sitemap(pages: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    """Yield a sitemap of pages: URL, and the day of their date if they have one."""
    yield f'{_DECLARATION}<urlset xmlns="{_SCHEMA}">\n'
    for url, date in pages:
        day = _DAY.match(date or "")
        changed = f"<lastmod>{day[0]}</lastmod>" if day else ""
        yield f"<url><loc>{escape(url)}</loc>{changed}</url>\n"
    yield "</urlset>\n"


def write_sitemap_index(urls: Iterable[str]) -> str:
    """Return a sitemap that names others."""
    rows = "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>\n" for url in urls)
    return f'{_DECLARATION}<sitemapindex xmlns="{_SCHEMA}">\n{rows}</sitemapindex>\n'
