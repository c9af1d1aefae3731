"""The frontier: the URLs that a collection knows, and which of them may be fetched now."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from telusur.crawl.frontier_records import Added, Drawn, HostLease, LeasedUrl, NewUrl, Verdict
from telusur.crawl.strategies.contract import Strategy
from telusur.models import Counts, State

#: Takes a URL and its depth; returns why it must not be fetched, or None.
Judge = Callable[[str, int], str | None]

#: Takes state and reason of a URL that has ended; tells whether it may be retried.
MayTry = Callable[[State, str], bool]

#: Score and note of a further link to a URL.
Sight = tuple[float, bytes]


class Frontier(Protocol):
    """The frontier as one session sees it; `telusur.testing.frontier` checks implementations.

    Hosts are leased, and with them their URLs: a leased host has one owner, the session. It keeps
    the host until it releases it, ends, or is declared dead after its lease has expired.
    All times are durations from now, and now is what the store's clock says.
    """

    # Adding URLs

    def add(self, urls: Sequence[NewUrl]) -> Added:
        """Add URLs, and return which were known; best called with thousands at once.

        A known URL that is found closer to a start URL takes the smaller depth.
        """

    def add_again(self, urls: Sequence[NewUrl], may_try: MayTry) -> Added:
        """Add URLs; those that have ended and may be retried wait again."""

    def gather_again(self, totals: dict[bytes, Sight], seen: Mapping[bytes, Sight]) -> None:
        """Add to `totals` what one more page says about known URLs, as the strategy combines it."""

    def see_again(self, scored: Mapping[bytes, Sight]) -> None:
        """Record further links to known URLs, with score and note.

        The strategy decides what that means. URLs that do not wait, or are not known, stay as they
        are.
        """

    def draw_nearer(self, url_ids: Sequence[bytes], depth: int, score: float) -> Drawn:
        """Lower the depth of known URLs to this one: a page that links to them moved closer.

        This is not a further link. A strategy that goes by depth alone gives them `score`.
        """

    # Leasing URLs

    def order_by(self, strategy: Strategy) -> None:
        """Order URLs as this strategy wants: by `is_ordered`, `again`, `keeps_notes`."""

    def limit_waiting(self, most: int | None) -> None:
        """Allow at most `most` waiting URLs; the worst are skipped as "frontier full".

        They wait again when a link gives them a better score. None means no limit.
        """

    def lease(self, hosts: int, k: int) -> list[HostLease]:
        """Lease up to `hosts` hosts that are due, each with up to `k` URLs.

        A retry comes after all URLs of its host that were never tried.
        """

    def top_up(self, host: str, k: int) -> tuple[LeasedUrl, ...]:
        """Lease more URLs of a host that this session has leased."""

    def give_back(self, host: str, url_ids: Sequence[bytes]) -> None:
        """Return leased URLs of a host to waiting; the host stays leased."""

    def exchange(self, host: str, url_ids: Sequence[bytes], k: int) -> tuple[LeasedUrl, ...]:
        """Return leased URLs of a host to waiting, and lease its best `k` instead."""

    def settle(self, verdicts: Sequence[Verdict]) -> None:
        """Record how leased URLs ended, and end their leases."""

    def release(self, host: str, rest_seconds: float) -> None:
        """Release a host; its leased URLs wait again, and it rests for that time."""

    def rest(self, hosts: Mapping[str, float]) -> None:
        """Park these hosts, and no others, for so many seconds."""

    def seconds_until_ready(self) -> float | None:
        """Return when the next free host with waiting URLs is due; None if there is none."""

    def count_taken(self, sites: Mapping[str, int]) -> None:
        """Add to the number of pages fetched from each site."""

    # Judging URLs again

    def keep_out(self, judge: Judge) -> int:
        """Skip waiting URLs that may no longer be fetched; return how many."""

    def admit_again(
        self, reasons: tuple[str, ...], judge: Judge, score: Callable[[int], float]
    ) -> int:
        """Return URLs skipped for these reasons to waiting; return how many more URLs wait.

        A URL without a score gets the `score` of its depth. A URL that was fetched and then skipped
        stays skipped: its reason comes from the response.
        """

    def retry_failed(
        self, is_to_retry: Callable[[str], bool], judge: Judge, score: Callable[[int], float]
    ) -> int:
        """Retry URLs that failed for such a reason; return how many more URLs wait."""

    # Reading

    def known_ids(self, url_ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the ids that the frontier knows."""

    def depths_of(self, url_ids: Sequence[bytes]) -> dict[bytes, int]:
        """Return the depths of known URLs; call it with one group at a time."""

    def with_waiting(self, hosts: Iterable[str]) -> set[str]:
        """Return those of the hosts that have waiting URLs."""

    def counts(self) -> Counts:
        """Count the URLs by state."""
