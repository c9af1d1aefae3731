"""A shelf: one collection or a directory of them, and the crawls that run into them."""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from telusur.adapters.sqlite_crawls import Answers, LastPage, ListedUrl, Run, SqliteCrawls
from telusur.adapters.sqlite_schema import DATABASE
from telusur.adapters.timeline_file import Sample
from telusur.closing import Closes
from telusur.collection import Collection, open_collection
from telusur.errors import CollectionError, UsageError
from telusur.models import State
from telusur.run.comparing import COMPARISON, Comparison, read_comparison
from telusur.run.crawl import make_plan
from telusur.run.crawl_command import command_line, start_crawl
from telusur.run.limits import Limits
from telusur.run.status import Status
from telusur.settings import CrawlSettings

_NEW_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_TAKEN = ("new", "check")
"""Names that mean something else in addresses."""
SITES_SHOWN = 10


@dataclass(slots=True, frozen=True)
class Snapshot:
    """All that is shown of a crawl at one moment."""

    status: Status
    run: Run | None
    answers: Answers
    last_pages: tuple[LastPage, ...]
    samples: tuple[Sample, ...]


class Shelf(Closes):
    """Opens collections by name and steers their crawls; several threads may share it."""

    def __init__(self, directory: Path, usual: CrawlSettings | None = None) -> None:
        self._directory = directory
        self.usual = usual or CrawlSettings()
        """What a crawl does where it is not told otherwise: environment and telusur.toml count."""
        self.holds_one = (directory / DATABASE).exists()
        self._open: dict[str, tuple[Collection, SqliteCrawls]] = {}
        self._lock = threading.Lock()
        if not self.holds_one:
            _check_is_shelf(directory)

    def close(self) -> None:
        """Let go of all collections; crawls go on."""
        with self._lock:
            for collection, _ in self._open.values():
                collection.close()
            self._open.clear()

    def names(self) -> list[str]:
        """Return the names of the collections, in order."""
        if self.holds_one:
            return [self._directory.resolve().name]
        found = (path for path in self._directory.iterdir() if (path / DATABASE).exists())
        return sorted(path.name for path in found if not path.name.startswith("."))

    def place_of(self, name: str) -> Path:
        """Return where a collection lies, or would lie; one clear sentence where none can be."""
        if name in self.names():
            return self._directory if self.holds_one else self._directory / name
        if self.holds_one:
            raise UsageError(f"{name!r}: this server shows one collection, {self.names()[0]}.")
        if not _NEW_NAME.fullmatch(name) or name.endswith(".json") or name in _TAKEN:
            raise UsageError(
                f"{name!r} cannot be the name of a collection; "
                "take up to 64 letters, digits, dots and dashes."
            )
        return self._directory / name

    def comparison(self) -> Comparison | None:
        """Return what came out when strategies were compared here, or None."""
        path = self._directory / COMPARISON
        return read_comparison(path.read_text(encoding="utf-8")) if path.is_file() else None

    def open(self, name: str) -> Collection:
        """Return a collection that is there; it is closed with the shelf."""
        return self._both(name)[0]

    def _both(self, name: str) -> tuple[Collection, SqliteCrawls]:
        if name not in self._open and name not in self.names():
            raise CollectionError(f"There is no collection called {name}.")
        with self._lock:
            if name not in self._open:
                place = self.place_of(name)
                self._open[name] = open_collection(place, create=False), SqliteCrawls(place)
            return self._open[name]

    # Starting

    def check(self, urls: Sequence[str], settings: CrawlSettings) -> None:
        """Raise one clear sentence for what makes no sense in a crawl."""
        make_plan(urls, settings)

    def command(self, name: str, urls: Sequence[str], settings: CrawlSettings) -> str:
        """Return the command that does the same as `start`."""
        place = self._directory if self.holds_one else self._directory / (name or "NAME")
        return command_line(place, urls, settings, self.usual)

    def start(self, name: str, urls: Sequence[str], settings: CrawlSettings) -> int:
        """Start a crawl in a process of its own, which goes on without us; return its number."""
        make_plan(urls, settings)
        place = self.place_of(name)
        is_new = name not in self.names()
        if not urls and (is_new or not self.open(name).counts().found):
            raise UsageError("There is nothing to crawl: name at least one start URL.")
        open_collection(place).close()
        return start_crawl(place, urls, settings, self.usual)

    # Watching

    def status(self, name: str) -> Status:
        """Return what a crawl does, or what its collection has."""
        return self.open(name).status(SITES_SHOWN)

    def snapshot(self, name: str) -> Snapshot:
        """Return all that is shown of a crawl."""
        collection, crawls = self._both(name)
        run = crawls.last_run()
        samples = collection.timeline(run.started_at if run else float("inf"))
        status = collection.status(SITES_SHOWN)
        return Snapshot(status, run, crawls.answers(), crawls.last_pages(), samples)

    def samples(self, name: str) -> tuple[Sample, ...]:
        """Return the course of the crawls of a collection over time."""
        return self.open(name).timeline()

    def list_urls(
        self, name: str, state: State, reason: str, after: int, limit: int
    ) -> list[ListedUrl]:
        """Return URLs that ended in a state, for a reason of this kind."""
        return self._both(name)[1].list_urls(state, reason, after, limit)

    # Steering; None where no crawl runs

    def pause(self, name: str) -> Status | None:
        """Have a crawl start no more requests."""
        return self.open(name).pause()

    def resume(self, name: str) -> Status | None:
        """Have a paused crawl go on."""
        return self.open(name).resume()

    def stop(self, name: str) -> Status | None:
        """Have a crawl save and stop, without waiting for its end."""
        return self.open(name).stop(wait=False)

    def limit(self, name: str, changes: Limits) -> Status | None:
        """Have a crawl go on under other limits."""
        return self.open(name).limit(**changes)


def _check_is_shelf(directory: Path) -> None:
    """Refuse a directory that is no place for collections; an empty one is."""
    if not directory.is_dir():
        raise CollectionError(
            f"{directory}: there is no such directory; make a collection with "
            f"`telusur crawl URL --to {directory}`."
        )
    entries = list(directory.iterdir())
    if entries and not any((path / DATABASE).exists() for path in entries):
        raise CollectionError(
            f"{directory}: this directory is not a collection (it has no {DATABASE}), nor has it "
            "any; name the one that you gave to `telusur crawl --to`, or an empty one."
        )
