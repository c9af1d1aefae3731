from pathlib import Path

import numpy as np
import pytest

from telusur.errors import UsageError
from telusur.learn.dense import DenseNetwork, NetworkOptions
from telusur.learn.network_file import load_network, network_to_bytes, save_network

#: Written by the network that Telusur had of its own, with rows and its answers to them.
OF_BEFORE = Path(__file__).parent / "networks_of_before"


def taught(classes: int | None = None) -> tuple[DenseNetwork, np.ndarray]:
    x = np.random.default_rng(0).random((100, 3), np.float32)
    network = DenseNetwork(NetworkOptions((7, 3), "sigmoid", epochs=3))
    return network.fit(x, (x[:, 0] > 0.5).astype(int), classes=classes), x


@pytest.mark.parametrize("classes", [2, 4])
def test_what_is_saved_is_what_is_loaded(tmp_path, classes):
    network, x = taught(classes)
    save_network(network, tmp_path / "model")
    loaded = load_network(tmp_path / "model")
    assert loaded.options == network.options
    assert np.array_equal(loaded.probabilities(x), network.probabilities(x))
    assert loaded.probabilities(x[:0]).shape == (0, classes)


def test_the_same_network_gives_the_same_bytes():
    assert network_to_bytes(taught()[0]) == network_to_bytes(taught()[0])


@pytest.mark.parametrize("name", ["four-labels", "two-labels", "sigmoid"])
def test_a_network_of_before_says_what_it_said_then(name):
    network = load_network(OF_BEFORE / f"{name}.npz")
    with np.load(OF_BEFORE / f"{name}-answers.npz") as answers:
        found = network.probabilities(answers["x"])
        assert np.allclose(found, answers["probabilities"], atol=1e-5)
        assert np.array_equal(network.predict(answers["x"]), answers["predicted"])


@pytest.mark.parametrize("data", [b"", b"no network", b"PK\x03\x04 cut"])
def test_a_file_that_is_no_network_is_named(tmp_path, data):
    path = tmp_path / "model"
    path.write_bytes(data)
    with pytest.raises(UsageError, match="model: The model is not a network"):
        load_network(path)
    with pytest.raises(UsageError, match="cannot be read"):
        load_network(tmp_path / "none")


def test_layers_that_do_not_fit_each_other_are_damage(tmp_path):
    path = tmp_path / "model"
    with np.load(OF_BEFORE / "four-labels.npz") as file:
        arrays = {name: file[name] for name in file.files}
    arrays["weight1"] = arrays["weight1"][:-1]
    with path.open("wb") as out:
        np.savez(out, **arrays)
    with pytest.raises(UsageError, match="or is damaged"):
        load_network(path)


def test_pickles_are_never_opened(tmp_path):
    path = tmp_path / "model.npz"
    np.savez(path, about=np.array([{"a": 1}], dtype=object))
    with pytest.raises(UsageError, match="not a network"):
        load_network(path)


def test_what_has_learned_nothing_cannot_be_saved(tmp_path):
    with pytest.raises(UsageError, match="not trained"):
        save_network(DenseNetwork(), tmp_path / "model")
