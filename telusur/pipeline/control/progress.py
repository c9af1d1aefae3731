"""The counters of a running crawl, and their speed."""

from collections import Counter, deque
from dataclasses import dataclass, field

from telusur.crawl.hosts.holds import Hold
from telusur.models import Counts, Document, State
from telusur.pipeline.outcomes import Gained, Outcome

RECENT_SECONDS = 5.0


@dataclass(slots=True)
class Progress:
    """Counters of the whole collection; `fetched` and `bytes` are of this run only."""

    started_at: float
    found: int = 0
    waiting: int = 0
    pages: int = 0
    done: int = 0
    failed: int = 0
    skipped: int = 0
    fetched: int = 0
    bytes: int = 0
    # Pages of this run that were rendered.
    rendered: int = 0
    # Pages of this run that are empty without JavaScript and were not rendered.
    needs_browser: int = 0
    # Why rendering failed in this run, with counts.
    unrendered: Counter[str] = field(default_factory=Counter)
    # Why there is no browser, in words.
    no_browser: str = ""
    # Errors of the user's hooks, and the number of pages of this run.
    hook_troubles: Counter[str] = field(default_factory=Counter)
    last_url: str = ""
    # Failed URLs of this run, by the first words of their reason.
    reasons: Counter[str] = field(default_factory=Counter)
    # HTTP status codes of this run, retries included.
    statuses: Counter[int] = field(default_factory=Counter)
    # Pages of this run whose topic score is known.
    judged: int = 0
    # Relevant pages among them.
    relevant: int = 0
    # Why the crawl is paused, or empty.
    paused: str = ""
    # What an idle crawl waits for, as a sentence; or empty.
    held: str = ""
    # At the end: hosts on hold with URLs left.
    holds: list[Hold] = field(default_factory=list)

    @classmethod
    def continuing(cls, counts: Counts, now: float) -> "Progress":
        """Start from the counts of the collection."""
        return cls(
            started_at=now,
            found=counts.found,
            waiting=counts.waiting + counts.leased,
            pages=counts.pages,
            done=counts.done,
            failed=counts.failed,
            skipped=counts.skipped,
        )

    def count(self, outcome: Outcome) -> None:
        """Count one written outcome."""
        state = outcome.verdict.state
        page = outcome.page
        if page is not None:
            self.last_url = page.url
            self.bytes += len(page.body)
            if page.status is not None:
                self.statuses[page.status] += 1
        if state is State.WAITING:
            return
        self.waiting -= 1
        self.done += state is State.DONE
        self.failed += state is State.FAILED
        self.skipped += state is State.SKIPPED
        if state is State.FAILED:
            self.reasons[outcome.verdict.reason.partition(",")[0]] += 1
        if outcome.is_counted:
            self.pages += 1
            self.fetched += 1
        parsed = outcome.parsed
        if parsed is not None and parsed.document is not None:
            self._count_relevance(parsed.document)
        if parsed is not None and parsed.trouble:
            self.hook_troubles[parsed.trouble] += 1
        if parsed is not None and parsed.rendered:
            self.rendered += 1
            self.bytes += parsed.part_bytes
        elif parsed is not None and parsed.rendering:
            self.unrendered[parsed.rendering.partition(": ")[2]] += 1
        elif parsed is not None and parsed.document is not None and parsed.document.needs_browser:
            self.needs_browser += 1

    def _count_relevance(self, document: Document) -> None:
        if document.topic_score is not None:
            self.judged += 1
            self.relevant += bool(document.topic)

    @property
    def harvest_rate(self) -> float | None:
        """Return the share of relevant pages in this run; None without a topic."""
        return self.relevant / self.judged if self.judged else None

    def gain(self, gained: Gained) -> None:
        """Add the changes of a group."""
        self.found += gained.found
        self.waiting += gained.waiting
        self.skipped += gained.skipped
        self.failed += gained.failed


@dataclass(slots=True, frozen=True)
class Speed:
    """The speed of a crawl: pages and bytes per second."""

    pages: float = 0.0
    bytes: float = 0.0


class Speedometer:
    """Measures the speed over the last few seconds."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int, int]] = deque()

    def measure(self, progress: Progress, now: float) -> Speed:
        """Take a sample and return the speed; a paused crawl has none."""
        samples = self._samples
        samples.append((now, progress.fetched, progress.bytes))
        while len(samples) > 2 and samples[1][0] <= now - RECENT_SECONDS:
            samples.popleft()
        at, pages, size = samples[0]
        if now <= at or progress.paused:
            return Speed()
        return Speed((progress.fetched - pages) / (now - at), (progress.bytes - size) / (now - at))
