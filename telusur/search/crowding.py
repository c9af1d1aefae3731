"""Three pages of one site, not thirty: what a site has beyond that stands further down."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from telusur.index.contract import Candidate


class Spread(NamedTuple):
    """Candidates in their places, and by number what the sites of some have further down."""

    candidates: list[Candidate]
    more: dict[int, int]


def spread_sites(ranked: Sequence[Candidate], per_site: int, *, fold: bool = False) -> Spread:
    """Return the candidates with at most `per_site` of each site in front, in order otherwise.

    The last one that a site has in front tells how many more there are. `fold` leaves them out.
    Pages without a site, and all pages where there is one site only, stay where they are.
    """
    sites = Counter([candidate.site for candidate in ranked])
    if per_site < 1 or len(sites) < 2:
        return Spread(list(ranked), {})
    front: list[Candidate] = []
    behind: list[Candidate] = []
    last: dict[int, int] = {}
    taken = dict.fromkeys(sites, 0)
    for candidate in ranked:
        site = candidate.site
        taken[site] += 1
        if taken[site] <= per_site or not site:
            front.append(candidate)
            last[site] = candidate.number
        else:
            behind.append(candidate)
    more = {last[site]: n - per_site for site, n in sites.items() if site and n > per_site}
    return Spread(front if fold else front + behind, more)
