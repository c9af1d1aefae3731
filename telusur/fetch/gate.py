"""The gate that a crawl asks: the network, or the archive of another collection."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from telusur.adapters.addresses import parse_endpoint
from telusur.adapters.curl_handle import Trust
from telusur.adapters.http import HttpClient
from telusur.adapters.replay import ReplayClient
from telusur.adapters.sqlite_schema import DATABASE
from telusur.crawl.host_terms import Wire
from telusur.errors import UsageError
from telusur.models import Page
from telusur.settings import CrawlSettings


class Gate(Protocol):
    """Answers URLs, whatever happens."""

    async def fetch(
        self,
        url: str,
        *,
        headers: Sequence[tuple[str, str]] = (),
        wants: Callable[[int, str], bool] | None = None,
        wire: Wire | None = None,
    ) -> Page:
        """Fetch one URL without following redirects."""
        ...

    def knows(self, url: str) -> bool:
        """Tell whether there is any use in asking."""
        ...

    def close(self) -> None:
        """Close what is open."""
        ...


def open_gate(settings: CrawlSettings) -> Gate:
    """Return the gate under these settings."""
    if settings.replay is not None:
        return ReplayClient(Path(settings.replay), time.time)
    return make_client(settings)


def check_replay(directory: str) -> None:
    """Say so if there is nothing to be answered from."""
    if not (Path(directory) / DATABASE).is_file():
        raise UsageError(f"--replay: {directory} is not a collection; name the DIR of a crawl.")


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
