import numpy as np
import pytest

from telusur.errors import UsageError
from telusur.learn.svm import Svm, SvmOptions


def three_corners(number: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, number)
    return np.array([[0, 0], [4, 0], [0, 4]])[y] + random.normal(size=(number, 2)) * 0.7, y


def test_separates_three_corners():
    svm = Svm().fit(*three_corners(600, 0))
    x, y = three_corners(300, 1)
    assert (svm.predict(x) == y).mean() > 0.97
    assert svm.margins(x[:0]).shape == (0, 3)


def test_the_plane_has_the_least_loss():
    x, y = three_corners(200, 0)
    svm = Svm(SvmOptions(regularisation=0.01)).fit(x, y)
    sign, weight = np.where(y == 1, 1.0, -1.0), np.ones(len(y))
    rows = svm._features(x)
    loss, slope, _ = svm._look(rows, sign, weight, svm._planes[:, 1])
    assert np.abs(slope).max() < 1e-3
    random = np.random.default_rng(0)
    for _ in range(20):
        near = svm._planes[:, 1] + 0.05 * random.normal(size=3)
        assert svm._look(rows, sign, weight, near)[0] > loss


def test_only_the_kernel_separates_a_ring_from_its_middle():
    random = np.random.default_rng(0)
    x = random.normal(size=(600, 2))
    y = (np.hypot(*x.T) > 1.1).astype(int)
    linear = Svm().fit(x, y)
    rbf = Svm(SvmOptions("rbf", components=120)).fit(x, y)
    assert (rbf.predict(x) == y).mean() > 0.95
    assert (linear.predict(x) == y).mean() < 0.7


def test_class_weights_find_what_is_rare():
    random = np.random.default_rng(3)
    y = (random.random(2000) < 0.03).astype(int)
    x = random.normal(size=(2000, 1)) + 1.2 * y[:, None]
    assert Svm().fit(x, y).predict(x)[y == 1].mean() < 0.2
    assert Svm().fit(x, y, class_weights=[1, 30]).predict(x)[y == 1].mean() > 0.5


def test_wrong_use_is_told():
    with pytest.raises(UsageError, match="neither linear nor rbf"):
        SvmOptions("poly")
    with pytest.raises(UsageError, match="rows with a label"):
        Svm().fit(np.zeros((0, 2)), np.zeros(0, int))
