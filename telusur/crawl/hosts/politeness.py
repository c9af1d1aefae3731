"""How long a host is left alone between two requests: pure arithmetic on what the host said."""

import email.utils
from collections.abc import Callable
from dataclasses import dataclass

DEFAULT_DELAY_SECONDS = 1.0
LONGEST_DELAY_SECONDS = 30.0
LONGEST_RETRY_AFTER_SECONDS = 3600.0
FIRST_BACK_OFF_SECONDS = 1.0
LONGEST_BACK_OFF_SECONDS = 600.0
TRIES = 3
DAY_SECONDS = 24 * 3600

Window = tuple[int, int]
"""When visits are welcome: from one minute after midnight UTC to another."""


@dataclass(slots=True, frozen=True)
class Manners:
    """What one host is due: what the user set for it, and what its robots.txt asks for."""

    own_delay: float | None = None
    asked_delay: float | None = None
    window: Window | None = None

    def delay(self, response_seconds: float) -> float:
        """Return the seconds to wait after a request."""
        return delay_between_requests(self.own_delay, self.asked_delay, response_seconds)

    def next_time(self, at: float) -> float:
        """Return the first moment from `at` on when a visit is welcome."""
        return at if self.window is None else opens_at(self.window, at)


def delay_between_requests(
    own: float | None, robots: float | None, response_seconds: float
) -> float:
    """Return the seconds to wait after a request started.

    A delay the user set is fixed; without one it is a second, and twice the time a slow server
    takes to answer. What robots.txt asks for is obeyed on top of either, up to 30 seconds.
    """
    if own is None:
        slow = min(2 * response_seconds, LONGEST_DELAY_SECONDS)
        own = max(DEFAULT_DELAY_SECONDS, slow)
    return max(own, min(robots or 0.0, LONGEST_DELAY_SECONDS))


def opens_at(window: Window, at: float) -> float:
    """Return `at` if visits are welcome then, else when they are next; a window may span midnight.

    A window that ends when it begins is the whole day.
    """
    length = (window[1] - window[0]) * 60 % DAY_SECONDS or DAY_SECONDS
    into = (at - window[0] * 60) % DAY_SECONDS
    return at if into < length else at + DAY_SECONDS - into


def back_off(failures: int) -> float:
    """Return the seconds to leave a failing host alone: doubling from one second."""
    return min(FIRST_BACK_OFF_SECONDS * 2.0 ** min(failures - 1, 20), LONGEST_BACK_OFF_SECONDS)


def retry_after(value: str, now: float) -> float | None:
    """Return the seconds a `Retry-After` header asks for (RFC 9110 10.2.3), or None.

    More than an hour is not waited for: the caller falls back to its ordinary back-off.
    """
    seconds = _seconds_of(value.strip(), now)
    if seconds is None or seconds > LONGEST_RETRY_AFTER_SECONDS:
        return None
    return max(seconds, 0.0)


def _seconds_of(value: str, now: float) -> float | None:
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        return email.utils.parsedate_to_datetime(value).timestamp() - now
    except (TypeError, ValueError, OverflowError):
        return None


def may_retry(status: int | None) -> bool:
    """Tell whether another try may give another answer: server errors, overload, no answer."""
    return status is None or status >= 500 or status in (408, 425, 429)


def is_overload(status: int | None) -> bool:
    """Tell whether the answer asks the whole host to be left alone for a while."""
    return status in (429, 503)


Clock = Callable[[], float]
