"""One page that a person asks for: fetched through the gate like any other, redirects followed."""

import asyncio

from telusur.crawl.host_terms import TermsBook
from telusur.crawl.urls import host_of, parse_url
from telusur.crawl.verdicts import REDIRECTS
from telusur.models import Page, Reason
from telusur.run.crawl import make_client
from telusur.run.robots_gate import MOST_REDIRECTS
from telusur.settings import CrawlSettings


def fetch_page(url: str, settings: CrawlSettings) -> Page:
    """Fetch one page now; robots.txt is for robots, and this is a person's wish."""
    return asyncio.run(_fetch(url, settings))


async def _fetch(url: str, settings: CrawlSettings) -> Page:
    client = make_client(settings)
    hosts = TermsBook(settings, [url])
    try:
        for _ in range(MOST_REDIRECTS + 1):
            terms = hosts.terms_for(host_of(url))
            page = await client.fetch(url, headers=terms.headers, wire=terms.wire)
            target = parse_url(page.header("location"), url) if page.status in REDIRECTS else None
            if target is None:
                return page
            url = target
        return Page(url, reason=Reason.TOO_MANY_REDIRECTS)
    finally:
        client.close()
