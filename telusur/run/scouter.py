"""The scouter: asks hosts politely and fairly, hands pages to the parsers, never parses itself."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace

from telusur.crawl.discovery import Discovery
from telusur.crawl.frontier import LeasedUrl, Verdict
from telusur.crawl.host_terms import HostTerms
from telusur.crawl.politeness import Clock
from telusur.crawl.robots import Robots
from telusur.crawl.scope import Scope
from telusur.crawl.shares import Budgets, parse_weights
from telusur.crawl.sitemap_rules import SitemapRules
from telusur.crawl.verdicts import verdict_of, verdict_without_robots
from telusur.models import Reason, State
from telusur.run.active_host import ActiveHost
from telusur.run.answers import Answers
from telusur.run.errands import Errands
from telusur.run.gate import Gate
from telusur.run.hosts import ActiveHosts
from telusur.run.limits import Limits
from telusur.run.outcomes import Group, Outcome, Refill, RobotsFile
from telusur.run.pace import Pace
from telusur.run.progress import Progress
from telusur.run.reading import PageReader
from telusur.run.recorder import Recorder
from telusur.run.robots_gate import FRESH_SECONDS, ask_patiently, rules_from
from telusur.settings import CrawlSettings, most_per_address

MOST_HOSTS = 400
"""Hosts worked on at once; the others wait on disk."""
MOST_UNWRITTEN_BYTES = 16_000_000
"""Bytes of the pages under way; bounds memory."""
BEAT_SECONDS = 0.25
LONGEST_HOLD_SECONDS = 60.0
"""A host that must be left alone for longer goes back to the frontier, which remembers it."""
GRACE_SECONDS = 10.0


@dataclass(slots=True, frozen=True)
class Equipment:
    """What the scouter is handed: network, parsers, memory, time."""

    client: Gate
    reader: PageReader
    recorder: Recorder
    discovery: Discovery
    clock: Clock
    progress: Progress
    terms_for: Callable[[str], HostTerms]
    """How a host is treated."""
    budgets: Budgets
    sitemaps: SitemapRules


class Scouter:
    """Runs one crawl until nothing is left, a limit is reached, or `stop` is called."""

    def __init__(self, settings: CrawlSettings, equipment: Equipment) -> None:
        self._settings = settings
        self._with = equipment
        self._pace = Pace(
            equipment.recorder.scoring.strategy.is_ordered, one_by_one=settings.connections == 1
        )
        self._hosts = ActiveHosts(
            equipment.terms_for,
            is_fair=settings.fair == "equal",
            per_address=most_per_address(settings),
            weights=parse_weights(settings.weight),
            most_share=settings.most_share if self._pace.is_ordered else None,
        )
        clock = equipment.clock
        self._errands = Errands(
            equipment.client, self._hosts, clock, self._may_go_on,
            agent=settings.user_agent, room=asyncio.Semaphore(settings.connections),
        )  # fmt: skip
        self._started_at = self._run_at = clock()
        self._group = Group()
        self._requests: set[asyncio.Task[None]] = set()
        self._unwritten = 0
        self._unwritten_bytes = 0
        self._answers = Answers(
            settings, equipment.reader, equipment.discovery, equipment.recorder.yields,
            self._errands.fetch_part,
        )  # fmt: skip
        self._why = ""
        self._failure: BaseException | None = None
        self._wake = asyncio.Event()
        self._go_on = asyncio.Event()
        self._go_on.set()
        self._next_lease_at: float | None = 0.0
        self._written_at = 0.0
        self._thread = ThreadPoolExecutor(1, "recorder")

    def stop(self, why: str) -> None:
        """Stop gracefully: finish what is in flight, write it, leave the rest waiting."""
        self._why = self._why or why
        self._go_on.set()
        self._wake.set()

    def pause(self) -> None:
        """Start no request until `resume`; what is in flight ends and is written."""
        if not self._why:
            self._go_on.clear()

    def resume(self) -> None:
        """Go on after a pause."""
        self._go_on.set()
        self._wake.set()

    def limit(self, changes: Limits) -> None:
        """Go on under other limits; a new delay counts from a host's next request on."""
        before = self._settings
        self._settings = replace(before, **changes)  # type: ignore[arg-type]
        self._group.limits |= {
            name: value for name, value in changes.items() if getattr(before, name) != value
        }
        self._hosts.renew_terms()
        scope = self._with.discovery.scope
        self._go_by(scope.with_limits(self._settings.depth, self._settings.scope))
        self._wake.set()

    def _go_by(self, scope: Scope) -> None:
        """Start nothing from now on that a changed limit forbids; it waits on disk, to be judged.

        What is known there is judged with the next group, so that no kill can come between.
        """
        if scope is self._with.discovery.scope:
            return
        self._with.discovery.go_by(scope)
        self._group.scope = scope
        for host in self._hosts:
            host.is_dry = False
            left_out = self._leave_out(host, host.urls)
            if host.robots is not None:  # before that nothing is taken from a budget
                for leased in left_out:
                    self._with.budgets.give_back(leased.url)
            host.urls = deque(leased for leased in host.urls if leased not in left_out)

    @property
    def in_flight(self) -> int:
        """Return the URLs under way, from request to commit."""
        return self._unwritten

    async def run(self) -> str:
        """Crawl; return why it ended: done, pages, seconds, or what `stop` was told."""
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
            self._thread.shutdown()
        if self._failure is not None:  # a fault of ours: everything is written, now say so
            raise self._failure
        return self._why

    def _deadline(self) -> float:
        seconds = self._settings.seconds
        return float("inf") if seconds is None else self._run_at + seconds

    def _check_limits(self) -> None:
        if self._with.clock() >= self._deadline():
            self.stop("seconds")
        elif self._pages_left() <= 0 and not self._unwritten:
            self.stop("pages")
        elif self._bytes_left() <= 0:
            self.stop("bytes")
        elif not (self._unwritten or self._requests or len(self._hosts)) and (
            self._group.is_empty() and self._next_lease_at is None
        ):
            self.stop("done")

    def _bytes_left(self) -> float:
        most = self._settings.total_bytes or float("inf")
        return most - self._with.progress.bytes - self._unwritten_bytes

    def _pages_left(self) -> float:
        if self._settings.pages is None:
            return float("inf")
        return self._settings.pages - self._with.progress.pages - self._unwritten

    async def _rest(self) -> None:
        """Sleep until there is something to write or a host may be asked again."""
        now = self._with.clock()
        times: list[float | None] = [self._deadline()]
        if self._go_on.is_set():
            times += [self._hosts.next_wake(), self._lease_time()]
        if not self._group.is_empty():
            is_due = not self._requests or self._is_large()
            times.append(now if is_due else self._written_at + BEAT_SECONDS)
        times.append(self._with.recorder.commit_at)
        soonest = min(at for at in times if at is not None)
        try:
            async with asyncio.timeout(min(max(soonest - now, 0.002), 1.0)):
                await self._wake.wait()
        except TimeoutError:
            pass
        self._wake.clear()

    def _lease_time(self) -> float | None:
        return self._next_lease_at if len(self._hosts) < MOST_HOSTS else None

    async def _wind_down(self) -> None:
        """Let requests in flight end, within a bound, and write what they brought."""
        if self._requests:
            await asyncio.wait(self._requests, timeout=GRACE_SECONDS)
        group, self._group = self._group, Group()
        group.hungry, group.new_hosts = [], 0
        now = self._with.clock()
        group.releases += [(host.name, host.next_at) for host in self._hosts if host.next_at > now]
        await self._write(group)
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._with.recorder.finish, self._with.clock())

    # Writing, and getting work in return

    async def _beat(self) -> None:
        """Write what came in, take new work, start what may be started."""
        self._start_requests()
        self._add_wishes()
        is_due = self._with.clock() - self._written_at >= BEAT_SECONDS
        is_time = is_due or not self._requests or self._is_large()
        if self._group.is_empty() or not is_time:
            await self._commit_when_due()
            return
        group, self._group = self._group, Group()
        self._exchange(group)
        self._take(group, await self._write(group))
        self._start_requests()

    async def _commit_when_due(self) -> None:
        """Commit what waited for more, when nothing more came."""
        due_at = self._with.recorder.commit_at
        if due_at is not None and due_at <= self._with.clock():
            loop = asyncio.get_running_loop()
            await loop.run_in_executor(self._thread, self._with.recorder.commit)

    def _is_large(self) -> bool:
        return len(self._group.outcomes) >= self._pace.large_group(self._with.progress.pages)

    def _exchange(self, group: Group) -> None:
        """Exchange what was handed out and not begun for the best that there is after this group.

        A quarter stays, so that a large crawl has something to do while the group is written.
        """
        if not (self._pace.is_ordered and group.outcomes):
            return
        k = self._urls_of_host()
        wanted = dict(group.hungry)
        for host in self._hosts:
            back = [host.urls.pop() for _ in range(len(host.urls) - k // 4)] if host.robots else []
            if not back:
                continue
            wanted[host.name] = k - len(host.urls)
            if group.scope is None:
                group.exchanged[host.name] = back
            else:  # to be judged before anything is handed out
                group.give_back(host.name, back)
                for leased in back:
                    self._with.budgets.give_back(leased.url)
        group.hungry = list(wanted.items())

    def _leave_out(self, host: ActiveHost, urls: Iterable[LeasedUrl]) -> list[LeasedUrl]:
        """Return those of the URLs that changed limits forbid; they wait again, to be judged."""
        scope = self._with.discovery.scope
        if not scope.number:
            return []
        left_out = [leased for leased in urls if scope.objection(leased.url, leased.depth)]
        if left_out:
            self._group.give_back(host.name, left_out)
            self._group.scope = scope
        return left_out

    def _urls_of_host(self) -> int:
        return self._pace.urls_of_host(self._with.progress.pages, len(self._hosts))

    async def _write(self, group: Group) -> Refill:
        loop = asyncio.get_running_loop()
        now = self._written_at = self._with.clock()
        refill = await loop.run_in_executor(self._thread, self._with.recorder.write, group, now)
        for outcome in group.outcomes:
            self._unwritten -= 1
            self._unwritten_bytes -= len(outcome.page.body) if outcome.page else 0
            self._with.progress.count(outcome)
        self._with.progress.gain(refill.gained)
        return refill

    def _add_wishes(self) -> None:
        """Ask for more URLs where they run low, for new hosts, and give back finished ones."""
        group = self._group
        group.hungry.clear()
        group.k = self._urls_of_host()
        latest = self._with.clock() + LONGEST_HOLD_SECONDS
        for host in list(self._hosts):
            is_over = host.is_dry and host.is_finished()
            is_parked = host.next_at > latest and host.is_idle()
            if host.robots is not None and (is_over or is_parked):
                group.releases.append((host.name, host.next_at))
                for leased in host.urls:
                    self._with.budgets.give_back(leased.url)
                self._hosts.drop(host)
            elif not host.is_dry and host.robots and len(host.urls) < (group.k + 1) // 2:
                group.hungry.append((host.name, group.k))
        lease_time = self._lease_time()
        is_time = lease_time is not None and lease_time <= self._with.clock()
        is_time = is_time and self._go_on.is_set()
        group.new_hosts = MOST_HOSTS - len(self._hosts) if is_time else 0

    def _take(self, group: Group, refill: Refill) -> None:
        """Take on what the frontier handed out."""
        self._next_lease_at = refill.next_ready_at
        for outcome in group.outcomes:
            self._hosts.find(outcome.host).uncommitted -= 1
        for name, urls in refill.more.items():
            host = self._hosts.find(name)
            host.is_dry = not urls
            self._admit(host, self._allowed(host, urls), group.exchanged.get(name, ()))
        for name in refill.gained.hosts:
            if name in self._hosts:
                self._hosts.find(name).is_dry = False
        for lease in refill.leases:
            host = self._hosts.activate(lease, self._with.clock())
            allowed = self._allowed(host, lease.urls)
            stored = refill.robots.get(lease.host)
            if stored is not None and stored.at > self._with.clock() - FRESH_SECONDS:
                self._obey(host, rules_from(stored.data, stored.status))
                host.rest(self._started_at, host.manners.delay(0.0))  # asked just before a kill?
                self._admit(host, allowed)
            else:
                host.urls.extend(allowed)
                self._spawn(self._ask_robots(host))

    def _allowed(self, host: ActiveHost, urls: Sequence[LeasedUrl]) -> Sequence[LeasedUrl]:
        """Return the URLs that limits allow which may have changed while these were handed out."""
        left_out = self._leave_out(host, urls)
        return [leased for leased in urls if leased not in left_out] if left_out else urls

    # Robots

    async def _ask_robots(self, host: ActiveHost) -> None:
        """Learn a host's rules before its first page."""
        answer = await ask_patiently(self._errands.fetch, host.name)
        if answer is None:
            return
        now = self._with.clock()
        self._group.robots.append(RobotsFile(host.name, answer.page, answer.data))
        self._obey(host, answer.rules or Robots.disallow_all())
        host.rest(now, host.manners.delay(answer.page.seconds))
        if answer.rules is None:
            host.refusal = answer.page
        urls = tuple(host.urls)
        host.urls.clear()
        self._admit(host, urls)
        self._wake.set()

    async def _may_go_on(self) -> bool:
        """Wait while the crawl pauses; tell whether it goes on at all."""
        await self._go_on.wait()
        return not self._why

    def _obey(self, host: ActiveHost, robots: Robots) -> None:
        host.obey(robots, self._settings.user_agent)
        self._group.sitemaps += self._with.sitemaps.of_host(host.name, robots)

    def _admit(
        self, host: ActiveHost, urls: Iterable[LeasedUrl], before: Iterable[LeasedUrl] = ()
    ) -> None:
        """Line up the URLs that robots.txt allows and that promise something; the others end.

        Those that stood in line before were asked about then.
        """
        stood = {leased.url_id: leased for leased in before}
        for leased in urls:
            is_asked = stood.pop(leased.url_id, None) is not None
            verdict = None if is_asked else self._objection(host, leased)
            if verdict is None:
                host.urls.append(leased)
            else:
                self._count_under_way(host)
                self._deliver(Outcome(leased, host.name, host.site.name, verdict))
        for leased in stood.values():
            self._with.budgets.give_back(leased.url)
        self._hosts.enlist(host)

    def _objection(self, host: ActiveHost, leased: LeasedUrl) -> Verdict | None:
        """Return why a URL is not fetched, or None."""
        assert host.robots is not None
        agent = self._settings.user_agent
        if host.refusal is not None:
            return verdict_without_robots(leased, host.refusal)
        if not host.robots.allows(leased.url, agent):
            reason = f"{Reason.ROBOTS}: {host.robots.rule_for(leased.url, agent)}"
            return Verdict(leased.url_id, State.SKIPPED, reason)
        if not self._with.client.knows(leased.url):
            return Verdict(leased.url_id, State.SKIPPED, Reason.NOT_ARCHIVED)
        if leased.sitemap:
            return None
        reason = ""
        if self._settings.traps:
            reason = self._with.recorder.yields.stale_reason(leased.url, leased.depth) or ""
        reason = reason or self._with.budgets.take(leased.url)
        return Verdict(leased.url_id, State.SKIPPED, reason) if reason else None

    # Requests

    def _start_requests(self) -> None:
        """Ask every host whose turn it is, as far as the limits allow."""
        if self._why or not self._go_on.is_set():
            return
        with closing(self._hosts.choose(self._with.clock())) as chosen:
            while self._has_room() and (host := next(chosen, None)) is not None:
                self._count_under_way(host)
                leased = host.urls.popleft()
                self._hosts.begin(host, self._with.clock(), is_page=not leased.sitemap)
                self._spawn(self._visit(host, leased))

    def _has_room(self) -> bool:
        return (
            len(self._requests) < self._settings.connections
            and self._unwritten < self._pace.most_under_way(self._with.progress.pages)
            and self._unwritten_bytes < MOST_UNWRITTEN_BYTES
            and self._pages_left() > 0
        )

    def _count_under_way(self, host: ActiveHost) -> None:
        self._unwritten += 1
        host.uncommitted += 1

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
        self._start_requests()

    async def _visit(self, host: ActiveHost, leased: LeasedUrl) -> None:
        """Fetch one URL, have it parsed, and deliver how it ended."""
        client = self._with.client
        terms = host.terms
        page = await client.fetch(
            leased.url,
            headers=terms.headers,
            wants=self._answers.wanted_of(leased),
            wire=terms.wire,
        )
        self._hosts.end(host, page.address)
        self._unwritten_bytes += len(page.body)
        now = self._with.clock()
        host.heed(page, now)
        self._hosts.enlist(host)
        self._start_requests()
        verdict = verdict_of(leased, page, now)
        outcome = Outcome(leased, host.name, host.site.name, verdict, page)
        self._deliver(await self._answers.read(outcome, page))

    def _deliver(self, outcome: Outcome) -> None:
        page = outcome.page
        if page and (page.status is None or outcome.verdict.state is State.WAITING):
            self._with.budgets.give_back(outcome.leased.url)
        is_first = not self._group.outcomes
        self._group.outcomes.append(outcome)
        if is_first or self._is_large():
            self._wake.set()
