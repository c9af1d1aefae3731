import numpy as np
import pytest

from telusur.arrays import each_once


@pytest.mark.parametrize("kind", [np.uint64, np.int64, np.int32])
@pytest.mark.parametrize("given", [[], [7], [3, 1, 3, 2, 1, 3], [5, 5, 5], [1, 2, 2**31 - 1]])
def test_each_number_comes_once_in_order(kind, given):
    found = each_once(np.array(given, kind))
    assert (found.tolist(), found.dtype) == (sorted(set(given)), kind)


def test_numbers_of_all_64_bits_keep_their_order():
    given = np.array([2**64 - 1, 0, 2**63, 2**64 - 1, 2**63 - 1], np.uint64)
    assert each_once(given).tolist() == [0, 2**63 - 1, 2**63, 2**64 - 1]
