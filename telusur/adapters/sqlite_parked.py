"""Why a URL waits although nobody fetches it: its host wants to be left alone for a while."""

import datetime
import json
import sqlite3

from telusur.crawl.politeness import opens_at
from telusur.crawl.robots import Robots


def why_parked(connection: sqlite3.Connection, host: str, now: float) -> str:
    """Return until when a host is left alone, and what its robots.txt said; or nothing."""
    row = connection.execute(
        "SELECT not_before, robots FROM hosts WHERE host = ?", (host,)
    ).fetchone()
    if row is None or row[0] <= now:
        return ""
    not_before, robots = row
    until = datetime.datetime.fromtimestamp(not_before, datetime.UTC)
    told = f"the host is left alone until {until:%Y-%m-%d %H:%M} UTC"
    hours = _visit_time(robots, _agent(connection), now) if robots else ""
    return f"{told}, robots.txt says Visit-time: {hours}" if hours else told


def _visit_time(robots: bytes, agent: str, now: float) -> str:
    window = Robots.parse(robots).visit_time(agent)
    if window is None or opens_at(window, now) == now:
        return ""
    return "-".join(f"{minute // 60:02}{minute % 60:02}" for minute in window)


def _agent(connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT settings FROM crawls ORDER BY id DESC LIMIT 1").fetchone()
    return str(json.loads(row[0]).get("user_agent", "")) if row else ""
