"""Paused hosts: until when and why, as records, in words, and as stored bytes."""

import datetime
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

#: The key under which a collection stores the hosts that were paused at the end of a run.
HOLDS = "holds"

# The longest pause a host may ask for (RFC 9110 has no limit; `politeness.retry_after` does).
LONGEST_STANDING_SECONDS = 3600.0


@dataclass(slots=True, frozen=True)
class Hold:
    """A paused host; without `until` it is not tried again in this run."""

    host: str
    until: float | None
    why: str
    # The host asked for the pause, so it also applies to the next run.
    stands: bool = False

    def in_words(self) -> str:
        """Return one sentence for the user about this pause."""
        if self.until is None:
            return f"{self.host} gets no more requests in this run: {self.why}."
        return f"{self.host} is paused until {moment(self.until)}: {self.why}."


def moment(at: float) -> str:
    """Return a time in words, even one outside the range of datetime."""
    try:
        return f"{datetime.datetime.fromtimestamp(at, datetime.UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, ValueError, OSError):
        return "the end of time"


def pack_holds(holds: Iterable[Hold]) -> bytes:
    """Return holds as the bytes stored in a collection."""
    return json.dumps([asdict(hold) for hold in holds]).encode()


def unpack_holds(data: bytes | None) -> list[Hold]:
    """Read stored holds; skip anything that cannot be understood."""
    holds = []
    for row in json.loads(data or b"[]"):
        try:
            holds.append(Hold(**row))
        except TypeError:
            continue
    return holds


def in_force(holds: Iterable[Hold], now: float) -> list[Hold]:
    """Return the holds that are not over."""
    return [hold for hold in holds if hold.until is None or hold.until > now]


def standing(holds: Iterable[Hold], now: float) -> dict[str, float]:
    """Return the hosts whose own requested pause is not over, and its remaining seconds."""
    return {
        hold.host: min(hold.until - now, LONGEST_STANDING_SECONDS)
        for hold in holds
        if hold.stands and hold.until is not None and hold.until > now
    }
