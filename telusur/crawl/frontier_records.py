"""The records that go into and come out of the frontier; `store/frontier.py` is its contract."""

from dataclasses import dataclass
from typing import NamedTuple

from telusur.models import Reason, State

#: Reasons of URLs skipped because of a limit that may change while a crawl runs.
LIMITS = (Reason.SCOPE, Reason.DEPTH)


class NewUrl(NamedTuple):
    """A URL to add to the frontier; with a `skip_reason` it is only recorded."""

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
    # The user's own code wants it: it is added even if that code refused it on another page.
    is_wanted: bool = False
    # The strategy's note about it while it waits.
    note: bytes = b""


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
    # For a sitemap, its level in the chain of sitemaps, from 1; for a page 0.
    sitemap: int = 0


@dataclass(slots=True, frozen=True)
class HostLease:
    """A host leased for fetching, with its best URLs; nobody else gets it meanwhile."""

    host: str
    site: str
    # Pages fetched from the whole site so far; fairness compares these.
    taken: int
    urls: tuple[LeasedUrl, ...]


@dataclass(slots=True, frozen=True)
class Added:
    """The result of `Frontier.add`."""

    # URLs that were unknown.
    fresh: int
    # URLs newly waiting, minus those pushed out for them.
    waiting: int
    # URLs newly skipped, minus those that were skipped and wait again.
    skipped: int
    # The hosts they wait on.
    hosts: set[str]
    # Pages already fetched that turned out to be nearer to a start URL, with their new depth; the
    # pages they link to move up with them.
    nearer: dict[bytes, int]
    # The change in failed URLs: negative, by those that had failed and wait again.
    failed: int = 0


@dataclass(slots=True, frozen=True)
class Drawn:
    """The result of `Frontier.draw_nearer`."""

    # As in `Added`: the pages they link to move up too.
    nearer: dict[bytes, int]
    # URLs that moved up and had been too deep: they may be added now.
    barred: list[str]


@dataclass(slots=True, frozen=True)
class Verdict:
    """How one leased URL ended; in state waiting it is retried after some seconds.

    `moved_to` is another spelling of the same URL that the server insists on. `tries` is how many
    of its tries this attempt used up. A URL that used none keeps its place; others queue behind
    URLs that were never tried.
    """

    url_id: bytes
    state: State
    reason: str = ""
    retry_after: float = 0.0
    moved_to: str = ""
    tries: int = 1
