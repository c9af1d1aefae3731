"""The status of a collection and its crawl, as `telusur status` shows it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from telusur.models import Counts
from telusur.store.views import FailedStarts, SiteTally, Tallies

# A status is also read without a crawl in this process.
if TYPE_CHECKING:
    from telusur.pipeline.control.progress import Progress, Speed

RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"
# No crawl runs.
IDLE = "idle"
# The reason of a pause that a user asked for.
ON_REQUEST = "on request"
# Some process other than a crawl writes the collection, or a crawl does not answer.
BUSY = "busy"

# How a crawl ended, in words.
OUTCOMES = {
    "": "nothing was crawled yet",
    "done": "the last crawl finished; no URLs are left",
    "pages": "the last crawl reached its page limit",
    "seconds": "the last crawl reached its time limit",
    "bytes": "the last crawl reached its byte limit",
    "interrupted": "the last crawl was stopped",
    "unreachable": "the last crawl left only URLs on hosts that did not respond; run the same"
    " command to retry them",
    "running": "the last crawl was killed; run the same command to resume",
}


@dataclass(slots=True, frozen=True)
class Status:
    """Counters of the whole collection; `fetched`, `bytes` and `answers` are of this run.

    `found` is the sum of waiting, in_flight, done, failed and skipped.
    """

    state: str = IDLE
    # Why the crawl is paused or stopping; when idle, how the last crawl ended.
    reason: str = ""
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
    # Relevant pages of this run, or of the last one; None without a topic.
    relevant: int | None = None
    harvest_rate: float | None = None
    last_url: str = ""
    answers: dict[str, int] = field(default_factory=dict)
    failed_by_reason: dict[str, int] = field(default_factory=dict)
    skipped_by_reason: dict[str, int] = field(default_factory=dict)
    # When idle: the start URLs of the last crawl, if all failed and it found nothing.
    failed_starts: FailedStarts | None = None
    # What the crawl waits for, and until when, in sentences.
    held: tuple[str, ...] = ()
    # Scope, limits and delay of the running crawl; these can change.
    limits: dict[str, float | int | str | None] = field(default_factory=dict)
    site_count: int = 0
    sites: tuple[SiteTally, ...] = ()

    @property
    def is_crawling(self) -> bool:
        """Tell whether a crawl runs."""
        return self.state in (RUNNING, PAUSED, STOPPING)

    def as_record(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return asdict(self)


def live_status(progress: "Progress", speed: "Speed", in_flight: int, now: float) -> Status:
    """Return the status of a running crawl."""
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
        held=(progress.held,) if progress.held else (),
        answers={str(code): number for code, number in answers},
    )


def idle_status(counts: Counts, tallies: Tallies, *, is_busy: bool) -> Status:
    """Return the status of a collection without a crawl that answers."""
    return Status(
        state=BUSY if is_busy else IDLE,
        reason=tallies.last_outcome,
        started_at=tallies.last_started_at,
        ended_at=tallies.last_ended_at,
        found=counts.found,
        # A killed crawl leaves leases behind; those URLs wait.
        waiting=counts.waiting + counts.leased,
        done=counts.done,
        failed=counts.failed,
        skipped=counts.skipped,
        pages=counts.pages,
        relevant=tallies.relevant,
        harvest_rate=tallies.harvest_rate,
        held=tuple(hold.in_words() for hold in tallies.holds),
        failed_starts=None if is_busy else tallies.failed_starts,
    )


def with_tallies(status: Status, tallies: Tallies) -> Status:
    """Add reasons and sites, which only the database knows.

    The numbers of failed and skipped URLs are the sums of their reasons, so that a reader can add
    them up. In a large collection both may be a few seconds old during a crawl.
    """
    failed, skipped = tallies.failed.total(), tallies.skipped.total()
    return replace(
        status,
        found=status.waiting + status.in_flight + status.done + failed + skipped,
        failed=failed,
        skipped=skipped,
        failed_by_reason=dict(tallies.failed.most_common()),
        skipped_by_reason=dict(tallies.skipped.most_common()),
        site_count=tallies.site_count,
        sites=tallies.sites,
    )


def status_from(record: Mapping[str, Any]) -> Status:
    """Read the status that a crawl sent, of another version too."""
    known = {row.name for row in fields(Status)} - {"sites", "failed_starts"}
    return Status(**{name: value for name, value in record.items() if name in known})
