"""How long to wait between two requests to a host: pure arithmetic."""

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

# The visiting hours, from and to, in minutes after midnight UTC.
Window = tuple[int, int]


@dataclass(slots=True, frozen=True)
class Manners:
    """The politeness of one host: the user's settings, and the requests of its robots.txt."""

    own_delay: float | None = None
    asked_delay: float | None = None
    window: Window | None = None

    def delay(self, response_seconds: float) -> float:
        """Return the seconds to wait after a request."""
        return delay_between_requests(self.own_delay, self.asked_delay, response_seconds)

    def in_words(self, now: float) -> str:
        """Return why there is a pause between two requests, in words."""
        if self.window is not None and opens_at(self.window, now) > now:
            return f"robots.txt says Visit-time: {hours_of(self.window)}"
        if (self.own_delay or 0.0) >= (self.asked_delay or 0.0):
            return f"{self.delay(0.0):g} s lie between two requests to it, as --delay says"
        return f"{self.delay(0.0):g} s lie between two requests to it, as its robots.txt asks"

    def next_time(self, at: float) -> float:
        """Return the first moment from `at` on within the visiting hours."""
        return at if self.window is None else opens_at(self.window, at)


def delay_between_requests(
    own: float | None, robots: float | None, response_seconds: float
) -> float:
    """Return the seconds to wait after a request started.

    A delay set by the user is fixed. The default is one second, or twice the response time of a
    slow server. If robots.txt asks for a longer delay, it is obeyed, up to 30 seconds.
    """
    if own is None:
        slow = min(2 * response_seconds, LONGEST_DELAY_SECONDS)
        own = max(DEFAULT_DELAY_SECONDS, slow)
    return max(own, min(robots or 0.0, LONGEST_DELAY_SECONDS))


def hours_of(window: Window) -> str:
    """Return a window as robots.txt writes it: 0600-0845."""
    return "-".join(f"{minute // 60:02}{minute % 60:02}" for minute in window)


def opens_at(window: Window, at: float) -> float:
    """Return `at` if it is within the window, otherwise when it opens next; it may span midnight.

    A window that ends when it begins is the whole day.
    """
    length = (window[1] - window[0]) * 60 % DAY_SECONDS or DAY_SECONDS
    into = (at - window[0] * 60) % DAY_SECONDS
    return at if into < length else at + DAY_SECONDS - into


def back_off(failures: int) -> float:
    """Return the pause for a failing host in seconds: doubling from one second."""
    return min(FIRST_BACK_OFF_SECONDS * 2.0 ** min(failures - 1, 20), LONGEST_BACK_OFF_SECONDS)


def retry_after(value: str, now: float) -> float | None:
    """Return the seconds a `Retry-After` header asks for (RFC 9110 10.2.3), or None.

    Returns None for more than an hour: the caller falls back to its ordinary back-off.
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
    """Tell whether a retry may succeed: after server errors, overload, or no response."""
    return status is None or status >= 500 or status in (408, 425, 429)


Clock = Callable[[], float]
