"""Limits the hits of one site: those beyond the limit move further down."""

from typing import NamedTuple

from telusur.index.contract import Candidates


class Spread(NamedTuple):
    """Reordered candidates, and by number how many more hits a site has further down."""

    candidates: Candidates
    more: dict[int, int]


def spread_sites(ranked: Candidates, per_site: int, *, fold: bool = False) -> Spread:
    """Return the candidates with at most `per_site` of each site in front, otherwise in order.

    The last of them carries the number of further hits of its site. With `fold` those are left out.
    Pages without a site, and all pages if there is only one site, stay in place.
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
