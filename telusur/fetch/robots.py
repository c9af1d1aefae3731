"""Robots rules per host: fetched once, kept with the collection, obeyed (RFC 9309)."""

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol

from telusur.crawl.hosts.politeness import TRIES, back_off, retry_after
from telusur.crawl.rules.robots import MAX_BYTES, Robots
from telusur.crawl.rules.verdicts import REDIRECTS, is_unreachable
from telusur.crawl.urls.identity import parse_url
from telusur.extract.page.content_coding import ContentCodingError, decode_content
from telusur.models import Page, Reason

FRESH_SECONDS = 24 * 3600.0
MOST_REDIRECTS = 5
# How much of a robots.txt is fetched and decompressed: a little more than is read.
MOST_BYTES = MAX_BYTES + 4096
# Rules of this size take milliseconds to parse, so that is done in a thread.
LARGE_BYTES = 16_384
LONGEST_PATIENCE_SECONDS = 60.0


class PoliteFetch(Protocol):
    """Fetches a URL after some seconds, when its host is ready; None when the crawl stops.

    A server may redirect to any host; such a URL is not the user's wish.
    """

    def __call__(
        self, url: str, wait: float = 0.0, *, is_redirect: bool = False
    ) -> Awaitable[Page | None]:
        """Return the response."""
        ...


@dataclass(slots=True, frozen=True)
class RobotsAnswer:
    """The result of fetching a robots.txt; without `rules` it could not be fetched."""

    page: Page
    data: bytes
    rules: Robots | None


def rules_from(data: bytes, status: int | None, agent: str = "") -> Robots:
    """Return the rules of a response: the file for 2xx, otherwise everything is allowed.

    They are prepared for `agent`.
    """
    if status is None or not 200 <= status < 300:
        return Robots.allow_all()
    robots = Robots.parse(data)
    if agent:
        robots.prepare(agent)
    return robots


async def ask_for_robots(
    fetch: PoliteFetch, host: str, agent: str, wait: float = 0.0
) -> RobotsAnswer | None:
    """Fetch a host's robots.txt, following up to five redirects (RFC 9309 2.3.1)."""
    url: str | None = f"{host}/robots.txt"
    hops = 0
    while url is not None and hops <= MOST_REDIRECTS:
        page = await fetch(url, wait, is_redirect=hops > 0)
        if page is None:
            return None
        hops, wait = hops + 1, 0.0
        url = parse_url(page.header("location"), url) if page.status in REDIRECTS else None
    assert page is not None
    if is_unreachable(page):
        return RobotsAnswer(page, b"", None)
    return await asyncio.to_thread(_read, page, agent)  # hostile bytes must not block the crawl


async def ask_patiently(fetch: PoliteFetch, host: str, agent: str) -> RobotsAnswer | None:
    """Retry a robots.txt with growing pauses before giving up on the host.

    Return None if the crawl stopped meanwhile. A host that asks for a pause of more than a minute
    is not waited for.
    """
    answer = await ask_for_robots(fetch, host, agent)
    for tries in range(1, TRIES):
        if answer is None or answer.rules is not None:
            break
        is_hopeless = answer.page.reason.startswith(Reason.PRIVATE_ADDRESS)
        wait = retry_after(answer.page.header("retry-after"), answer.page.fetched_at)
        if is_hopeless or (wait or 0.0) > LONGEST_PATIENCE_SECONDS:
            break
        answer = await ask_for_robots(fetch, host, agent, back_off(tries))
    return answer


def _read(page: Page, agent: str) -> RobotsAnswer:
    data = _body_of(page)
    return RobotsAnswer(page, data, rules_from(data, page.status, agent))


def _body_of(page: Page) -> bytes:
    try:
        data, is_cut = decode_content(page.body, page.header("content-encoding"), MOST_BYTES)
    except ContentCodingError:
        return b""
    if is_cut or page.truncated:  # a rule cut in two would mean something else
        data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1]
    return data
