"""Robots rules per host: fetched once, kept with the collection, obeyed (RFC 9309)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from telusur.crawl.politeness import TRIES, back_off, retry_after
from telusur.crawl.robots import Robots
from telusur.crawl.urls import parse_url
from telusur.crawl.verdicts import REDIRECTS, is_unreachable
from telusur.extract.content_coding import ContentCodingError, decode_content
from telusur.models import Page, Reason

FRESH_SECONDS = 24 * 3600.0
MOST_REDIRECTS = 5
LARGEST_BYTES = 512_000
LONGEST_PATIENCE_SECONDS = 60.0

PoliteFetch = Callable[[str, float], Awaitable[Page | None]]
"""Asks for a URL after so many seconds, when its host may be asked; None when the crawl stops."""


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


async def ask_for_robots(fetch: PoliteFetch, host: str, wait: float = 0.0) -> RobotsAnswer | None:
    """Fetch a host's robots.txt, following up to five redirects (RFC 9309 2.3.1)."""
    url: str | None = f"{host}/robots.txt"
    hops = 0
    while url is not None and hops <= MOST_REDIRECTS:
        page = await fetch(url, wait)
        if page is None:
            return None
        hops, wait = hops + 1, 0.0
        url = parse_url(page.header("location"), url) if page.status in REDIRECTS else None
    assert page is not None
    if is_unreachable(page):
        return RobotsAnswer(page, b"", None)
    data = _body_of(page)
    return RobotsAnswer(page, data, rules_from(data, page.status))


async def ask_patiently(fetch: PoliteFetch, host: str) -> RobotsAnswer | None:
    """Ask for a robots.txt again, with growing pauses, before giving up on the host.

    None when the crawl stopped meanwhile. A host that wants to be left alone for longer than a
    minute is not waited for.
    """
    answer = await ask_for_robots(fetch, host)
    for tries in range(1, TRIES):
        if answer is None or answer.rules is not None:
            break
        is_hopeless = answer.page.reason.startswith(Reason.PRIVATE_ADDRESS)
        wait = retry_after(answer.page.header("retry-after"), answer.page.fetched_at)
        if is_hopeless or (wait or 0.0) > LONGEST_PATIENCE_SECONDS:
            break
        answer = await ask_for_robots(fetch, host, back_off(tries))
    return answer


def _body_of(page: Page) -> bytes:
    try:
        return decode_content(page.body, page.header("content-encoding"), LARGEST_BYTES)[0]
    except ContentCodingError:
        return b""
