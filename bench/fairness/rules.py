"""What the server's log must show: nobody asked too soon, nobody asked twice at once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from web import Asked, Site

TOLERANCE_SECONDS = 0.001


@dataclass(frozen=True)
class Violation:
    """Two requests to one host that came too close."""

    first: Asked
    second: Asked
    needed: float

    def __str__(self) -> str:
        gap = self.second.start - self.first.end
        return (
            f"{self.first.host}: {self.second.path} {gap * 1000:.0f} ms after {self.first.path} "
            f"({self.first.status}), {self.needed * 1000:.0f} ms needed"
        )


def violations(log: Iterable[Asked], site: Site, delay: float, *, grows: bool) -> list[Violation]:
    """Return the pairs of requests to one site that came sooner than its delay allows.

    `delay` is what settings and robots.txt ask for; `grows` says that it is twice the time of an
    answer if that is more.
    """
    asked = sorted((entry for entry in log if entry.host == site.name), key=lambda one: one.start)
    found = []
    for first, second in pairwise(asked):
        needed = _needed(first, site, delay, grows=grows)
        if second.start - first.end < needed - TOLERANCE_SECONDS:
            found.append(Violation(first, second, needed))
    return found


def _needed(first: Asked, site: Site, delay: float, *, grows: bool) -> float:
    if grows:
        delay = max(delay, 2 * (first.end - first.start))
    if first.status in (429, 503):  # without Retry-After: a second, and growing
        delay = max(delay, 1.0 if site.retry_after is None else site.retry_after)
    return delay


def shares(log: Iterable[Asked], names: Sequence[str]) -> dict[str, float]:
    """Return each site's part of all pages given out."""
    pages = [entry.host for entry in log if entry.status == 200 and "robots" not in entry.path]
    return {name: pages.count(name) / max(len(pages), 1) for name in names}
