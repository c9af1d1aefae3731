"""The bodies of the hostile web, each fetched once from its server on loopback."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path

from hostile import ask, serving

from telusur.extract.page.content_coding import ContentCodingError, decode_content
from telusur.fetch.curl.client import HttpClient
from telusur.models import Page

MOST_BYTES = 10_000_000
SECONDS = 8.0
AT_ONCE = 8
# Groups that are about connections, rules and other hosts: their bodies are ordinary.
NOT_ASKED = frozenset(("tls", "robots", "ssrf", "politeness"))


def hostile_bodies(data: Path) -> Iterator[tuple[str, bytes, str]]:
    """Yield id, body (content coding undone, cut at 10 MB) and Content-Type of each case.

    Cases that give no body within eight seconds are passed over.
    """
    with serving(data / "hostile" / "hostile_server.py") as port:
        cases = json.loads(ask(port, "/expected.json"))["cases"]
        wanted = {case["id"]: case["url"] for case in cases if case["group"] not in NOT_ASKED}
        pages = asyncio.run(_fetch_all(list(wanted.values()), port))
    for name, page in zip(wanted, pages, strict=True):
        if body := _body_of(page):
            yield name, body, page.header("content-type")


async def _fetch_all(urls: list[str], port: int) -> list[Page]:
    client = HttpClient(
        user_agent="telusur-limits", clock=time.time, timeout=SECONDS, max_bytes=MOST_BYTES,
        allowed=[("127.0.0.1", port)],
    )  # fmt: skip
    turns = asyncio.Semaphore(AT_ONCE)

    async def fetch(url: str) -> Page:
        async with turns:
            return await client.fetch(url)

    try:
        return await asyncio.gather(*map(fetch, urls))
    finally:
        client.close()


def _body_of(page: Page) -> bytes:
    """Return what a parser would be given; a body in an unknown coding as it came."""
    try:
        return decode_content(page.body, page.header("content-encoding"), MOST_BYTES)[0]
    except ContentCodingError:
        return page.body
