import numpy as np
import pytest

from telusur.index.standing import NO_STANDINGS, STANDING, UNKNOWN_DEPTH, Standings
from telusur.search.rank.static_rank import freshness, static_factors, static_summands

ROWS = [
    (5, 9.0, 40, 0, 20240101),  # everything speaks for this one
    (7, 1.0, 1, 3, 20200101),
    (9, 0.2, 0, UNKNOWN_DEPTH, 0),
]
STANDINGS = Standings.of(np.array(ROWS, STANDING))


def test_what_is_known_of_a_page_raises_its_factor():
    best, middle, least, unknown = static_factors(STANDINGS, [5, 7, 9, 6])
    assert best > middle > least > unknown == 1.0


def test_nothing_is_known_of_any_page():
    assert static_factors(NO_STANDINGS, [5, 7]).tolist() == [1.0, 1.0]


def test_a_year_is_half_the_freshness_and_no_date_is_none():
    days = np.array([20240101, 20230101, 0, 20250101], np.uint32)
    fresh = freshness(days, 20240101)
    assert fresh[0] == 1.0
    assert fresh[1] == pytest.approx(0.5, abs=0.01)
    assert fresh[2] == 0.0
    assert fresh[3] == 1.0


def test_the_summands_make_the_factor():
    added = sum(part for _, part in static_summands(STANDINGS, 5))
    assert 1.0 + added == pytest.approx(static_factors(STANDINGS, [5])[0])
