"""Three pages of one site, not thirty: what a site has beyond that stands further down."""

from typing import NamedTuple

from telusur.index.contract import Candidates


class Spread(NamedTuple):
    """Candidates in their places, and by number what the sites of some have further down."""

    candidates: Candidates
    more: dict[int, int]


def spread_sites(ranked: Candidates, per_site: int, *, fold: bool = False) -> Spread:
    """Return the candidates with at most `per_site` of each site in front, in order otherwise.

    The last one that a site has in front tells how many more there are. `fold` leaves them out.
    Pages without a site, and all pages where there is one site only, stay where they are.
    """
    sites = ranked.sites
    if per_site < 1 or len(set(sites)) < 2:
        return Spread(ranked, {})
    front: list[int] = []
    behind: list[int] = []
    taken: dict[int, int] = {}
    last: dict[int, int] = {}
    for place, site in enumerate(sites):
        taken[site] = taken.get(site, 0) + 1
        if taken[site] <= per_site or not site:
            front.append(place)
            last[site] = ranked.numbers[place]
        else:
            behind.append(place)
    more = {last[site]: n - per_site for site, n in taken.items() if site and n > per_site}
    return Spread(ranked.at(front if fold else front + behind), more)
