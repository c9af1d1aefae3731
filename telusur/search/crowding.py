"""Three pages of one site, not thirty: what a site has beyond that stands further down."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from telusur.index.contract import Candidate


class Placed(NamedTuple):
    """A candidate in its place, and how many more its site has further down."""

    candidate: Candidate
    more_from_site: int = 0


def spread_sites(ranked: Sequence[Candidate], per_site: int, *, fold: bool = False) -> list[Placed]:
    """Return the candidates with at most `per_site` of each site in front, in order otherwise.

    The last one that a site has in front tells how many more there are. `fold` leaves them out.
    Pages without a site, and all pages where there is one site only, stay where they are.
    """
    sites = Counter(candidate.site for candidate in ranked)
    if per_site < 1 or len(sites) < 2:
        return [Placed(candidate) for candidate in ranked]
    front: list[Placed] = []
    behind: list[Placed] = []
    taken: Counter[int] = Counter()
    for candidate in ranked:
        site = candidate.site
        taken[site] += 1
        if not site or taken[site] < per_site:
            front.append(Placed(candidate))
        elif taken[site] == per_site:
            front.append(Placed(candidate, sites[site] - per_site))
        else:
            behind.append(Placed(candidate))
    return front if fold else front + behind
