"""The counters of a running crawl, the record they end in, and how fast they grow."""

from collections import Counter, deque
from dataclasses import dataclass, field

from telusur.models import Counts, Document, State
from telusur.run.outcomes import Gained, Outcome

RECENT_SECONDS = 5.0


@dataclass(slots=True)
class Progress:
    """Counters since the collection began; `fetched` and `bytes` are of this run alone."""

    started_at: float
    found: int = 0
    waiting: int = 0
    pages: int = 0
    done: int = 0
    failed: int = 0
    skipped: int = 0
    fetched: int = 0
    bytes: int = 0
    rendered: int = 0
    """Pages of this run that a browser drew."""
    needs_browser: int = 0
    """Pages of this run that only a browser could fill, and none did."""
    unrendered: Counter[str] = field(default_factory=Counter)
    """Why pages of this run could not be rendered, though a browser tried."""
    no_browser: str = ""
    """What is missing for rendering, in words."""
    hook_troubles: Counter[str] = field(default_factory=Counter)
    """What the user's own code did wrong, and on how many pages of this run."""
    last_url: str = ""
    reasons: Counter[str] = field(default_factory=Counter)
    """Why URLs failed in this run, by the first words of their reason."""
    statuses: Counter[int] = field(default_factory=Counter)
    """HTTP status codes of this run's answers, also of tries that are repeated."""
    judged: int = 0
    """Pages of this run whose topic score is known."""
    relevant: int = 0
    """Those of them that are about the topic."""
    paused: str = ""
    """Why no request is started now, or empty."""

    @classmethod
    def continuing(cls, counts: Counts, now: float) -> "Progress":
        """Start from what the collection has."""
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
        if page is not None and page.status is not None and not outcome.is_sitemap:
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
        """Return the share of this run's pages that are about the topic; None without a topic."""
        return self.relevant / self.judged if self.judged else None

    def gain(self, gained: Gained) -> None:
        """Count what the pages of a group added."""
        self.found += gained.found
        self.waiting += gained.waiting
        self.skipped += gained.skipped


@dataclass(slots=True, frozen=True)
class Speed:
    """How fast a crawl is: pages and bytes a second."""

    pages: float = 0.0
    bytes: float = 0.0


class Speedometer:
    """Speed over the last few seconds, as a person expects a speed to be."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int, int]] = deque()

    def measure(self, progress: Progress, now: float) -> Speed:
        """Take a sample and return the speed."""
        samples = self._samples
        samples.append((now, progress.fetched, progress.bytes))
        while len(samples) > 2 and samples[1][0] <= now - RECENT_SECONDS:
            samples.popleft()
        at, pages, size = samples[0]
        if now <= at:
            return Speed()
        return Speed((progress.fetched - pages) / (now - at), (progress.bytes - size) / (now - at))
