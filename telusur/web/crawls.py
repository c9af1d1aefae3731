"""What the workbench asks of crawls: the second contract beside `CollectionReader`, for acting."""

from collections.abc import Sequence
from typing import Protocol

from telusur.adapters.sqlite_crawls import ListedUrl
from telusur.adapters.timeline_file import Sample
from telusur.models import State
from telusur.run.comparing import Comparison
from telusur.run.limits import Limits
from telusur.run.status import Status
from telusur.settings import CrawlSettings
from telusur.shelf import Snapshot
from telusur.web.reader import CollectionReader


class Crawls(Protocol):
    """Collections by name and the crawls that run into them: `telusur.shelf.Shelf`.

    The methods may block; the workbench calls them from several threads at once. What makes no
    sense is raised as one clear sentence.
    """

    usual: CrawlSettings
    """What a crawl does where it is not told otherwise."""
    holds_one: bool
    """There is one collection, and there can be no other."""

    def names(self) -> list[str]:
        """Return the names of the collections."""
        ...

    def comparison(self) -> Comparison | None:
        """Return what came out when strategies were compared here, or None."""
        ...

    def open(self, name: str) -> CollectionReader:
        """Return a collection that is there."""
        ...

    def place_of(self, name: str) -> object:
        """Return where a collection lies or would lie, or raise why it cannot be called so."""
        ...

    def check(self, urls: Sequence[str], settings: CrawlSettings) -> None:
        """Raise what makes no sense in a crawl."""
        ...

    def command(self, name: str, urls: Sequence[str], settings: CrawlSettings) -> str:
        """Return the command line that does the same as `start`."""
        ...

    def start(self, name: str, urls: Sequence[str], settings: CrawlSettings) -> int:
        """Start a crawl that goes on without us."""
        ...

    def status(self, name: str) -> Status:
        """Return what a crawl does, or what its collection has."""
        ...

    def snapshot(self, name: str) -> Snapshot:
        """Return all that is shown of a crawl."""
        ...

    def samples(self, name: str) -> tuple[Sample, ...]:
        """Return the course of the crawls of a collection over time."""
        ...

    def list_urls(
        self, name: str, state: State, reason: str, after: int, limit: int
    ) -> list[ListedUrl]:
        """Return URLs that ended in a state, for a reason of this kind."""
        ...

    def pause(self, name: str) -> Status | None:
        """Have a crawl start no more requests; None, as below, when none runs."""
        ...

    def resume(self, name: str) -> Status | None:
        """Have a paused crawl go on."""
        ...

    def stop(self, name: str) -> Status | None:
        """Have a crawl save and stop."""
        ...

    def limit(self, name: str, changes: Limits) -> Status | None:
        """Have a crawl go on under other limits."""
        ...
