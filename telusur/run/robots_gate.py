"""Robots rules per host: fetched once, kept with the collection, obeyed (RFC 9309)."""

import asyncio
from dataclasses import dataclass

from telusur.adapters.http import HttpClient
from telusur.crawl.politeness import TRIES, back_off
from telusur.crawl.robots import Robots
from telusur.crawl.urls import parse_url
from telusur.crawl.verdicts import REDIRECTS, is_unreachable
from telusur.extract.content_coding import ContentCodingError, decode_content
from telusur.models import Page, Reason

FRESH_SECONDS = 24 * 3600.0
MOST_REDIRECTS = 5
LARGEST_BYTES = 512_000


@dataclass(slots=True, frozen=True)
class RobotsAnswer:
    """What a host said when asked for its robots.txt; without `rules` it could not be had."""

    page: Page
    data: bytes
    rules: Robots | None


def rules_from(data: bytes, status: int | None) -> Robots:
    """Return the rules a reachable answer means: 2xx the file, anything else all is allowed."""
    if status is not None and 200 <= status < 300:
        return Robots.parse(data)
    return Robots.allow_all()


async def ask_for_robots(client: HttpClient, host: str) -> RobotsAnswer:
    """Fetch a host's robots.txt, following up to five redirects (RFC 9309 2.3.1)."""
    url = f"{host}/robots.txt"
    for _ in range(MOST_REDIRECTS + 1):
        page = await client.fetch(url)
        target = parse_url(page.header("location"), url) if page.status in REDIRECTS else None
        if target is None:
            break
        url = target
    if is_unreachable(page):
        return RobotsAnswer(page, b"", None)
    data = _body_of(page)
    return RobotsAnswer(page, data, rules_from(data, page.status))


async def ask_patiently(client: HttpClient, host: str) -> RobotsAnswer:
    """Ask for a robots.txt again, with growing pauses, before giving up on the host."""
    answer = await ask_for_robots(client, host)
    for tries in range(1, TRIES):
        is_hopeless = answer.page.reason.startswith(Reason.PRIVATE_ADDRESS)
        if answer.rules is not None or is_hopeless:
            break
        await asyncio.sleep(back_off(tries))
        answer = await ask_for_robots(client, host)
    return answer


def _body_of(page: Page) -> bytes:
    try:
        return decode_content(page.body, page.header("content-encoding"), LARGEST_BYTES)[0]
    except ContentCodingError:
        return b""
