import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telusur.extract.content.ranges import Ranges


@given(st.integers(1, 30), st.lists(st.tuples(st.integers(0, 29), st.integers(1, 30)), max_size=20))
def test_sums_are_those_of_loops(count, pairs):
    pairs = sorted((start, min(count, start + size)) for start, size in pairs if start < count)
    starts = np.array([start for start, _ in pairs], np.int64)
    ends = np.array([end for _, end in pairs], np.int64)
    ranges = Ranges(starts, ends, count)
    rows = np.arange(2 * count, dtype=np.float32).reshape(count, 2)
    values = np.arange(2 * len(pairs), dtype=np.float32).reshape(len(pairs), 2)
    within = [rows[start:end].sum(axis=0) for start, end in pairs]
    around = [
        sum((values[n] for n, (start, end) in enumerate(pairs) if start <= row < end), np.zeros(2))
        for row in range(count)
    ]
    np.testing.assert_allclose(ranges.sum_within(rows), np.array(within).reshape(-1, 2))
    np.testing.assert_allclose(ranges.sum_around(values), np.array(around))
