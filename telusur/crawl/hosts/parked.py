"""The paused hosts of a crawl, so that it can say what it is waiting for."""

from collections.abc import Iterable

from telusur.crawl.hosts.active_host import ActiveHost
from telusur.crawl.hosts.holds import Hold

# Shorter waits are not reported.
TELL_SECONDS = 3.0


class Holds:
    """Remembers why hosts were paused and returned to the frontier."""

    def __init__(self, stored: Iterable[Hold] = ()) -> None:
        self._parked = {hold.host: hold for hold in stored}

    def park(self, host: ActiveHost, now: float) -> Hold:
        """Note that a host was returned to the frontier, to be tried later."""
        hold = self._parked[host.name] = _hold_of(host, now)
        return hold

    def set_aside(self, host: ActiveHost) -> None:
        """Note that the patience with a host has run out: it is not tried again in this run."""
        why = f"{host.health.reason}; its URLs wait for the next run"
        self._parked[host.name] = Hold(host.name, None, why)

    def resume(self, name: str) -> None:
        """Note that a host is active again."""
        self._parked.pop(name, None)

    @property
    def has_set_aside(self) -> bool:
        """Tell whether there is a host that is not tried again in this run."""
        return any(hold.until is None for hold in self._parked.values())

    def now(self, hosts: Iterable[ActiveHost], now: float) -> list[Hold]:
        """Return all paused hosts, those that end soonest first."""
        active = [
            _hold_of(host, now)
            for host in hosts
            if host.next_at > now + TELL_SECONDS and (host.urls or host.errands)
        ]
        parked = [hold for hold in self._parked.values() if (hold.until or now + 1) > now]
        return sorted([*active, *parked], key=lambda hold: hold.until or float("inf"))

    def in_words(self, hosts: Iterable[ActiveHost], now: float) -> str:
        """Return what an idle crawl is waiting for; empty for a short wait."""
        holds = [hold for hold in self.now(hosts, now) if hold.until is not None]
        return holds[0].in_words() if holds else ""


def _hold_of(host: ActiveHost, now: float) -> Hold:
    stands = bool(host.health.failures and host.health.asked_for_rest)
    return Hold(host.name, host.next_at, host.why_resting(now), stands)
