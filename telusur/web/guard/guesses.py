"""Limits on wrong passwords: per address, and of all addresses together.

A right password costs nothing. After too many wrong ones no password is compared at all, so that a
guesser learns nothing.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

from telusur.web.guard.rate import Buckets

# Per address, on average; a short burst may be larger.
PER_SECOND = 0.5
PER_SECOND_IN_ALL = 5.0
_EVERYBODY = ""
_MOST_KNOWN = 1000


class Guesses:
    """Counts wrong passwords; strangers cannot lock out addresses that once had the right one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._of_one = Buckets(PER_SECOND, clock)
        self._of_all = Buckets(PER_SECOND_IN_ALL, clock)
        self._known: OrderedDict[str, None] = OrderedDict()

    def wait(self, client: str) -> float:
        """Return the seconds until an address may guess again; 0 is now.

        One address uses up its own guesses long before those of all addresses.
        """
        of_all = 0.0 if client in self._known else self._of_all.wait(_EVERYBODY)
        return max(self._of_one.wait(client), of_all)

    def was_wrong(self, client: str) -> None:
        """Count a wrong password."""
        self._of_one.take(client)
        if client not in self._known:
            self._of_all.take(_EVERYBODY)

    def was_right(self, client: str) -> None:
        """Remember an address whose password was right."""
        self._known[client] = None
        self._known.move_to_end(client)
        if len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
