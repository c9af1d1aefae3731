"""A host and a site at work: what they are due, and whether others wait for them."""

from collections import deque
from dataclasses import dataclass, field

from telusur.crawl.frontier import LeasedUrl
from telusur.crawl.host_terms import HostTerms
from telusur.crawl.politeness import Manners, back_off, is_overload, may_retry, retry_after
from telusur.crawl.robots import Robots
from telusur.models import Page

PARKED_SECONDS = 1.0
"""A host that must wait, or keeps us waiting, longer than this holds nobody back."""
FAILURES_TO_PARK = 3
"""Failures in a row that count as a sign of overload."""


@dataclass(slots=True)
class ActiveSite:
    """A site with hosts at work; `taken`, its pages divided by its weight, fairness compares."""

    name: str
    taken: float
    weight: float = 1.0
    hosts: int = 0
    pacers: dict[str, "ActiveHost"] = field(default_factory=dict)
    """Hosts that may hold other sites back."""
    is_pacing: bool = False

    def holds_back(self, now: float) -> bool:
        """Tell whether other sites wait for this one; hosts they do not wait for are dropped."""
        while self.pacers:
            host = next(iter(self.pacers.values()))
            if host.holds_back(now):
                return True
            del self.pacers[host.name]
        return False


@dataclass(slots=True)
class ActiveHost:
    """A leased host with its URLs, its robots rules and the time it may be asked again."""

    name: str
    site: ActiveSite
    terms: HostTerms
    urls: deque[LeasedUrl] = field(default_factory=deque)
    in_flight: int = 0
    uncommitted: int = 0
    """URLs asked for or judged whose end is not written yet."""
    asked_at: float = 0.0
    next_at: float = 0.0
    pause: float = 0.0
    """Seconds it was left alone after its last answer."""
    robots: Robots | None = None
    manners: Manners = field(default_factory=Manners)
    refusal: Page | None = None
    """The answer instead of a robots.txt, when none could be had."""
    failures: int = 0
    failed_at: float = 0.0
    """When it failed last."""
    address: str = ""
    """Where it answered from last."""
    is_dry: bool = False
    """The frontier has nothing more for it."""
    is_listed: bool = False
    rank: float | None = None
    """Its place in the line of those that may be asked now, the least first."""
    is_crowded_out: bool = False
    """It waits until its address has room."""
    errands: int = 0
    """Requests outside the line that wait for their turn, and come first."""

    def is_finished(self) -> bool:
        """Tell whether everything handed out for this host is written."""
        return not self.urls and self.is_idle()

    def is_idle(self) -> bool:
        """Tell whether nothing of this host is under way."""
        return not (self.uncommitted or self.in_flight or self.errands)

    def obey(self, robots: Robots, agent: str) -> None:
        """Take on the rules of its robots.txt."""
        self.robots = robots
        asked = max(robots.crawl_delay(agent) or 0.0, robots.request_rate(agent) or 0.0)
        self.manners = Manners(self.terms.delay, asked, robots.visit_time(agent))

    def heed(self, page: Page, now: float) -> None:
        """Be left alone as its answer asks for."""
        pause = self.manners.delay(page.seconds)
        self._count_failure(page, now)
        if is_overload(page.status):
            wait = retry_after(page.header("retry-after"), now)
            pause = max(pause, back_off(self.failures) if wait is None else wait)
        elif self.failures >= FAILURES_TO_PARK:
            pause = max(pause, back_off(self.failures - FAILURES_TO_PARK + 1))
        if self.terms.per_host == 1 or self.failures:
            self.rest(now, pause)

    def _count_failure(self, page: Page, now: float) -> None:
        """Count failures in a row; requests that were under way together fail together."""
        if not may_retry(page.status):
            self.failures = 0
        else:
            self.failures += page.fetched_at >= self.failed_at
            self.failed_at = now

    def rest(self, now: float, seconds: float) -> None:
        """Be left alone so long, and outside the hours that robots.txt names."""
        self.pause = seconds
        self.next_at = self.manners.next_time(max(self.next_at, now + seconds))

    def holds_back(self, now: float) -> bool:
        """Tell whether others wait for this host: not if it is parked, or has nothing to fetch."""
        longest = max(self.manners.delay(0.0), self.pause, self.next_at - now)
        if self.is_crowded_out or longest > PARKED_SECONDS:
            return False
        if self.in_flight:
            return now - self.asked_at <= PARKED_SECONDS
        return bool(self.urls)
