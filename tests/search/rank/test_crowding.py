from telusur.index.contract import Candidate, Candidates
from telusur.search.rank.crowding import spread_sites


def candidates(sites):
    return Candidates.of(Candidate(100.0 - n, n, site, None) for n, site in enumerate(sites))


def sites_of(spread):
    return [candidate.site for candidate in spread.candidates]


def test_what_a_site_has_beyond_its_share_stands_behind_the_others():
    spread = spread_sites(candidates([1, 1, 1, 2, 1, 3]), 2)
    assert sites_of(spread) == [1, 1, 2, 3, 1, 1]
    assert [candidate.number for candidate in spread.candidates] == [0, 1, 3, 5, 2, 4]
    assert spread.more == {1: 2}


def test_folded_it_is_left_out():
    spread = spread_sites(candidates([1, 1, 1, 2]), 1, fold=True)
    assert sites_of(spread) == [1, 2]
    assert spread.more == {0: 2}


def test_one_site_alone_and_pages_without_a_site_stay():
    assert sites_of(spread_sites(candidates([1] * 5), 1)) == [1] * 5
    assert sites_of(spread_sites(candidates([0, 0, 0, 1, 0]), 1)) == [0, 0, 0, 1, 0]
    assert spread_sites(candidates([0, 0, 0, 1, 0]), 1).more == {}


def test_any_number_of_a_site():
    assert sites_of(spread_sites(candidates([1, 1, 1, 2]), 0)) == [1, 1, 1, 2]
