"""Site-balanced: the sites take turns, each with its URLs in the order they were found.

score = -n for the n-th URL found of a site, so the first URLs of all sites come before the second
of any. Where `--fair equal` keeps sites within 20 pages of each other, this keeps them within one.
"""

import json
from collections.abc import Mapping, Sequence

from telusur.crawl.strategies.contract import Again, Setup, Strategy, Visit
from telusur.models import Link

# With more sites than this, those with the fewest URLs are forgotten and start again.
MOST_SITES = 100_000


class SiteBalanced(Strategy):
    """Scores a link by how many URLs of its site were found before it."""

    again = Again.KEEP
    counts_new = True

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._found: dict[str, int] = {}
        self._changed: set[str] = set()

    def score(self, links: Sequence[Link], page: Visit) -> list[float]:
        """Return minus the position of each link in its site."""
        scores = []
        for found in page.found:
            number = self._found.get(found.site, 0) + 1
            self._found[found.site] = number
            self._changed.add(found.site)
            scores.append(-float(number))
        if len(self._found) > MOST_SITES:
            self._forget()
        return scores

    def _forget(self) -> None:
        kept = sorted(self._found.items(), key=lambda item: (-item[1], item[0]))
        self._changed.update(self._found)
        self._found = dict(kept[: MOST_SITES // 2])

    def save(self) -> Mapping[str, bytes]:
        """Return the numbers of the sites that changed."""
        parts = {site: json.dumps(self._found.get(site, 0)).encode() for site in self._changed}
        self._changed.clear()
        return parts

    def restore(self, parts: Mapping[str, bytes]) -> None:
        """Continue from the saved numbers of all sites."""
        numbers = {site: int(json.loads(number)) for site, number in parts.items()}
        self._found = {site: number for site, number in numbers.items() if number}
