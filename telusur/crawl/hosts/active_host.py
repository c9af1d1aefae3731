"""A host and a site being crawled: their politeness, and whether others wait for them."""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from telusur.crawl.frontier_records import LeasedUrl
from telusur.crawl.hosts.health import Health
from telusur.crawl.hosts.in_order import InOrder
from telusur.crawl.hosts.politeness import Manners
from telusur.crawl.hosts.terms import HostTerms
from telusur.crawl.rules.robots import Robots
from telusur.models import Page

# Other sites do not wait for a host that pauses, or takes to respond, longer than this.
PARKED_SECONDS = 1.0


@dataclass(slots=True)
class ActiveSite:
    """A site being crawled; fairness compares `taken`, its pages divided by its weight."""

    name: str
    taken: float
    weight: float = 1.0
    hosts: int = 0
    # Hosts that may hold other sites back.
    pacers: dict[str, "ActiveHost"] = field(default_factory=dict)
    is_pacing: bool = False

    def holds_back(self, now: float) -> bool:
        """Tell whether other sites wait for this one; drops the hosts they do not wait for."""
        while self.pacers:
            host = next(iter(self.pacers.values()))
            if host.holds_back(now):
                return True
            del self.pacers[host.name]
        return False


@dataclass(slots=True)
class ActiveHost:
    """A leased host with its URLs, its robots rules and the time of its next request."""

    name: str
    site: ActiveSite
    terms: HostTerms
    urls: deque[LeasedUrl] = field(default_factory=deque)
    in_flight: int = 0
    # URLs fetched or judged whose result is not written yet.
    uncommitted: int = 0
    asked_at: float = 0.0
    next_at: float = 0.0
    # Seconds of pause after its last response.
    pause: float = 0.0
    robots: Robots | None = None
    manners: Manners = field(default_factory=Manners)
    # The response when robots.txt could not be fetched.
    refusal: Page | None = None
    health: Health = field(default_factory=Health)
    # The IP address of its last response.
    address: str = ""
    # The frontier has nothing more for it.
    is_dry: bool = False
    is_listed: bool = False
    # Its rank in the queue of hosts that are ready, lowest first.
    rank: float | None = None
    # It waits because too many requests to its IP address are in flight.
    is_crowded_out: bool = False
    # Outcomes of its pages that are being parsed; the pipeline defines what an outcome is.
    answers: InOrder[Any] = field(default_factory=InOrder)
    # Requests outside the queue that are waiting; they come first.
    errands: int = 0

    def is_finished(self) -> bool:
        """Tell whether the results of all URLs of this host are written."""
        return not self.urls and self.is_idle()

    def is_idle(self) -> bool:
        """Tell whether nothing of this host is in flight."""
        return not (self.uncommitted or self.in_flight or self.errands)

    def obey(self, robots: Robots, agent: str) -> None:
        """Apply the rules of its robots.txt."""
        self.robots = robots
        self.take_manners(robots, agent)

    def take_manners(self, robots: Robots, agent: str) -> None:
        """Apply the pauses and hours that its robots.txt asks for."""
        asked = max(robots.crawl_delay(agent) or 0.0, robots.request_rate(agent) or 0.0)
        self.manners = Manners(self.terms.delay, asked, robots.visit_time(agent))

    def heed(self, page: Page, now: float, *, is_first_try: bool = False) -> None:
        """Set the pause that a response asks for.

        A page without a response, however long it took, does not mean that the host is slow.
        """
        wanted = self.health.heed(page, now, is_first_try=is_first_try)
        usual = self.manners.delay(page.seconds if page.status is not None else 0.0)
        if self.terms.per_host == 1 or wanted:
            self.rest(now, max(usual, wanted))

    def why_resting(self, now: float) -> str:
        """Return in words why the host is paused."""
        return self.health.reason if self.health.failures else self.manners.in_words(now)

    def rest(self, now: float, seconds: float) -> None:
        """Pause for some seconds, and outside the visiting hours of robots.txt."""
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
