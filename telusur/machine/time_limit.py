"""A time limit for work that cannot check the clock, such as a regular expression."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeIsUp(Exception):  # noqa: N818 - a state, not a fault
    """The work took too long."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeIsUp in the block when it takes longer.

    It uses a signal, which Python delivers to the main thread only; in other threads there is no
    limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    timer = signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)


def _ring(number: int, frame: FrameType | None) -> None:
    raise TimeIsUp
