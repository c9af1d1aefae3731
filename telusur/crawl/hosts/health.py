"""Whether a host is up: which responses concern the host, and which only one page."""

from dataclasses import dataclass
from enum import Enum, auto

from telusur.crawl.hosts.politeness import LONGEST_BACK_OFF_SECONDS, back_off, retry_after
from telusur.models import Page, Reason

# After this many failed pages in a row, each on its first try, the host counts as failing.
MOST_DOUBTS = 3
# How long to wait for a host that worked before and is down.
PATIENCE_SECONDS = 900.0
# The longest pause between two tries of an unreachable host; trying costs it nothing.
LONGEST_PROBE_SECONDS = 60.0
# How long to wait for a host that never worked.
STRANGER_SECONDS = 60.0
NO_CONNECTION_IN_TIME = f"{Reason.TIMEOUT}: no connection"
# No response came: the cause may be the page or the host.
BROKEN_OFF = (f"{Reason.NETWORK}: connection broke", f"{Reason.BAD_RESPONSE}: empty answer")
# Statuses that concern the host, not the page.
TEMPORARY = (429, 502, 503, 504)


class Sign(Enum):
    """What one response says about its host."""

    # The host responded; even an error concerns only the page.
    WELL = auto()
    # No response, a broken connection or a server error: several in a row mean the host is down.
    DOUBT = auto()
    # The host asks for a pause.
    REFUSES = auto()
    # It cannot be reached.
    AWAY = auto()


def sign_of(page: Page, now: float) -> Sign:
    """Return what a response, or its absence, says about the host."""
    if page.status is None:
        return _sign_of_no_answer(page)
    if page.status == 429:
        return Sign.REFUSES
    if page.status == 503 and retry_after(page.header("retry-after"), now) is not None:
        return Sign.REFUSES
    return Sign.DOUBT if 500 <= page.status < 600 else Sign.WELL


def _sign_of_no_answer(page: Page) -> Sign:
    if page.reason.startswith(BROKEN_OFF) or page.reason == Reason.TIMEOUT:
        return Sign.WELL if page.status_line else Sign.DOUBT
    if page.reason.startswith((Reason.NETWORK, NO_CONNECTION_IN_TIME)):
        return Sign.AWAY
    return Sign.WELL


def is_hosts_reason(reason: str) -> bool:
    """Tell whether a URL failed because of its host, so that a retry may succeed."""
    if reason.startswith(BROKEN_OFF):
        return False
    temporary = tuple(f"{Reason.HTTP_ERROR} {status}" for status in TEMPORARY)
    host = (Reason.NETWORK, NO_CONNECTION_IN_TIME, *temporary)
    return reason.startswith(host) or reason.endswith(OF_ROBOTS)


# The end of the reason when a host's robots.txt could not be fetched.
OF_ROBOTS = " (robots.txt)"


@dataclass(slots=True)
class Health:
    """The health of one host, updated with each response."""

    patience: float = PATIENCE_SECONDS
    doubts: int = 0
    # Failures in a row, each followed by a pause.
    failures: int = 0
    failed_at: float = 0.0
    # When it last worked, or its first failure after that.
    since: float = 0.0
    # Why it is paused, in words.
    reason: str = ""
    is_away: bool = False
    # It has answered before.
    is_known: bool = False
    # The patience has run out; its URLs wait for the next run.
    is_given_up: bool = False
    # The host named the length of the pause itself.
    asked_for_rest: bool = False

    @property
    def is_down(self) -> bool:
        """Tell whether failures are due to the host, not to a page."""
        return self.is_away or self.doubts >= MOST_DOUBTS

    def heed(self, page: Page, now: float, *, is_first_try: bool) -> float:
        """Record a response; return the seconds of pause that it requires.

        Only the first try of a page raises doubts about the host: a page that failed before may be
        the cause itself.
        """
        sign = sign_of(page, now)
        if sign is Sign.WELL:
            self._recover(page)
            return 0.0
        self.doubts += is_first_try and sign is not Sign.AWAY
        self.is_away = sign is Sign.AWAY
        if sign is Sign.DOUBT and not self.is_down:
            self.failures, self.reason = 0, ""
            return 0.0
        return self._fail(page, sign, now)

    def _recover(self, page: Page) -> None:
        self.doubts = self.failures = 0
        self.is_away = self.is_given_up = self.asked_for_rest = False
        self.reason = ""
        self.is_known |= page.status is not None and page.status < 400

    def _fail(self, page: Page, sign: Sign, now: float) -> float:
        """Count failures in a row; requests in flight at the same time count as one failure."""
        if not self.failures:
            self.since = now
        self.failures += page.fetched_at >= self.failed_at
        self.failed_at = now
        wait = retry_after(page.header("retry-after"), now) if page.status is not None else None
        self.asked_for_rest = wait is not None
        self.reason = _in_words(page, sign, is_asked=self.asked_for_rest)
        longest = LONGEST_PROBE_SECONDS if page.status is None else LONGEST_BACK_OFF_SECONDS
        patience = self.patience if self.is_known else min(self.patience, STRANGER_SECONDS)
        self.is_given_up = now - self.since >= patience
        return min(back_off(self.failures), longest) if wait is None else wait


def _in_words(page: Page, sign: Sign, *, is_asked: bool) -> str:
    answer = page.reason or f"{Reason.HTTP_ERROR} {page.status}"
    if is_asked:
        return f"it asked for that ({answer}, Retry-After)"
    if sign is Sign.REFUSES:
        return f"it refuses to answer now ({answer})"
    return f"it does not answer ({answer})" if page.status is None else f"it has errors ({answer})"
