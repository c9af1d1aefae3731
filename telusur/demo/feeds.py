"""Feeds and sitemaps of the demo web, made from the truth of the pages they list."""

import gzip
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape

from telusur.demo.records import Truth

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SITEMAP_SCHEMA = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(pages: Iterable[Truth]) -> str:
    """Return a sitemap with the day of the last change of each page that has a date."""
    rows = "\n".join(_sitemap_row("url", page.url, page.date) for page in pages)
    return f'{_DECLARATION}<urlset xmlns="{_SITEMAP_SCHEMA}">\n{rows}\n</urlset>\n'


def sitemap_index(urls: Iterable[tuple[str, str | None]]) -> str:
    """Return a sitemap of sitemaps, from their URLs and last changes."""
    rows = "\n".join(_sitemap_row("sitemap", url, date) for url, date in urls)
    return f'{_DECLARATION}<sitemapindex xmlns="{_SITEMAP_SCHEMA}">\n{rows}\n</sitemapindex>\n'


def compressed(xml: str) -> bytes:
    """Return a sitemap as `.xml.gz`, the same bytes every time."""
    return gzip.compress(xml.encode(), mtime=0)


def rss(title: str, home: str, pages: Iterable[Truth]) -> str:
    """Return an RSS 2.0 feed."""
    items = "\n".join(
        f"<item><title>{escape(page.title)}</title><link>{escape(page.url)}</link>"
        f'<guid isPermaLink="true">{escape(page.url)}</guid>'
        f"<pubDate>{format_datetime(_moment(page), usegmt=True)}</pubDate>"
        f"<description>{escape(_summary(page))}</description></item>"
        for page in pages
    )
    return (
        f'{_DECLARATION}<rss version="2.0"><channel>\n<title>{escape(title)}</title>'
        f"<link>{escape(home)}</link><description>{escape(title)}</description>\n"
        f"{items}\n</channel></rss>\n"
    )


def atom(title: str, home: str, feed_url: str, pages: list[Truth]) -> str:
    """Return an Atom feed; `pages` come newest first."""
    entries = "\n".join(
        f"<entry><title>{escape(page.title)}</title><id>{escape(page.url)}</id>"
        f'<link href="{escape(page.url)}"/><updated>{_moment(page).isoformat()}</updated>'
        f"<author><name>{escape(page.author or '')}</name></author>"
        f"<summary>{escape(_summary(page))}</summary></entry>"
        for page in pages
    )
    updated = _moment(pages[0]).isoformat()
    return (
        f'{_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom">\n<title>{escape(title)}</title>'
        f'<id>{escape(home)}</id><link href="{escape(home)}"/><link rel="self" '
        f'href="{escape(feed_url)}"/><updated>{updated}</updated>\n{entries}\n</feed>\n'
    )


def _sitemap_row(tag: str, url: str, date: str | None) -> str:
    lastmod = f"<lastmod>{date}</lastmod>" if date else ""
    return f"<{tag}><loc>{escape(url)}</loc>{lastmod}</{tag}>"


def _moment(page: Truth) -> datetime:
    return datetime.fromisoformat(page.date or "2026-01-01").replace(tzinfo=UTC)


def _summary(page: Truth) -> str:
    return page.text.split("\n", 1)[0]
