"""Writes sitemaps of crawled pages."""

import re
from collections.abc import Iterable, Iterator

from telusur.extract.writing.escaping import escape

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def write_sitemap(pages: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    """Yield a sitemap of pages: URL, and date if known."""
    yield f'{_DECLARATION}<urlset xmlns="{_SCHEMA}">\n'
    for url, date in pages:
        day = _DAY.match(date or "")
        changed = f"<lastmod>{day[0]}</lastmod>" if day else ""
        yield f"<url><loc>{escape(url)}</loc>{changed}</url>\n"
    yield "</urlset>\n"


def write_sitemap_index(urls: Iterable[str]) -> str:
    """Return a sitemap index."""
    rows = "".join(f"<sitemap><loc>{escape(url)}</loc></sitemap>\n" for url in urls)
    return f'{_DECLARATION}<sitemapindex xmlns="{_SCHEMA}">\n{rows}</sitemapindex>\n'
