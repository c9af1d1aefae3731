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
    x, y = np.tile(XOR_X, (100, 1)), np.tile(XOR_Y, 100)
    options = NetworkOptions(hidden, activation, epochs=20, batch_size=8, learning_rate=0.02)
    assert DenseNetwork(options).fit(x, y).predict(XOR_X).tolist() == [0, 1, 1, 0]
    linear = DenseNetwork(NetworkOptions((), epochs=20, batch_size=8, learning_rate=0.02))
    assert linear.fit(x, y).predict(XOR_X).tolist() != [0, 1, 1, 0]


def test_learns_blocks_it_has_not_seen():
    network = DenseNetwork(NetworkOptions((16, 8), epochs=60, batch_size=64, learning_rate=0.01))
    network.fit(*toy_blocks(600))
    x, y = toy_blocks(400, seed=1)
    assert (network.predict(x) == y).mean() > 0.95
    assert network.losses[-1] < network.losses[0] / 3


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
    options = NetworkOptions((), epochs=100, batch_size=1000, learning_rate=0.2)
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


@pytest.fixture
def dropping():
    """The network with drop-out; imported late, for scikit-learn takes a while."""
    from telusur.learn.dropout import DroppingClassifier

    return DroppingClassifier


def test_the_library_asks_for_drop_out_in_every_batch_and_gets_the_share_it_should(dropping):
    outputs = []

    class Watched(dropping):
        def _forward_pass(self, activations):
            made = super()._forward_pass(activations)
            outputs.append(made[1].copy())
            return made

    x, y = toy_blocks(400)
    x = x.astype(np.float32) / 100
    network = Watched((200,), batch_size=100, max_iter=1, random_state=np.random.RandomState(0))
    network.dropout = 0.7
    network.partial_fit(x, y, classes=[0, 1])
    assert len(outputs) == 4
    silent = np.concatenate(outputs) == 0
    always = (x @ network.coefs_[0] + network.intercepts_[0] <= 0).mean()
    assert silent.mean() == pytest.approx(always + 0.7 * (1 - always), abs=0.05)
    assert outputs[0].dtype == np.float32


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
    assert np.array_equal(one.probabilities(x), two.probabilities(x))
    three = DenseNetwork(NetworkOptions((4,), epochs=2, seed=1)).fit(x, y)
    assert not np.array_equal(one.probabilities(x), three.probabilities(x))


def test_each_epoch_has_an_order_of_its_own(dropping):
    x, y = toy_blocks(64)
    orders = []

    class Watched(dropping):
        dropout = 0.0

        def _forward_pass(self, activations):
            orders.append(activations[0].copy())
            return super()._forward_pass(activations)

    network = Watched((2,), batch_size=64, random_state=np.random.RandomState(0))
    for _ in range(2):
        network.partial_fit(x, y, classes=[0, 1])
    assert not np.array_equal(*orders)


def test_labels_that_nobody_showed_are_known_and_improbable():
    x, y = toy_blocks(200)
    network = DenseNetwork(NetworkOptions((8,), epochs=30, learning_rate=0.01))
    network.fit(x, y, classes=4)
    found = network.probabilities(x)
    assert found.shape == (200, 4)
    assert found[:, 2:].max() < 0.2
    assert network.probabilities(x[:0]).shape == (0, 4)


def test_wrong_use_is_told():
    with pytest.raises(UsageError, match="neither relu nor sigmoid"):
        NetworkOptions(activation="tanh")
    with pytest.raises(UsageError, match="dropout"):
        NetworkOptions(dropout=1.0)
    with pytest.raises(UsageError, match="only with the activation relu"):
        NetworkOptions(activation="sigmoid", dropout=0.5)
    with pytest.raises(UsageError, match="1 or more"):
        NetworkOptions(hidden=(0,))
    with pytest.raises(UsageError, match="not trained"):
        DenseNetwork().predict(XOR_X)
    with pytest.raises(UsageError, match="rows with one label"):
        DenseNetwork().fit(XOR_X, XOR_Y[:2])
