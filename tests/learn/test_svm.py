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


def test_a_single_label_needs_no_plane():
    svm = Svm().fit(np.arange(6.0).reshape(3, 2), np.array([2, 2, 2]))
    assert svm.predict(np.zeros((2, 2))).tolist() == [2, 2]


def test_the_same_rows_give_the_same_planes():
    x, y = three_corners(200, 0)
    for kernel in ("linear", "rbf"):
        one, two = (Svm(SvmOptions(kernel)).fit(x, y) for _ in range(2))
        assert np.array_equal(one.predict(x), two.predict(x))


def test_a_row_of_weight_three_counts_as_three_rows():
    random = np.random.default_rng(1)
    x = random.normal(size=(300, 2))
    y = (x[:, 0] + random.normal(size=300) > 0).astype(int)
    weight = np.where(y == 1, 3, 1)
    options = SvmOptions(regularisation=0.01)
    weighted = Svm(options).fit(x, y, sample_weight=weight).predict(x)
    thrice = Svm(options).fit(np.repeat(x, weight, axis=0), np.repeat(y, weight)).predict(x)
    assert (weighted == thrice).mean() > 0.97
    assert weighted.mean() > Svm(options).fit(x, y).predict(x).mean() + 0.1


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
    with pytest.raises(UsageError, match="rows with one label"):
        Svm().fit(np.zeros((0, 2)), np.zeros(0, int))
    with pytest.raises(UsageError, match="not trained"):
        Svm().predict(np.zeros((1, 2)))
