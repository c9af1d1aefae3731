"""Fetches the style sheets that pages name, politely, each once per collection."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.rules.robots import Robots
from telusur.crawl.rules.verdicts import REDIRECTS, is_unreachable
from telusur.crawl.urls.identity import host_of, parse_url, site_of
from telusur.fetch.browser.cache import PartCache
from telusur.fetch.extra_requests import LOOK_SECONDS, Errands
from telusur.fetch.robots import FRESH_SECONDS, ask_for_robots, rules_from
from telusur.models import Page, Reason
from telusur.pipeline.equipment import Equipment
from telusur.pipeline.outbox import Outbox
from telusur.pipeline.outcomes import RobotsFile, SheetAnswer
from telusur.pipeline.parsing.sheet_shelf import LARGEST_SHEET, SheetFile
from telusur.settings import CrawlSettings

# Sheets as received; those that were dropped are read from the archive again.
MOST_BYTES = 32_000_000
MOST_REMEMBERED = 5_000
# Per host and run. Sites that name another sheet on each page would have each page wait for one.
MOST_OF_HOST = 100
# The pages of a host with a longer delay do not wait for sheets.
LONGEST_DELAY_SECONDS = 30.0
MOST_REDIRECTS = 3
TRIES = 2
TOO_MANY = "style sheets: too many of this host"
TOO_SLOW = "style sheets: the delay of the host is too long"


def uses_style_sheets(settings: CrawlSettings) -> bool:
    """Tell whether a crawl fetches the style sheets of its pages."""
    return settings.style_sheets and settings.content == "article"


class _Found(NamedTuple):
    """A sheet that was looked for; its file is None if it cannot be had."""

    file: SheetFile | None


class StyleSheets:
    """The style sheets of one crawl: remembered, in the archive, or fetched."""

    def __init__(
        self,
        equipment: Equipment,
        hosts: ActiveHosts,
        outbox: Outbox,
        errands: Errands,
        *,
        agent: str,
    ) -> None:
        self._with = equipment
        self._hosts = hosts
        self._outbox = outbox
        self._errands = errands
        self._agent = agent
        # Those that a browser which renders a page of the same site need not ask for again.
        self._parts = PartCache(MOST_BYTES)
        self._known: OrderedDict[str, SheetFile | None] = OrderedDict()
        self._bytes = 0
        self._asked: dict[str, asyncio.Task[_Found | None]] = {}
        self._robots: dict[str, asyncio.Task[Robots | None]] = {}
        self._fetched: dict[str, int] = {}

    async def get(
        self, page_url: str, urls: Sequence[str]
    ) -> Mapping[str, SheetFile | None] | None:
        """Return the sheets that a page names; None if the crawl stops before they came."""
        found: dict[str, SheetFile | None] = {}
        for url in urls:
            if url in self._known:
                self._known.move_to_end(url)
                found[url] = self._known[url]
                continue
            task = self._asked.get(url)
            if task is None:
                task = self._asked[url] = asyncio.ensure_future(self._find(page_url, url))
                task.add_done_callback(partial(self._forget, url))
            answer = await asyncio.shield(task)
            if answer is None:
                return None
            found[url] = answer.file
        return found

    async def fetch_part(
        self,
        url: str,
        headers: Sequence[tuple[str, str]] = (),
        *,
        is_frame: bool = False,
        is_own: bool = False,
        method: str = "GET",
    ) -> Page:
        """Fetch a part of a rendered page, unless it is a sheet that was fetched just before.

        As it may have been fetched with credentials, only pages of its own host get it.
        """
        known = self._parts.get(url, time.time()) if is_own and method == "GET" else None
        if known is not None:
            return known
        return await self._errands.fetch_part(
            url, headers, is_frame=is_frame, is_own=is_own, method=method
        )

    def _forget(self, url: str, _: object) -> None:
        self._asked.pop(url, None)

    async def _find(self, page_url: str, url: str) -> "_Found | None":
        """Return a sheet, from the archive or the network; None if the crawl stops."""
        stored = await asyncio.to_thread(self._with.stored.style_sheet, url)
        if stored is not None:
            return self._remember(url, SheetFile.of(stored.page))
        page = await self._fetch(page_url, url)
        if page is None:
            return None
        self._outbox.group.sheets.append(SheetAnswer(url, page))
        self._with.progress.bytes += len(page.body)
        return self._remember(url, SheetFile.of(page))

    def _remember(self, url: str, file: SheetFile | None) -> "_Found":
        self._known[url] = file
        self._bytes += len(file.body) if file is not None else 0
        while len(self._known) > MOST_REMEMBERED or (
            self._bytes > MOST_BYTES and len(self._known) > 1
        ):
            _, old = self._known.popitem(last=False)
            self._bytes -= len(old.body) if old is not None else 0
        return _Found(file)

    async def _fetch(self, page_url: str, url: str) -> Page | None:
        """Fetch a sheet and follow its redirects within the site; robots.txt is obeyed."""
        objection = self._objection(url)
        if objection:
            return Page(url, reason=objection)
        target: str | None = url
        page = Page(url, reason=Reason.TOO_MANY_REDIRECTS)
        for _ in range(MOST_REDIRECTS + 1):
            if target is None or site_of(target) != site_of(page_url):
                return Page(url, reason=f"{Reason.BAD_RESPONSE}: redirect to another site")
            robots = await self._robots_of(host_of(target))
            if robots is None:
                return None
            if not robots.allows(target, self._agent):
                return Page(url, reason=Reason.ROBOTS)
            got = await self._try(page_url, target)
            if got is None:
                return None
            page = got
            if page.status not in REDIRECTS:
                return page
            target = parse_url(page.header("location"), target)
        return Page(url, reason=Reason.TOO_MANY_REDIRECTS)

    def _objection(self, url: str) -> str:
        """Return why a sheet is not fetched, or an empty text."""
        name = host_of(url)
        if self._hosts.guest(name).manners.delay(0.0) > LONGEST_DELAY_SECONDS:
            return TOO_SLOW
        self._fetched[name] = self._fetched.get(name, 0) + 1
        return TOO_MANY if self._fetched[name] > MOST_OF_HOST else ""

    async def _try(self, page_url: str, url: str) -> Page | None:
        """Fetch one URL, again if the host failed."""
        is_own = host_of(url) == host_of(page_url)
        page = None
        for _ in range(TRIES):
            page = await self._errands.fetch_sheet(url, is_own=is_own, most_bytes=LARGEST_SHEET)
            if page is None or not is_unreachable(page):
                break
        if page is not None:
            self._parts.put(url, page, "stylesheet")
        return page

    async def _robots_of(self, name: str) -> Robots | None:
        """Return the rules of a host; None if the crawl stops."""
        if name in self._hosts:
            return await self._robots_of_active(name)
        task = self._robots.get(name)
        if task is None:
            task = self._robots[name] = asyncio.ensure_future(self._ask_robots(name))
        robots = await asyncio.shield(task)
        if robots is None:
            self._robots.pop(name, None)
        return robots

    async def _robots_of_active(self, name: str) -> Robots | None:
        """Return the rules of a host of the crawl, which is asked for them already."""
        while name in self._hosts and (robots := self._hosts.find(name).robots) is None:
            if not await self._errands.may_go_on():
                return None
            await asyncio.sleep(LOOK_SECONDS)
        return robots if name in self._hosts else await self._robots_of(name)

    async def _ask_robots(self, name: str) -> Robots | None:
        stored = await asyncio.to_thread(self._with.stored.robots, name)
        if stored is not None and stored.at > self._with.clock() - FRESH_SECONDS:
            return await asyncio.to_thread(rules_from, stored.data, stored.status, self._agent)
        answer = await ask_for_robots(self._errands.fetch, name, self._agent)
        if answer is None:
            return None
        self._outbox.group.robots.append(RobotsFile(name, answer.page, answer.data))
        rules = answer.rules or Robots.disallow_all()
        self._hosts.guest(name).take_manners(rules, self._agent)
        return rules
