"""What is wrong with a collection: where, in one sentence, and what to do about it."""

from collections.abc import Callable
from dataclasses import dataclass

Tick = Callable[[int], None]
"""Told how many rows or bytes a check has gone through."""


@dataclass(slots=True, frozen=True)
class Problem:
    """Something that does not fit together; `part` is archive, catalogue, frontier or index."""

    part: str
    sentence: str
    advice: str
    kind: str
    """What it shares with others of its sort, of which only the first are told one by one."""


@dataclass(slots=True, frozen=True)
class Note:
    """Something worth knowing that is in order."""

    part: str
    sentence: str


Finding = Problem | Note
