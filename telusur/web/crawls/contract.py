"""What the workbench needs from crawls: the second contract, beside `CollectionReader`."""

import logging
from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict, TypeVar, cast

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request

from telusur.crawl.limits import Limits
from telusur.errors import TelusurError
from telusur.models import State
from telusur.pipeline.control.status import Status
from telusur.reports.strategies.judge import Comparison
from telusur.settings import CrawlSettings
from telusur.shelf import Snapshot
from telusur.store.views import ListedUrl, TimelinePoint
from telusur.web.frame import urls
from telusur.web.frame.text import clean_line
from telusur.web.reader import CollectionReader

Shown = TypeVar("Shown")
_log = logging.getLogger("telusur")
_SEE_THE_TERMINAL = "It cannot be read; the terminal of the server has the details."


class Crawls(Protocol):
    """Collections by name and the crawls that run into them: `telusur.shelf.Shelf`.

    The methods may block; the workbench calls them from several threads at once. A wrong argument
    raises an error with one clear sentence.
    """

    # The default settings of a crawl.
    usual: CrawlSettings
    # There is exactly one collection, and no other can be created.
    holds_one: bool

    def names(self) -> list[str]:
        """Return the names of the collections."""
        ...

    def comparison(self) -> Comparison | None:
        """Return the results of a comparison of strategies here, or None."""
        ...

    def open(self, name: str) -> CollectionReader:
        """Return an existing collection."""
        ...

    def place_of(self, name: str) -> object:
        """Return the path of a collection, new or not, or raise why the name is not allowed."""
        ...

    def check(self, urls: Sequence[str], settings: CrawlSettings) -> None:
        """Raise an error if the settings of a crawl are wrong."""
        ...

    def command(self, name: str, urls: Sequence[str], settings: CrawlSettings) -> str:
        """Return the command line that does the same as `start`."""
        ...

    def start(self, name: str, urls: Sequence[str], settings: CrawlSettings) -> int:
        """Start a crawl that outlives this server."""
        ...

    def status(self, name: str) -> Status:
        """Return what a crawl is doing, or what its collection contains."""
        ...

    def snapshot(self, name: str) -> Snapshot:
        """Return everything that the page of a crawl shows."""
        ...

    def samples(self, name: str) -> tuple[TimelinePoint, ...]:
        """Return the progress of the crawls of a collection over time."""
        ...

    def list_urls(
        self, name: str, state: State, reason: str, after: str, limit: int
    ) -> list[ListedUrl]:
        """Return URLs in a final state, for one kind of reason."""
        ...

    def pause(self, name: str) -> Status | None:
        """Pause a crawl; return None, as below, when no crawl is running."""
        ...

    def resume(self, name: str) -> Status | None:
        """Resume a paused crawl."""
        ...

    def stop(self, name: str) -> Status | None:
        """Save and stop a crawl."""
        ...

    def limit(self, name: str, changes: Limits) -> Status | None:
        """Change the limits of a crawl."""
        ...


def crawls_of(request: Request) -> Crawls:
    """Return the crawls of this server."""
    return cast(Crawls, request.app.state.crawls)


class Unreadable(TypedDict):
    """A collection that cannot be shown, and why."""

    name: str
    error: str


def read_each(crawls: Crawls, read: Callable[[str], Shown]) -> tuple[list[Shown], list[Unreadable]]:
    """Read all collections by name; one that is damaged or foreign does not hide the others."""
    shown, unreadable = [], []
    for name in crawls.names():
        try:
            shown.append(read(name))
        except TelusurError as error:
            unreadable.append(Unreadable(name=name, error=str(error)))
        # A database from somebody else may have any value anywhere.
        except Exception:
            _log.exception("The collection %r cannot be shown.", name)
            unreadable.append(Unreadable(name=name, error=_SEE_THE_TERMINAL))
    return shown, unreadable


async def name_of(request: Request) -> str:
    """Return the name of the collection in an address and set it for the page; or raise 404."""
    crawls, name = crawls_of(request), str(request.path_params["name"])
    if name not in await run_in_threadpool(crawls.names):
        raise HTTPException(404, f"There is no collection called {clean_line(name, 60)}.")
    if not crawls.holds_one:
        request.state.collection = await run_in_threadpool(crawls.open, name)
        urls.PREFIX.set(urls.collection_url(name).rstrip("/"))
    return name
