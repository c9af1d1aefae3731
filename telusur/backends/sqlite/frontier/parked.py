"""Why a waiting URL is not fetched: its host is parked."""

import json
import sqlite3

from telusur.crawl.hosts.holds import HOLDS, Hold, in_force, moment, unpack_holds
from telusur.crawl.hosts.politeness import hours_of, opens_at
from telusur.crawl.rules.robots import Robots


def why_parked(connection: sqlite3.Connection, host: str, now: float) -> str:
    """Return until when a host is parked, and the status of its robots.txt; else nothing."""
    row = connection.execute(
        "SELECT not_before, robots FROM hosts WHERE host = ?", (host,)
    ).fetchone()
    hold = next((hold for hold in _holds(connection) if hold.host == host), None)
    if hold is not None and hold.until is None:
        return f"no more requests were sent to the host: {hold.why}"
    if row is None or row[0] <= now:
        return ""
    not_before, robots = row
    told = f"the host is paused until {moment(not_before)}"
    hours = _visit_time(robots, _agent(connection), now) if robots else ""
    if hours:
        return f"{told}, robots.txt says Visit-time: {hours}"
    return f"{told}: {hold.why}" if hold is not None else told


def holds_now(connection: sqlite3.Connection, now: float) -> list[Hold]:
    """Return the hosts that the last crawl parked and that have waiting URLs."""
    holds = in_force(_holds(connection), now)
    return [hold for hold in holds if _has_waiting(connection, hold.host)]


def _has_waiting(connection: sqlite3.Connection, host: str) -> bool:
    row = connection.execute("SELECT waiting FROM hosts WHERE host = ?", (host,)).fetchone()
    return row is not None and row[0] > 0


def _holds(connection: sqlite3.Connection) -> list[Hold]:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (HOLDS,)).fetchone()
    return unpack_holds(row[0] if row else None)


def _visit_time(robots: bytes, agent: str, now: float) -> str:
    window = Robots.parse(robots).visit_time(agent)
    if window is None or opens_at(window, now) == now:
        return ""
    return hours_of(window)


def _agent(connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT settings FROM crawls ORDER BY id DESC LIMIT 1").fetchone()
    return str(json.loads(row[0]).get("user_agent", "")) if row else ""
