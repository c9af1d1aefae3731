import numpy as np
import pytest
from sklearn.cluster import DBSCAN

from telusur.learn.clusters import dense_points
from telusur.learn.clusters.dense_points import find_cores, nearest


def scattered(seed, count=400, width=5):
    chance = np.random.default_rng(seed)
    middles = chance.uniform(-4, 4, (12, width))
    points = middles[chance.integers(12, size=count)] + chance.normal(0, 0.4, (count, width))
    return points.astype(np.float32), chance.integers(1, 4, count)


def partition(points, clusters):
    """The same clusters whatever their numbers."""
    groups = {}
    for point, cluster in zip(points.tolist(), clusters.tolist(), strict=True):
        groups.setdefault(cluster, set()).add(point)
    return set(map(frozenset, groups.values()))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("at_a_time", [1, 3_000, 2_000_000])
def test_cores_and_clusters_are_those_of_scikit_learn(seed, at_a_time, monkeypatch):
    monkeypatch.setattr(dense_points, "_DISTANCES_AT_A_TIME", at_a_time)
    points, weights = scattered(seed)
    found = find_cores(points, weights, 0.8, 5)
    theirs = DBSCAN(eps=0.8, min_samples=5).fit(points, sample_weight=weights)
    assert np.array_equal(found.points, theirs.core_sample_indices_)
    labels = theirs.labels_[theirs.core_sample_indices_]
    assert partition(found.points, found.clusters) == partition(found.points, labels)
    assert len(set(found.clusters.tolist())) > 3


def test_the_weight_of_a_point_makes_it_a_core():
    points = np.array([[0.0], [10.0], [20.0]], np.float32)
    found = find_cores(points, np.array([1, 2, 1]), 1.0, 2)
    assert (found.points.tolist(), found.clusters.tolist()) == ([1], [0])


def test_a_chain_of_neighbours_is_one_cluster():
    points = np.arange(50, dtype=np.float32)[::-1].reshape(-1, 1)
    found = find_cores(points, np.ones(50, np.int64), 1.0, 2)
    assert found.clusters.tolist() == [0] * 50


def test_nearest():
    points = np.array([[0.0, 0], [3, 4], [9, 9]], np.float32)
    found, far = nearest(points, np.array([[3.0, 0], [9, 8]], np.float32))
    assert (found.tolist(), far.tolist()) == ([0, 0, 1], [3.0, 4.0, 1.0])
    nothing, far = nearest(points, points[:0])
    assert (len(nothing), np.isinf(far).all()) == (3, True)


def test_no_points():
    found = find_cores(np.zeros((0, 3), np.float32), np.zeros(0, np.int64), 1.0, 2)
    assert (len(found.points), len(found.clusters)) == (0, 0)
