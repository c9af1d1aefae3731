"""What is wrong with a collection: where, in one sentence, and what to do about it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

# Receives how many rows or bytes were checked.
Tick = Callable[[int], None]

RIGHTS = "get permission to read these files, and run `telusur verify` again"


@dataclass(slots=True, frozen=True)
class Problem:
    """A contradiction; `part` is archive, catalogue, frontier or index."""

    part: str
    sentence: str
    advice: str
    # Problems of one kind are listed up to a limit; the rest are counted.
    kind: str


@dataclass(slots=True, frozen=True)
class Note:
    """Something worth knowing that is not a problem."""

    part: str
    sentence: str


Finding = Problem | Note

# Receives the step, how much of it is done, and its size (0: unknown).
Watch = Callable[[str, int, int], None]


@dataclass(slots=True)
class Verification:
    """What was checked, and the problems that were found."""

    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    looked_at: dict[str, int] = field(default_factory=dict)
    # How many further problems of each kind are not listed.
    more: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def is_fine(self) -> bool:
        """Tell whether no problem was found."""
        return not self.problems
