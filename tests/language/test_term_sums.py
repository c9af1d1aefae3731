import numpy as np
import pytest

from telusur.language import term_sums
from telusur.language.term_sums import sums_of_runs, sums_of_terms

TERMS = np.array([0, 2, 2, 1, 0, 3], np.int32)
LENGTHS = np.array([2, 0, 3, 0, 1], np.int32)
WEIGHTS = np.array([1, 2, 1, 1, 0.5, 4], np.float32)


@pytest.fixture(params=["compiled", "pure"], autouse=True)
def _either_way(request, monkeypatch):
    if request.param == "pure":
        monkeypatch.setattr(term_sums, "native", None)
    elif term_sums.native is None:
        pytest.skip("Telusur was installed without a compiler")


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_run_has_the_sum_of_its_terms(width):
    table = np.arange(4.0 * width).reshape(4, width)
    by_hand = [table[0] + table[2], 0 * table[0], table[2] + table[1] + table[0], 0 * table[0],
               table[3]]  # fmt: skip
    assert sums_of_runs(table, TERMS, LENGTHS).tolist() == [list(row) for row in by_hand]
    (first, *_, last) = sums_of_runs(table, TERMS, LENGTHS, WEIGHTS)
    assert first.tolist() == (table[0] + 2 * table[2]).tolist()
    assert last.tolist() == (4 * table[3]).tolist()


@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_term_has_the_sum_of_the_runs_it_is_in(width):
    values = 10.0 ** np.arange(5.0 * width).reshape(5, width)
    sums = sums_of_terms(values, TERMS, LENGTHS, 5)
    by_hand = [values[0] + values[2], values[2], values[0] + values[2], values[4], 0 * values[0]]
    assert sums.tolist() == [list(row) for row in by_hand]
    weighted = sums_of_terms(values, TERMS, LENGTHS, 5, WEIGHTS)
    assert weighted[2].tolist() == (2 * values[0] + values[2]).tolist()


def test_nothing_has_no_sums():
    none = np.zeros(0, np.int32)
    assert sums_of_runs(np.ones((3, 2)), none, none).shape == (0, 2)
    assert sums_of_terms(np.ones((0, 2)), none, none, 3).tolist() == [[0.0, 0.0]] * 3


@pytest.mark.parametrize("_either_way", ["compiled"], indirect=True)  # C would read anywhere
def test_terms_that_are_not_in_the_table_are_refused():
    for terms in ([0, 4], [0, -1], [0, 1, 2]):
        with pytest.raises(ValueError, match="do not fit"):
            sums_of_runs(np.ones((4, 1)), np.array(terms, np.int32), np.array([2], np.int32))
