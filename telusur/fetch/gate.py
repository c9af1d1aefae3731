"""The gate that a crawl asks, and the one to the network."""

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from telusur.crawl.hosts.terms import Wire
from telusur.fetch.addresses import parse_endpoint
from telusur.fetch.curl.client import HttpClient
from telusur.fetch.curl.handle import Trust
from telusur.models import Page
from telusur.settings import CrawlSettings


class Gate(Protocol):
    """Fetches URLs; it never raises for what a server does."""

    async def fetch(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        wants: Callable[[int, str], bool] | None = None,
        wire: Wire | None = None,
        with_cookies: bool = True,
        method: str = "GET",
        public_only: bool = False,
    ) -> Page:
        """Fetch one URL without following redirects.

        With `public_only` private addresses are refused even if they are allowed.
        """
        ...

    def knows(self, url: str) -> bool:
        """Tell whether a fetch may succeed."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...


def make_client(settings: CrawlSettings) -> HttpClient:
    """Return the gate to the network."""
    return HttpClient(
        user_agent=settings.user_agent,
        clock=time.time,
        connections=settings.connections,
        timeout=settings.timeout,
        max_bytes=settings.max_bytes,
        allow_private=settings.allow_private,
        allowed=[parse_endpoint(text) for text in settings.allow_address],
        cookies=settings.cookies,
        trust=Trust(settings.ca_bundle, settings.insecure),
    )
