"""The frontier contract: the URLs a collection knows, and which of them may be fetched now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from telusur.crawl.strategies.contract import Strategy
from telusur.models import Counts, State


@dataclass(slots=True, frozen=True)
class NewUrl:
    """A URL on its way into the frontier; with a `skip_reason` it is only remembered."""

    url_id: bytes
    url: str
    host: str
    site: str
    depth: int
    score: float = 0.0
    parent: bytes | None = None
    anchor: str = ""
    hops: int = 0
    skip_reason: str = ""
    is_wanted: bool = False
    """The user's own code asks for it: it is let in though that had refused it elsewhere."""
    note: bytes = b""
    """What the strategy wants to remember about it while it waits."""


@dataclass(slots=True, frozen=True)
class LeasedUrl:
    """A URL handed out to be fetched."""

    url_id: bytes
    url: str
    depth: int
    hops: int
    tries: int
    score: float = 0.0
    note: bytes = b""
    sitemap: int = 0
    """Of a sitemap, how many sitemaps lead to it, itself included; of a page 0."""


@dataclass(slots=True, frozen=True)
class HostLease:
    """A host that may be fetched from now, with its best URLs; nobody else gets it meanwhile."""

    host: str
    site: str
    taken: int
    """Pages taken from the whole site so far: what fairness compares."""
    urls: tuple[LeasedUrl, ...]


@dataclass(slots=True, frozen=True)
class Added:
    """What `Frontier.add` found out."""

    fresh: int
    """URLs that were not known."""
    waiting: int
    """URLs that wait now and did not before, less those that were pushed out for them."""
    skipped: int
    """URLs that are skipped now and were not, less those that were and wait again."""
    hosts: set[str]
    """The hosts they wait on."""
    nearer: dict[bytes, int]
    """Pages fetched before, or just now, that turned out to be nearer to a start URL, with their
    new depth; what they link to moves up with them."""


@dataclass(slots=True, frozen=True)
class Drawn:
    """What `Frontier.draw_nearer` found out."""

    nearer: dict[bytes, int]
    """As of `Added`: what these pages link to moves up too."""
    barred: list[str]
    """URLs that moved up and had been too deep: they may be let in now."""


@dataclass(slots=True, frozen=True)
class Verdict:
    """How one leased URL ended; in state waiting it shall be tried again at `retry_at`.

    `moved_to` is another spelling of the same URL that the server insists on.
    """

    url_id: bytes
    state: State
    reason: str = ""
    retry_at: float = 0.0
    moved_to: str = ""


class Frontier(Protocol):
    """Every implementation passes the suite in tests/adapters/frontier_suite.py."""

    def add(self, urls: Sequence[NewUrl], now: float) -> Added:
        """Remember the URLs, and say which were known; best called with thousands at once."""

    def see_again(self, scored: Mapping[bytes, tuple[float, bytes]]) -> None:
        """Note that URLs known before were found again, with this score and note.

        The strategy says what of it. Those that do not wait any more, or are not known, are passed
        over.
        """

    def draw_nearer(self, url_ids: Sequence[bytes], depth: int, score: float) -> Drawn:
        """Give known URLs that are farther from a start URL this depth: who links to them moved up.

        It is no further link to them. `score` is what the depth alone is worth, for a strategy that
        goes by it.
        """

    def order_by(self, strategy: Strategy) -> None:
        """Hand out URLs as this strategy has it: by `is_ordered`, `again`, `keeps_notes`."""

    def limit_waiting(self, most: int | None) -> None:
        """Let no more than `most` URLs wait; the worst are skipped: frontier full.

        They wait again when they are seen again with a better score. None is no limit.
        """

    def lease(self, hosts: int, k: int, now: float) -> list[HostLease]:
        """Hand out up to `hosts` hosts that may be fetched from, each with up to `k` URLs."""

    def top_up(self, host: str, k: int, now: float) -> tuple[LeasedUrl, ...]:
        """Hand out more URLs of a host that is leased already."""

    def give_back(self, host: str, url_ids: Sequence[bytes], now: float) -> None:
        """Let leased URLs of a host wait again; the host stays leased."""

    def exchange(
        self, host: str, url_ids: Sequence[bytes], k: int, now: float
    ) -> tuple[LeasedUrl, ...]:
        """Let leased URLs of a host wait again, and hand out its best `k` instead."""

    def depths_of(self, url_ids: Sequence[bytes]) -> dict[bytes, int]:
        """Return how far known URLs, at most a group's, are from a start URL as known by now."""

    def known_ids(self, url_ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the ids that the frontier knows."""

    def settle(self, verdicts: Sequence[Verdict], now: float) -> None:
        """Record how leased URLs ended; their leases are over."""

    def release(self, host: str, not_before: float, now: float) -> None:
        """Give a host back; its leased URLs wait again, and nobody gets it before that time."""

    def next_ready_at(self) -> float | None:
        """Return when the next free host with waiting URLs may be fetched from, if there is one."""

    def count_taken(self, sites: Mapping[str, int]) -> None:
        """Add to the number of pages each site has had."""

    def release_all(self, now: float) -> int:
        """Free every lease of an owner that is gone; return how many URLs wait again."""

    def counts(self) -> Counts:
        """Count the URLs by state."""
