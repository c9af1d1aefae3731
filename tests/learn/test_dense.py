import numpy as np
import pytest

from telusur.errors import UsageError
from telusur.learn.dense import DenseNetwork, Examples, NetworkOptions
from telusur.learn.weights import balanced_class_weights

XOR_X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
XOR_Y = np.array([0, 1, 1, 0])


def toy_blocks(number: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows of (words, link density, noise): long with few links is content, label 1."""
    random = np.random.default_rng(seed)
    words, links, noise = random.random((3, number), np.float32)
    return np.stack((100 * words, links, noise), axis=1), ((words > 0.4) & (links < 0.5)).astype(
        int
    )


@pytest.mark.parametrize(("activation", "hidden"), [("relu", (16,)), ("sigmoid", (12, 6))])
def test_learns_xor_which_no_single_layer_can(activation, hidden):
    options = NetworkOptions(hidden, activation, epochs=800, batch_size=4, learning_rate=0.02)
    network = DenseNetwork(options).fit(XOR_X, XOR_Y)
    assert network.predict(XOR_X).tolist() == [0, 1, 1, 0]
    linear = DenseNetwork(NetworkOptions((), epochs=800, batch_size=4, learning_rate=0.02))
    assert linear.fit(XOR_X, XOR_Y).predict(XOR_X).tolist() != [0, 1, 1, 0]


def test_learns_blocks_it_has_not_seen():
    network = DenseNetwork(NetworkOptions((16, 8), epochs=60, batch_size=64, learning_rate=0.01))
    network.fit(*toy_blocks(600))
    x, y = toy_blocks(400, seed=1)
    assert (network.predict(x) == y).mean() > 0.95
    assert network.losses[-1] < network.losses[0] / 3


def test_slopes_are_those_of_the_loss():
    network = DenseNetwork(NetworkOptions((5, 4), "sigmoid", standardise=False, epochs=1))
    x, y = toy_blocks(20)
    x = x / 100
    weight = np.linspace(0.5, 1.5, 20).astype(np.float32)
    network.fit(x, y)
    random = np.random.default_rng(0)
    _, slopes = network._gradients(x, y, weight, random)
    numbers = [*network.weights, *network.biases]
    for number, slope in zip(numbers, slopes, strict=True):
        place = np.unravel_index(abs(slope).argmax(), slope.shape)
        old = number[place]
        number[place] = old + 0.01
        above, _ = network._gradients(x, y, weight, random)
        number[place] = old - 0.01
        below, _ = network._gradients(x, y, weight, random)
        number[place] = old
        assert slope[place] == pytest.approx((above - below) / 0.02, rel=0.02)


def test_class_weights_find_what_is_rare():
    random = np.random.default_rng(3)
    y = (random.random(2000) < 0.03).astype(int)
    x = (random.normal(size=(2000, 1)) + 1.2 * y[:, None]).astype(np.float32)
    options = NetworkOptions((8,), epochs=15, learning_rate=0.01)
    plain = DenseNetwork(options).fit(x, y).predict(x)
    weighted = (
        DenseNetwork(options).fit(x, y, class_weights=balanced_class_weights(y, 2)).predict(x)
    )
    assert plain[y == 1].mean() < 0.2
    assert weighted[y == 1].mean() > 0.5


def test_a_row_of_weight_three_counts_as_three_rows():
    x, y = toy_blocks(60)
    options = NetworkOptions((), epochs=400, batch_size=1000, learning_rate=0.05)
    thrice = DenseNetwork(options).fit(np.repeat(x, 3, axis=0), np.repeat(y, 3))
    weighted = DenseNetwork(options).fit(x, y, sample_weight=np.full(60, 3.0))
    assert np.allclose(thrice.probabilities(x), weighted.probabilities(x), atol=0.01)
    other = DenseNetwork(options).fit(x, y, sample_weight=np.where(y == 1, 9.0, 1.0))
    assert other.probabilities(x)[:, 1].mean() > weighted.probabilities(x)[:, 1].mean() + 0.05


def test_drop_out_silences_units_while_it_learns_and_never_after():
    x, y = toy_blocks(300)
    plain = DenseNetwork(NetworkOptions((32,), epochs=40, learning_rate=0.01)).fit(x, y)
    dropped = DenseNetwork(NetworkOptions((32,), dropout=0.7, epochs=40, learning_rate=0.01))
    dropped.fit(x, y)
    assert dropped.losses[-1] > plain.losses[-1]
    assert np.array_equal(dropped.probabilities(x), dropped.probabilities(x))
    hidden = dropped._forward(dropped._prepare(x), np.random.default_rng(0))[1]
    whole = dropped._forward(dropped._prepare(x))[1]
    assert (hidden[whole > 0] == 0).mean() == pytest.approx(0.7, abs=0.05)


def test_stops_when_held_out_pages_get_no_better_and_keeps_the_best():
    x, y = toy_blocks(60)
    wrong = y.copy()
    wrong[:25] ^= 1
    held_out = Examples(*toy_blocks(300, seed=2))
    options = NetworkOptions((64, 32), epochs=300, batch_size=8, learning_rate=0.01, patience=3)
    network = DenseNetwork(options).fit(x, wrong, held_out=held_out)
    assert len(network.losses) < 300
    assert network.losses[-1] > min(network.losses)
    assert network.loss(held_out) == pytest.approx(min(network.losses), rel=1e-4)


def test_the_same_seed_gives_the_same_network_and_another_one_another():
    x, y = toy_blocks(100)
    one, two = (DenseNetwork(NetworkOptions((4,), epochs=2)).fit(x, y) for _ in range(2))
    assert one.to_bytes() == two.to_bytes()
    three = DenseNetwork(NetworkOptions((4,), epochs=2, seed=1)).fit(x, y)
    assert not np.array_equal(one.probabilities(x), three.probabilities(x))


def test_what_is_saved_is_what_is_loaded(tmp_path):
    x, y = toy_blocks(100)
    network = DenseNetwork(NetworkOptions((7, 3), "sigmoid", dropout=0.2, epochs=3))
    network.fit(x, y, classes=4)
    network.save(tmp_path / "model")
    loaded = DenseNetwork.load(tmp_path / "model")
    assert loaded.options == network.options
    assert np.array_equal(loaded.probabilities(x), network.probabilities(x))
    assert loaded.probabilities(x[:0]).shape == (0, 4)


@pytest.mark.parametrize("data", [b"", b"no network", b"PK\x03\x04 cut"])
def test_a_file_that_is_no_network_is_named(tmp_path, data):
    path = tmp_path / "model"
    path.write_bytes(data)
    with pytest.raises(UsageError, match="model: The model is not a network"):
        DenseNetwork.load(path)
    with pytest.raises(UsageError, match="cannot be read"):
        DenseNetwork.load(tmp_path / "none")


def test_pickles_are_never_opened(tmp_path):
    path = tmp_path / "model.npz"
    np.savez(path, about=np.array([{"a": 1}], dtype=object))
    with pytest.raises(UsageError, match="not a network"):
        DenseNetwork.load(path)


def test_wrong_use_is_told():
    with pytest.raises(UsageError, match="neither relu nor sigmoid"):
        NetworkOptions(activation="tanh")
    with pytest.raises(UsageError, match="dropout"):
        NetworkOptions(dropout=1.0)
    with pytest.raises(UsageError, match="1 or more"):
        NetworkOptions(hidden=(0,))
    with pytest.raises(UsageError, match="not learned"):
        DenseNetwork().predict(XOR_X)
    with pytest.raises(UsageError, match="rows with a label"):
        DenseNetwork().fit(XOR_X, XOR_Y[:2])
