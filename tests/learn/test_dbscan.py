import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from telusur.learn import dbscan as module
from telusur.learn.dbscan import NOISE, dbscan, nearest


def brute_force(points: np.ndarray, radius: float, least: int) -> tuple[list[set[int]], set[int]]:
    """Return the cores of the clusters and the noise, straight from the definition."""
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)
    near = distance <= radius
    cores = [set(np.flatnonzero(row)) for row in near]
    is_core = [len(each) >= least for each in cores]
    left = {index for index, core in enumerate(is_core) if core}
    clusters = []
    while left:
        waiting, cluster = [left.pop()], set()
        while waiting:
            one = waiting.pop()
            cluster.add(one)
            reached = {other for other in cores[one] if is_core[other]} - cluster
            waiting.extend(reached)
            left -= reached
        clusters.append(cluster)
    noise = {index for index in range(len(points)) if not any(is_core[i] for i in cores[index])}
    return clusters, noise


@given(
    arrays.arrays(np.int64, st.tuples(st.integers(0, 25), st.just(2)), elements=st.integers(0, 12)),
    st.sampled_from([1.0, 1.5, 2.0]),
    st.integers(1, 5),
)
@settings(max_examples=80, deadline=None)
def test_agrees_with_the_definition(points, radius, least):
    clusters, noise = brute_force(points, radius, least)
    found = dbscan(points, radius, least)
    assert set(np.flatnonzero(found.labels == NOISE)) == noise
    cores = [set(np.flatnonzero((found.labels == n) & found.is_core)) for n in range(found.number)]
    assert sorted(map(sorted, cores)) == sorted(map(sorted, clusters))


def test_a_worked_example():
    line = [[0, 0], [1, 0], [2, 0], [3, 0]]
    pair = [[10, 0], [10, 1]]
    border = [[4, 0]]  # has only [3, 0] beside it: within reach, no core
    found = dbscan(np.array(line + pair + border), radius=1, least=3)
    assert found.labels.tolist() == [0, 0, 0, 0, NOISE, NOISE, 0]
    assert found.is_core.tolist() == [False, True, True, True, False, False, False]
    assert found.number == 1


def test_a_weight_is_a_number_of_equal_points():
    points = np.array([[0.0, 0.0], [5.0, 5.0]])
    assert dbscan(points, 1, 3).number == 0
    found = dbscan(points, 1, 3, weight=[3, 2])
    assert found.labels.tolist() == [0, NOISE]


def test_blocks_do_not_change_the_result(monkeypatch):
    points = np.random.default_rng(0).random((200, 2)) * 10
    whole = dbscan(points, 0.6, 3)
    monkeypatch.setattr(module, "_BLOCK_CELLS", 700)
    assert np.array_equal(dbscan(points, 0.6, 3).labels, whole.labels)
    assert whole.number > 3


def test_the_nearest_of_some_points():
    found, distance = nearest(np.array([[0, 0], [9, 9]]), np.array([[0, 3], [9, 8]]))
    assert found.tolist() == [0, 1]
    assert distance.tolist() == pytest.approx([3, 1])
    assert nearest(np.zeros((2, 2)), np.zeros((0, 2)))[1].tolist() == [np.inf, np.inf]
