"""The counters of a running crawl, and the record they end in."""

from collections import Counter
from dataclasses import dataclass, field

from telusur.models import Counts, State
from telusur.run.recorder import Gained, Outcome


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
    needs_browser: int = 0
    last_url: str = ""
    reasons: Counter[str] = field(default_factory=Counter)
    """Why URLs failed in this run, by the first words of their reason."""

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
        if state is State.WAITING:
            return
        self.waiting -= 1
        self.done += state is State.DONE
        self.failed += state is State.FAILED
        self.skipped += state is State.SKIPPED
        if state is State.FAILED:
            self.reasons[outcome.verdict.reason.partition(",")[0]] += 1
        if page is not None and page.status is not None:
            self.pages += 1
            self.fetched += 1
        parsed = outcome.parsed
        if parsed is not None and parsed.document is not None and parsed.document.needs_browser:
            self.needs_browser += 1

    def gain(self, gained: Gained) -> None:
        """Count what the pages of a group added."""
        self.found += gained.found
        self.waiting += gained.waiting
        self.skipped += gained.skipped
