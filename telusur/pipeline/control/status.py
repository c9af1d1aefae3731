"""The state of a collection and of the crawl that runs in it, as `telusur status` tells it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from telusur.adapters.sqlite_tallies import SiteTally, Tallies
from telusur.models import Counts
from telusur.run.progress import Progress, Speed

RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"
IDLE = "idle"
"""No crawl runs."""
BUSY = "busy"
"""A process writes the collection that is not a crawl, or one that cannot be asked."""

OUTCOMES = {
    "": "nothing was crawled yet",
    "done": "the last crawl left nothing to fetch",
    "pages": "the last crawl reached its page limit",
    "seconds": "the time of the last crawl was up",
    "bytes": "the last crawl reached its limit of bytes",
    "interrupted": "the last crawl was stopped",
    "running": "the last crawl was killed; the same command goes on",
}
"""How a crawl ended, in words."""


@dataclass(slots=True, frozen=True)
class Status:
    """Counters since the collection began; `fetched`, `bytes` and `answers` are of this run.

    `found` is the sum of waiting, in_flight, done, failed and skipped.
    """

    state: str = IDLE
    reason: str = ""
    """Why it is paused or stopping; when idle, how the last crawl ended."""
    pid: int | None = None
    started_at: float | None = None
    ended_at: float | None = None
    seconds: float = 0.0
    found: int = 0
    waiting: int = 0
    in_flight: int = 0
    done: int = 0
    failed: int = 0
    skipped: int = 0
    pages: int = 0
    fetched: int = 0
    bytes: int = 0
    pages_per_second: float = 0.0
    bytes_per_second: float = 0.0
    memory_bytes: int | None = None
    processes: int = 0
    relevant: int | None = None
    """Pages of this run, or of the last one, that are about the topic; None without one."""
    harvest_rate: float | None = None
    last_url: str = ""
    answers: dict[str, int] = field(default_factory=dict)
    failed_by_reason: dict[str, int] = field(default_factory=dict)
    skipped_by_reason: dict[str, int] = field(default_factory=dict)
    limits: dict[str, float | int | str | None] = field(default_factory=dict)
    """Where the running crawl may go and stops, and its delay: these may be changed meanwhile."""
    site_count: int = 0
    sites: tuple[SiteTally, ...] = ()

    @property
    def is_crawling(self) -> bool:
        """Tell whether a crawl runs."""
        return self.state in (RUNNING, PAUSED, STOPPING)

    def as_record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return asdict(self)


def live_status(progress: Progress, speed: Speed, in_flight: int, now: float) -> Status:
    """Return what a running crawl knows of itself."""
    answers = sorted(progress.statuses.items(), key=lambda item: -item[1])
    rate = progress.harvest_rate
    return Status(
        started_at=progress.started_at,
        seconds=round(now - progress.started_at, 3),
        found=progress.found,
        waiting=max(progress.waiting - in_flight, 0),
        in_flight=in_flight,
        done=progress.done,
        failed=progress.failed,
        skipped=progress.skipped,
        pages=progress.pages,
        fetched=progress.fetched,
        bytes=progress.bytes,
        pages_per_second=round(speed.pages, 2),
        bytes_per_second=round(speed.bytes),
        relevant=None if rate is None else progress.relevant,
        harvest_rate=None if rate is None else round(rate, 4),
        last_url=progress.last_url,
        answers={str(code): number for code, number in answers},
    )


def idle_status(counts: Counts, tallies: Tallies, *, is_busy: bool) -> Status:
    """Return the state of a collection in which no crawl can be asked."""
    return Status(
        state=BUSY if is_busy else IDLE,
        reason=tallies.last_outcome,
        started_at=tallies.last_started_at,
        ended_at=tallies.last_ended_at,
        found=counts.found,
        waiting=counts.waiting + counts.leased,  # leases of a crawl that was killed
        done=counts.done,
        failed=counts.failed,
        skipped=counts.skipped,
        pages=counts.pages,
        relevant=tallies.relevant,
        harvest_rate=tallies.harvest_rate,
    )


def with_tallies(status: Status, tallies: Tallies) -> Status:
    """Add what only the database tells: reasons and sites."""
    return replace(
        status,
        failed_by_reason=dict(tallies.failed.most_common()),
        skipped_by_reason=dict(tallies.skipped.most_common()),
        site_count=tallies.site_count,
        sites=tallies.sites,
    )


def status_from(record: Mapping[str, Any]) -> Status:
    """Read what a crawl sent, also one of another version."""
    known = {row.name for row in fields(Status)} - {"sites"}
    return Status(**{name: value for name, value in record.items() if name in known})
