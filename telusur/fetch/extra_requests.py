"""Requests outside the queue: robots.txt and its redirects, and parts of rendered pages."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from telusur.crawl.hosts.active_host import ActiveHost
from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.hosts.politeness import Clock
from telusur.crawl.hosts.terms import harmless_headers
from telusur.crawl.urls.identity import host_of
from telusur.fetch.gate import Gate
from telusur.fetch.robots import MOST_BYTES
from telusur.models import Page, Reason

LOOK_SECONDS = 0.02
LONGEST_SLEEP_SECONDS = 1.0
LONGEST_PATIENCE_SECONDS = 60.0
LEFT_ALONE = f"{Reason.NETWORK}: the host is left alone"


class Errands:
    """Fetches single URLs when their host is ready, and counts them like pages."""

    def __init__(
        self,
        client: Gate,
        hosts: ActiveHosts,
        clock: Clock,
        may_go_on: Callable[[], Awaitable[bool]],
        *,
        agent: str,
        room: asyncio.Semaphore,
        covers_host: Callable[[str], bool] = lambda url: True,
    ) -> None:
        """`room` limits the requests in flight, first come, first served.

        `covers_host` tells whether the host of a URL belongs to the crawl.
        """
        self._covers_host = covers_host
        self._client = client
        self._hosts = hosts
        self._clock = clock
        self.may_go_on = self._may_go_on = may_go_on
        self._agent = agent
        self._room = room

    async def fetch(self, url: str, wait: float = 0.0, *, is_redirect: bool = False) -> Page | None:
        """Fetch a robots.txt after `wait` seconds, when its host is ready.

        `may_go_on` waits while the crawl is paused, and returns False when it stops: then nothing
        is fetched, and the result is None. A redirect to a host outside the crawl must lead to a
        public address, as with `fetch_part`.
        """
        await asyncio.sleep(wait)
        while True:
            host = await self._turn_of(host_of(url))
            if host is None:
                return None
            async with self._room:
                # Check again after waiting for room.
                if await self._may_go_on() and self._may_be_asked(host):
                    public_only = is_redirect and not self._covers_host(url)
                    return await self._ask(host, url, public_only=public_only)

    async def fetch_sheet(self, url: str, *, is_own: bool, most_bytes: int) -> Page | None:
        """Fetch a style sheet when its host is ready, like a page; None if the crawl stops.

        `is_own`: it is on the host of the page that names it, and gets the same headers. A host
        that asked for a long pause, or fails, is not contacted.
        """
        while True:
            if self._hosts.guest(host_of(url)).next_at - self._clock() > LONGEST_PATIENCE_SECONDS:
                return Page(url, reason=LEFT_ALONE)
            host = await self._turn_of(host_of(url), LONGEST_PATIENCE_SECONDS)
            if host is None and await self._may_go_on():
                return Page(url, reason=LEFT_ALONE)
            if host is None:
                return None
            async with self._room:
                if await self._may_go_on() and self._may_be_asked(host):
                    terms = host.terms
                    return await self._ask(
                        host, url, public_only=not self._covers_host(url), most_bytes=most_bytes,
                        headers=terms.headers if is_own else harmless_headers(terms.headers),
                        wants=_is_wanted_sheet, with_cookies=is_own,
                    )  # fmt: skip

    async def _ask(
        self,
        host: ActiveHost,
        url: str,
        *,
        public_only: bool,
        most_bytes: int = MOST_BYTES,
        **more: Any,
    ) -> Page:
        self._hosts.begin(host, self._clock(), is_page=False)
        wire = host.terms.wire
        wire = wire._replace(max_bytes=min(wire.max_bytes, most_bytes))
        page = await self._client.fetch(url, wire=wire, public_only=public_only, **more)
        self._hosts.end(host, page.address)
        host.heed(page, self._clock())
        self._hosts.enlist(host)
        return page

    async def fetch_part(
        self,
        url: str,
        headers: Sequence[tuple[str, str]] = (),
        *,
        is_frame: bool = False,
        is_own: bool = False,
        method: str = "GET",
    ) -> Page:
        """Fetch a part of a page in a browser: one at a time per host, like pages.

        It does not wait for the delay of the host; instead the delay restarts with each part, so
        the next page waits longer. A host that asked for a pause, or fails, is not contacted, nor
        for a frame that its robots.txt forbids. Credentials are sent only if a page asks its own
        host. In a crawl that may fetch from private addresses, a page must not reach other private
        hosts: so parts from hosts outside the crawl come from public addresses only.
        """
        host = await self._room_at(host_of(url))
        if host is None:
            return Page(url, reason=LEFT_ALONE)
        if is_frame and not (host.robots and host.robots.allows(url, self._agent)):
            return Page(url, reason=Reason.ROBOTS)
        terms, address = host.terms, ""
        named = {name.lower() for name, _ in headers}
        ours = terms.headers if is_own else harmless_headers(terms.headers)
        own = tuple(header for header in ours if header[0].lower() not in named)
        self._hosts.begin(host, self._clock(), is_page=False)
        try:
            page = await self._client.fetch(
                url, headers=(*own, *headers), wire=terms.wire, with_cookies=is_own, method=method,
                public_only=not self._covers_host(url),
            )  # fmt: skip
            address = page.address
            host.heed(page, self._clock())
            return page
        finally:
            self._hosts.end(host, address)
            self._hosts.enlist(host)

    async def _room_at(self, name: str) -> ActiveHost | None:
        """Wait until a host has no other request; None if it must not be contacted now."""
        while True:
            host = self._hosts.guest(name)
            if host.health.failures and host.next_at > self._clock():
                return None
            if host.in_flight < host.terms.per_host:
                return host
            host.errands += 1
            try:
                await asyncio.sleep(LOOK_SECONDS)
            finally:
                host.errands -= 1

    async def _turn_of(self, name: str, patience: float = float("inf")) -> ActiveHost | None:
        """Wait until a host is ready; requests that wait here come before its pages.

        None if the crawl stops, or if the host asks for a longer pause than `patience`.
        """
        while await self._may_go_on():
            host = self._hosts.guest(name)
            if self._may_be_asked(host):
                return host
            wait = host.next_at - self._clock()
            if wait > patience:
                return None
            host.errands += 1
            try:
                await asyncio.sleep(min(max(wait, LOOK_SECONDS), LONGEST_SLEEP_SECONDS))
            finally:
                host.errands -= 1
        return None

    def _may_be_asked(self, host: ActiveHost) -> bool:
        return host.in_flight < host.terms.per_host and host.next_at <= self._clock()


def _is_wanted_sheet(status: int, kind: str) -> bool:
    """Tell whether a response is downloaded: a page in place of a sheet is not."""
    return status != 200 or kind in ("text/css", "text/plain", "application/x-css", "")
