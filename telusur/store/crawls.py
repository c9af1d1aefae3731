"""Reading what happened in the crawls of a collection."""

from typing import Protocol

from telusur.models import State
from telusur.store.records import CrawlRecord, Cursor
from telusur.store.views import LastPage, ListedUrl, ServerAnswers, Tallies


class CrawlReader(Protocol):
    """What the pages about crawls show. In a large collection it may be a few seconds old."""

    def runs(self) -> list[CrawlRecord]:
        """Return all crawls, the oldest first; without credentials."""

    def last_run(self) -> CrawlRecord | None:
        """Return the crawl that was started last, or None."""

    def start_urls(self) -> list[str]:
        """Return the start URLs of all crawls, in the order they were first named."""

    def hosts_to_ask(self) -> set[str]:
        """Return the hosts with waiting or leased URLs."""

    def last_pages(self) -> tuple[LastPage, ...]:
        """Return about fifteen of the pages fetched last, the newest first."""

    def answers(self) -> ServerAnswers:
        """Return statistics of responses."""

    def list_urls(self, state: State, reason: str, after: Cursor, limit: int) -> list[ListedUrl]:
        """Return URLs in a state, and with a kind of reason unless it is empty.

        `after` is the cursor of the last URL of the previous part. An invalid cursor raises
        `UsageError`.
        """

    def tallies(self, limit: int) -> Tallies:
        """Count failed and skipped URLs by reason, and the `limit` largest sites.

        Once a crawl has begun or ended the numbers are exact. The clock of the store decides which
        hosts are still parked.
        """
