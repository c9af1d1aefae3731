"""A shelf: one collection or a directory of collections, and their crawls."""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from telusur.backends import engine_versions, is_store, open_store
from telusur.closing import Closes
from telusur.collection import Collection, open_collection
from telusur.crawl.limits import Limits
from telusur.crawl.strategies.by_name import STRATEGIES
from telusur.errors import CollectionError, UsageError
from telusur.models import State
from telusur.pipeline.control.crawl_command import command_line, start_crawl
from telusur.pipeline.control.status import Status
from telusur.pipeline.plan.plan import make_plan
from telusur.pipeline.plan.stored_settings import tidy_run
from telusur.pipeline.plan.strategy_source import is_installed
from telusur.reports.strategies.judge import COMPARISON, Comparison, read_comparison
from telusur.settings import CrawlSettings
from telusur.store.crawls import CrawlReader
from telusur.store.records import CrawlRecord, Cursor
from telusur.store.views import LastPage, ListedUrl, ServerAnswers, TimelinePoint

_NEW_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# Settings that name files, some of them programs: only the person who starts the server may set
# them.
FILE_SETTINGS = (
    "urls_from", "strategy", "replay", "like", "labels", "model", "hooks", "browser", "cookies",
    "ca_bundle",
)  # fmt: skip
# Names with another meaning in addresses.
_TAKEN = ("new", "check")
SITES_SHOWN = 10


@dataclass(slots=True, frozen=True)
class Snapshot:
    """Everything that is shown of a crawl at one moment."""

    status: Status
    run: CrawlRecord | None
    answers: ServerAnswers
    last_pages: tuple[LastPage, ...]
    samples: tuple[TimelinePoint, ...]


def versions_of_engines() -> dict[str, str]:
    """Return the versions of the engines under the collections."""
    return engine_versions()


class Shelf(Closes):
    """Opens collections by name and controls their crawls; safe for several threads."""

    def __init__(self, address: str | Path, usual: CrawlSettings | None = None) -> None:
        self.holds_one = is_store(address)
        self._directory = Path(address)
        # Defaults for crawls, from the environment and telusur.toml.
        self.usual = usual or CrawlSettings()
        self._open: dict[str, tuple[Collection, CrawlReader]] = {}
        self._lock = threading.Lock()
        if not self.holds_one:
            _check_is_shelf(self._directory)

    def close(self) -> None:
        """Close all collections; crawls continue."""
        with self._lock:
            for collection, _ in self._open.values():
                collection.close()
            self._open.clear()

    def names(self) -> list[str]:
        """Return the names of the collections, in order."""
        if self.holds_one:
            return [self._directory.resolve().name]
        found = (path for path in self._directory.iterdir() if is_store(path))
        return sorted(path.name for path in found if not path.name.startswith("."))

    def place_of(self, name: str) -> Path:
        """Return the place of a collection, existing or new; raise UsageError for a bad name."""
        if name in self.names():
            return self._directory if self.holds_one else self._directory / name
        if self.holds_one:
            raise UsageError(f"{name!r}: this server shows one collection, {self.names()[0]}.")
        if not _NEW_NAME.fullmatch(name) or name.endswith(".json") or name in _TAKEN:
            raise UsageError(
                f"{name!r} cannot be the name of a collection; "
                "use up to 64 letters, digits, dots and dashes."
            )
        return self._directory / name

    def comparison(self) -> Comparison | None:
        """Return the comparison of strategies in this directory, or None."""
        path = self._directory / COMPARISON
        return read_comparison(path.read_text(encoding="utf-8")) if path.is_file() else None

    def open(self, name: str) -> Collection:
        """Open an existing collection; it is closed with the shelf."""
        return self._both(name)[0]

    def _both(self, name: str) -> tuple[Collection, CrawlReader]:
        if name not in self._open and name not in self.names():
            raise CollectionError(f"There is no collection called {name}.")
        with self._lock:
            if name not in self._open:
                place = self.place_of(name)
                collection = open_collection(place, create=False)
                self._open[name] = collection, open_store(place).crawls()
            return self._open[name]

    # Starting

    def check(self, urls: Sequence[str], settings: CrawlSettings) -> None:
        """Raise UsageError for settings that a crawl refuses."""
        self._plan(urls, settings)

    def _plan(self, urls: Sequence[str], settings: CrawlSettings) -> None:
        for name in FILE_SETTINGS:
            given = getattr(settings, name)
            is_safe = name == "strategy" and given is not None and is_installed(given)
            if given and given != getattr(self.usual, name) and not is_safe:
                raise UsageError(_about_files(name, given))
        make_plan(urls, settings)

    def command(self, name: str, urls: Sequence[str], settings: CrawlSettings) -> str:
        """Return the command line equivalent to `start`."""
        place = self._directory if self.holds_one else self._directory / (name or "NAME")
        return command_line(str(place), urls, settings, self.usual)

    def start(self, name: str, urls: Sequence[str], settings: CrawlSettings) -> int:
        """Start a crawl in a process of its own, which outlives us; return its id."""
        self._plan(urls, settings)
        place = self.place_of(name)
        is_new = name not in self.names()
        if not urls and (is_new or not self.open(name).counts().found):
            raise UsageError("There is nothing to crawl: name at least one start URL.")
        open_collection(place).close()
        return start_crawl(open_store(place), urls, settings, self.usual)

    # Watching

    def status(self, name: str) -> Status:
        """Return the status of a crawl, or of its collection."""
        return self.open(name).status(SITES_SHOWN)

    def snapshot(self, name: str) -> Snapshot:
        """Return everything that is shown of a crawl."""
        collection, crawls = self._both(name)
        run = tidy_run(last) if (last := crawls.last_run()) else None
        samples = collection.timeline(run.started_at if run else float("inf"))
        status = collection.status(SITES_SHOWN)
        return Snapshot(status, run, crawls.answers(), crawls.last_pages(), samples)

    def samples(self, name: str) -> tuple[TimelinePoint, ...]:
        """Return samples of the crawls of a collection over time."""
        return self.open(name).timeline()

    def list_urls(
        self, name: str, state: State, reason: str, after: str, limit: int
    ) -> list[ListedUrl]:
        """Return URLs in a state, with a reason of this kind."""
        return self._both(name)[1].list_urls(state, reason, Cursor(after), limit)

    # Control; None if no crawl runs

    def pause(self, name: str) -> Status | None:
        """Pause a crawl."""
        return self.open(name).pause()

    def resume(self, name: str) -> Status | None:
        """Resume a paused crawl."""
        return self.open(name).resume()

    def stop(self, name: str) -> Status | None:
        """Stop a crawl gracefully, without waiting for its end."""
        return self.open(name).stop(wait=False)

    def limit(self, name: str, changes: Limits) -> Status | None:
        """Change the limits of a crawl."""
        return self.open(name).limit(**changes)


def _about_files(name: str, given: object) -> str:
    if name == "strategy":
        known = ", ".join(STRATEGIES)
        return f"--strategy: there is no {given!r}; choose one of {known}."
    flag = f"--{name.replace('_', '-')}"
    return f"{flag}: only the command that starts the server may name files."


def _check_is_shelf(directory: Path) -> None:
    """Refuse a directory that is not a shelf; an empty one is."""
    if not directory.is_dir():
        raise CollectionError(
            f"{directory}: there is no such directory; make a collection with "
            f"`telusur crawl URL --to {quote(str(directory))}`."
        )
    entries = list(directory.iterdir())
    if entries and not any(is_store(path) for path in entries):
        raise CollectionError(
            f"{directory}: this directory is not a collection (it has no collection.db) and "
            "contains none; name the one that you gave to `telusur crawl --to`, or an empty one."
        )
