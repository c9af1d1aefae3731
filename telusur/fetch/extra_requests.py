"""Requests outside the line: robots.txt and where it leads, and what a drawn page needs."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from telusur.crawl.politeness import Clock
from telusur.crawl.urls import host_of
from telusur.models import Page, Reason
from telusur.run.active_host import ActiveHost
from telusur.run.gate import Gate
from telusur.run.hosts import ActiveHosts

LOOK_SECONDS = 0.02
LONGEST_SLEEP_SECONDS = 1.0
LEFT_ALONE = f"{Reason.NETWORK}: the host is left alone"


class Errands:
    """Fetches single URLs when their host may be asked, and counts them like pages."""

    def __init__(
        self,
        client: Gate,
        hosts: ActiveHosts,
        clock: Clock,
        may_go_on: Callable[[], Awaitable[bool]],
        *,
        agent: str,
        room: asyncio.Semaphore,
    ) -> None:
        """Ask for no more at once than there is `room` for; who came first is asked first."""
        self._client = client
        self._hosts = hosts
        self._clock = clock
        self._may_go_on = may_go_on
        self._agent = agent
        self._room = room

    async def fetch(self, url: str, wait: float = 0.0) -> Page | None:
        """Fetch a URL after so many seconds, when it is its host's turn.

        `may_go_on` waits while the crawl pauses, and says no when it stops: then nothing is
        asked, and the answer is None.
        """
        await asyncio.sleep(wait)
        while True:
            host = await self._turn_of(host_of(url))
            if host is None:
                return None
            async with self._room:
                if await self._may_go_on() and self._may_be_asked(host):  # still, having room
                    return await self._ask(host, url)

    async def _ask(self, host: ActiveHost, url: str) -> Page:
        self._hosts.begin(host, self._clock(), is_page=False)
        page = await self._client.fetch(url, wire=host.terms.wire)
        self._hosts.end(host, page.address)
        host.heed(page, self._clock())
        self._hosts.enlist(host)
        return page

    async def fetch_part(
        self, url: str, headers: Sequence[tuple[str, str]] = (), *, is_frame: bool = False
    ) -> Page:
        """Fetch what a page in a browser needs: one at a time from a host, as pages are.

        It does not wait for the host's delay, which begins anew with each part: the next page waits
        the longer. A host that asked for rest, or fails, is not asked, nor for a frame that its
        robots.txt forbids.
        """
        host = await self._room_at(host_of(url))
        if host is None:
            return Page(url, reason=LEFT_ALONE)
        if is_frame and not (host.robots and host.robots.allows(url, self._agent)):
            return Page(url, reason=Reason.ROBOTS)
        terms, address = host.terms, ""
        named = {name.lower() for name, _ in headers}
        own = tuple(header for header in terms.headers if header[0].lower() not in named)
        self._hosts.begin(host, self._clock(), is_page=False)
        try:
            page = await self._client.fetch(url, headers=(*own, *headers), wire=terms.wire)
            address = page.address
            host.heed(page, self._clock())
            return page
        finally:
            self._hosts.end(host, address)
            self._hosts.enlist(host)

    async def _room_at(self, name: str) -> ActiveHost | None:
        """Wait until nothing else is asked of a host; None if it must not be asked now."""
        while True:
            host = self._hosts.guest(name)
            if host.failures and host.next_at > self._clock():
                return None
            if host.in_flight < host.terms.per_host:
                return host
            host.errands += 1
            try:
                await asyncio.sleep(LOOK_SECONDS)
            finally:
                host.errands -= 1

    async def _turn_of(self, name: str) -> ActiveHost | None:
        """Wait until a host may be asked; those who wait here come before its pages."""
        while await self._may_go_on():
            host = self._hosts.guest(name)
            if self._may_be_asked(host):
                return host
            wait = host.next_at - self._clock()
            host.errands += 1
            try:
                await asyncio.sleep(min(max(wait, LOOK_SECONDS), LONGEST_SLEEP_SECONDS))
            finally:
                host.errands -= 1
        return None

    def _may_be_asked(self, host: ActiveHost) -> bool:
        return host.in_flight < host.terms.per_host and host.next_at <= self._clock()
