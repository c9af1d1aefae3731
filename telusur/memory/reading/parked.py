"""Why a host is parked."""

from telusur.crawl.hosts.holds import HOLDS, Hold, in_force, moment, unpack_holds
from telusur.crawl.hosts.politeness import hours_of, opens_at
from telusur.crawl.rules.robots import Robots
from telusur.memory.state import Tables
from telusur.models import State


def why_parked(tables: Tables, host: str, now: float) -> str:
    """Return until when a host is parked, and the status of its robots.txt; else nothing."""
    known = tables.hosts.get(host)
    hold = next((hold for hold in _holds(tables) if hold.host == host), None)
    if hold is not None and hold.until is None:
        return f"no more requests were sent to the host: {hold.why}"
    if known is None or known.not_before <= now:
        return ""
    told = f"the host is paused until {moment(known.not_before)}"
    hours = _visit_time(tables, known.robots.data, now) if known.robots is not None else ""
    if hours:
        return f"{told}, robots.txt says Visit-time: {hours}"
    return f"{told}: {hold.why}" if hold is not None else told


def holds_now(tables: Tables, now: float) -> tuple[Hold, ...]:
    """Return the hosts that the last crawl parked and that have waiting URLs."""
    waiting = {url.host for url in tables.urls.values() if url.state is State.WAITING}
    return tuple(hold for hold in in_force(_holds(tables), now) if hold.host in waiting)


def _holds(tables: Tables) -> list[Hold]:
    return unpack_holds(tables.facts.get(HOLDS))


def _visit_time(tables: Tables, robots: bytes, now: float) -> str:
    agent = str(tables.crawls[-1].settings.get("user_agent", "")) if tables.crawls else ""
    window = Robots.parse(robots).visit_time(agent)
    return "" if window is None or opens_at(window, now) == now else hours_of(window)
