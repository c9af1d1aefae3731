"""The scouter: fetches politely and fairly, and hands pages to the parsers."""

import asyncio
from collections.abc import Awaitable, Iterable
from contextlib import closing
from dataclasses import replace

from telusur.crawl.frontier_records import LeasedUrl
from telusur.crawl.hosts.active_host import ActiveHost
from telusur.crawl.hosts.active_hosts import ActiveHosts
from telusur.crawl.hosts.shares import parse_weights
from telusur.crawl.hosts.terms import most_per_address
from telusur.crawl.in_flight import InFlightLimits
from telusur.crawl.limits import Limits
from telusur.crawl.rules.verdicts import verdict_of
from telusur.fetch.extra_requests import Errands
from telusur.models import State
from telusur.pipeline.admission import Admission
from telusur.pipeline.answers import Answers
from telusur.pipeline.equipment import Equipment
from telusur.pipeline.leased_hosts import LeasedHosts
from telusur.pipeline.outbox import Outbox
from telusur.pipeline.outcomes import Outcome
from telusur.pipeline.parsing.reading import NOT_RENDERED
from telusur.pipeline.style_sheets import StyleSheets, uses_style_sheets
from telusur.settings import CrawlSettings
from telusur.store.records import StoredRobots

# Bounds memory: bytes of pages that are fetched and not yet written.
MOST_UNWRITTEN_BYTES = 8_000_000
# How long a stopping crawl waits for responses, and then for the parsers.
GRACE_SECONDS = 10.0
READING_SECONDS = 60.0


class Scouter:
    """Runs one crawl until the frontier is empty, a limit is reached, or `stop` is called."""

    def __init__(self, settings: CrawlSettings, equipment: Equipment) -> None:
        self._settings = settings
        self._with = equipment
        self._why = ""
        self._failure: BaseException | None = None
        self._requests: set[asyncio.Task[None]] = set()
        # Requests whose response is being parsed.
        self._reading: set[asyncio.Task[None]] = set()
        # Requests are about to be started.
        self._is_starting = False
        self._wake = asyncio.Event()
        self._go_on = asyncio.Event()
        self._go_on.set()
        self._run_at = equipment.clock()
        self._in_flight_limits = InFlightLimits(
            equipment.recorder.scoring.strategy.is_ordered, one_by_one=settings.connections == 1
        )
        self._hosts = ActiveHosts(
            equipment.terms_for,
            is_fair=settings.fair == "equal",
            per_address=most_per_address(settings),
            weights=parse_weights(settings.weight),
            most_share=settings.most_share if self._in_flight_limits.is_ordered else None,
            patience=settings.patience,
        )
        errands = Errands(
            equipment.client, self._hosts, equipment.clock, self._may_go_on,
            agent=settings.user_agent, room=asyncio.Semaphore(settings.connections),
            covers_host=self._covers_host,
        )  # fmt: skip
        self._outbox = Outbox(
            equipment.recorder, equipment.progress, self._hosts, self._in_flight_limits,
            self._wake.set,
        )  # fmt: skip
        self._admission = Admission(settings, equipment, self._hosts, self._outbox, errands.fetch)
        self._leased = LeasedHosts(
            equipment, self._hosts, self._outbox, self._admission, self._in_flight_limits
        )
        sheets = StyleSheets(
            equipment, self._hosts, self._outbox, errands, agent=settings.user_agent
        )
        self._answers = Answers(
            settings, equipment.reader, equipment.discovery, equipment.recorder.yields,
            sheets.fetch_part,
            fetch_sheets=sheets.get if uses_style_sheets(settings) else None,
        )  # fmt: skip

    # Steering

    def stop(self, why: str) -> None:
        """Stop gracefully: finish and write the requests in flight; the other URLs keep waiting."""
        self._why = self._why or why
        self._go_on.set()
        self._wake.set()

    def pause(self) -> None:
        """Start no request until `resume`; those in flight finish and are written."""
        if not self._why:
            self._go_on.clear()

    def resume(self) -> None:
        """Start requests again after a pause."""
        self._go_on.set()
        self._wake.set()

    def limit(self, changes: Limits) -> None:
        """Change the limits; a new delay applies after a host's next request."""
        before = self._settings
        self._settings = replace(before, **changes)  # type: ignore[arg-type]
        self._outbox.group.limits |= {
            name: value for name, value in changes.items() if getattr(before, name) != value
        }
        self._hosts.renew_terms()
        scope = self._with.discovery.scope
        self._leased.go_by(scope.with_limits(self._settings.depth, self._settings.scope))
        self._wake.set()

    @property
    def in_flight(self) -> int:
        """Return the URLs in flight, from request to commit."""
        return self._outbox.under_way

    # The main loop

    async def run(self) -> str:
        """Crawl; return why it ended: done, pages, seconds, or the reason given to `stop`."""
        self._run_at = self._with.clock()
        try:
            while not self._why:
                await self._beat()
                self._check_limits()
                if not self._why:
                    await self._rest()
            await self._wind_down()
        finally:
            for task in self._requests:
                task.cancel()
            self._outbox.close()
        # A bug of ours: everything is written, so report it now.
        if self._failure is not None:
            raise self._failure
        return self._why

    async def _beat(self) -> None:
        """Write finished outcomes, lease new work, start due requests."""
        self._start_requests()
        now = self._with.clock()
        self._leased.add_wishes(now, may_lease=self._go_on.is_set())
        due_at = self._outbox.due_at(now, is_idle=not self._requests)
        if due_at is None or due_at > now:
            await self._outbox.commit_when_due(now)
            return
        group = self._outbox.next_group()
        self._leased.exchange(group)
        refill = await self._outbox.write(group, now)
        for host in self._leased.take(group, refill, self._with.clock()):
            self._spawn(self._learn_rules(host, refill.robots.get(host.name)))
        self._start_requests()
        # Release a host without URLs now, not after a sleep.
        self._leased.add_wishes(self._with.clock(), may_lease=self._go_on.is_set())

    def _check_limits(self) -> None:
        if self._with.clock() >= self._deadline():
            self.stop("seconds")
        elif self._pages_left() <= 0 and not self._outbox.under_way:
            self.stop("pages")
        elif self._bytes_left() <= 0:
            self.stop("bytes")
        elif not (self._outbox.under_way or self._requests) and (
            self._leased.are_over and self._outbox.group.is_empty()
        ):
            self.stop("unreachable" if self._leased.has_set_aside else "done")

    def _deadline(self) -> float:
        seconds = self._settings.seconds
        return float("inf") if seconds is None else self._run_at + seconds

    def _bytes_left(self) -> float:
        most = self._settings.total_bytes or float("inf")
        return most - self._with.progress.bytes - self._outbox.bytes_under_way

    def _pages_left(self) -> float:
        if self._settings.pages is None:
            return float("inf")
        return self._settings.pages - self._with.progress.pages - self._outbox.under_way

    async def _rest(self) -> None:
        """Sleep until there is something to write or a host is due."""
        now = self._with.clock()
        is_idle = not self._requests
        due_at = self._outbox.due_at(now, is_idle=is_idle)
        times = [self._deadline(), due_at, self._outbox.commit_at]
        is_waiting = False
        if self._go_on.is_set():
            times.append(self._leased.next_at)
            # Without room no host is waited for: what ends makes room, and starts requests itself.
            if self._has_room():
                times.append(self._hosts.next_wake())
            is_waiting = is_idle and due_at is None
        self._with.progress.held = self._leased.what_is_waited_for(now) if is_waiting else ""
        soonest = min(at for at in times if at is not None)
        try:
            async with asyncio.timeout(min(max(soonest - now, 0.002), 1.0)):
                await self._wake.wait()
        except TimeoutError:
            pass
        self._wake.clear()

    async def _wind_down(self) -> None:
        """Wait for requests in flight, within a time limit, and write their outcomes."""
        if self._requests:
            await asyncio.wait(self._requests, timeout=GRACE_SECONDS)
        # Finish parsing the received pages; otherwise they would be fetched again.
        if self._reading:
            await asyncio.wait(self._reading, timeout=READING_SECONDS)
        for host in self._hosts:
            self._deliver(host.answers.deliver_all())
        group = self._outbox.next_group()
        now = self._with.clock()
        self._leased.give_back_all(group, now)
        await self._outbox.write(group, now)
        await self._outbox.finish(self._with.clock())

    async def _may_go_on(self) -> bool:
        """Wait during a pause; return whether the crawl continues."""
        await self._go_on.wait()
        return not self._why

    def _covers_host(self, url: str) -> bool:
        """Tell whether the host of a URL is in the current scope."""
        return self._with.discovery.scope.covers_host_of(url)

    # Requests

    def _start_requests(self) -> None:
        """Start a request to every host that is due, within the limits."""
        if self._why or not self._go_on.is_set():
            return
        with closing(self._hosts.choose(self._with.clock())) as chosen:
            while self._has_room() and (host := next(chosen, None)) is not None:
                self._outbox.begin(host)
                leased = host.urls.popleft()
                if not self._admission.end_if_stale(host, leased):
                    self._hosts.begin(host, self._with.clock(), is_page=not leased.sitemap)
                    self._spawn(self._visit(host, leased))

    def _has_room(self) -> bool:
        outbox = self._outbox
        return (
            len(self._requests) < self._settings.connections
            and outbox.under_way < self._in_flight_limits.most_under_way(self._with.progress.pages)
            and outbox.bytes_under_way < MOST_UNWRITTEN_BYTES
            and self._pages_left() > 0
        )

    def _spawn(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._requests.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._requests.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self._failure = task.exception()
            self.stop("failed")
        if not self._requests:
            self._wake.set()
        self._start_soon()

    def _start_soon(self) -> None:
        """Start requests once for all that ends in this turn of the event loop."""
        if not self._is_starting:
            self._is_starting = True
            asyncio.get_running_loop().call_soon(self._start_now)

    def _start_now(self) -> None:
        self._is_starting = False
        self._start_requests()

    async def _learn_rules(self, host: ActiveHost, stored: StoredRobots | None) -> None:
        """Fetch the robots.txt of a new host; set the host aside if it stays away."""
        if await self._admission.learn_rules(host, stored):
            self._wake.set()
        else:
            self._leased.set_aside(host)

    async def _visit(self, host: ActiveHost, leased: LeasedUrl) -> None:
        """Fetch one URL, have it parsed, and deliver its outcome."""
        terms = host.terms
        page = await self._with.client.fetch(
            leased.url,
            headers=terms.headers,
            wants=self._answers.wanted_of(leased),
            wire=terms.wire,
        )
        place = host.answers.take_place()
        self._hosts.end(host, page.address)
        self._outbox.receive(page)
        if self._bytes_left() <= 0:
            self._wake.set()
        now = self._with.clock()
        host.heed(page, now, is_first_try=not leased.tries)
        self._hosts.enlist(host)
        self._start_soon()
        verdict = verdict_of(leased, page, now, is_host_down=host.health.is_down)
        outcome = Outcome(leased, host.name, host.site.name, verdict, page)
        task = asyncio.current_task()
        assert task is not None
        self._reading.add(task)
        try:
            outcome = await self._answers.read(
                outcome, page, lambda: self._deliver(host.answers.leave(place))
            )
        finally:
            self._reading.discard(task)
        if self._why and _is_unfinished(outcome):
            return
        self._deliver(host.answers.deliver(place, outcome))

    def _deliver(self, outcomes: Iterable[Outcome]) -> None:
        """Hand over an outcome for writing; a failed page costs no budget."""
        for outcome in outcomes:
            page = outcome.page
            if page and (page.status is None or outcome.verdict.state is State.WAITING):
                self._with.budgets.give_back(outcome.leased.url)
            self._outbox.put(outcome)


def _is_unfinished(outcome: Outcome) -> bool:
    """Tell whether the end of the crawl kept a page from being read: it waits for the next run.

    Ctrl-C may have stopped the browser too, and style sheets are not fetched any more.
    """
    parsed = outcome.parsed
    return parsed is not None and (
        parsed.is_interrupted or parsed.rendering.startswith(NOT_RENDERED)
    )
