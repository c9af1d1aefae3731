"""Networks in files: an .npz of layers without pickles.

The format is the same as when Telusur had its own network, so old files still open.
"""

import io
import json
import zipfile
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from telusur.arrays import Floats, Rows
from telusur.errors import UsageError
from telusur.learn.dense import DenseNetwork, NetworkOptions
from telusur.learn.scaling import Scaling

_FORMAT = 1
_DAMAGE = (ValueError, KeyError, TypeError, OSError, EOFError, zipfile.BadZipFile)


def network_to_bytes(network: DenseNetwork) -> bytes:
    """Return a network as a file: the same network, the same bytes."""
    scaling, weights, biases = network.layers()
    about = json.dumps({"format": _FORMAT, "options": asdict(network.options)}, sort_keys=True)
    arrays: dict[str, Rows] = {"about": np.frombuffer(about.encode(), np.uint8)}
    arrays |= {"mean": scaling.mean, "scale": scaling.factor}
    arrays |= {f"weight{number}": weight for number, weight in enumerate(weights)}
    arrays |= {f"bias{number}": bias for number, bias in enumerate(biases)}
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def network_from_bytes(data: bytes) -> DenseNetwork:
    """Return the network that `network_to_bytes` of this or an older version wrote."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        about = json.loads(arrays["about"].tobytes())
        if about["format"] != _FORMAT:
            raise ValueError(about["format"])
        return _network_of(arrays, about["options"])
    except _DAMAGE as error:
        raise UsageError("The model is not a network of Telusur, or is damaged.") from error


def save_network(network: DenseNetwork, path: str | Path) -> None:
    """Write a network to a file."""
    Path(path).write_bytes(network_to_bytes(network))


def load_network(path: str | Path) -> DenseNetwork:
    """Read a network from a file."""
    try:
        return network_from_bytes(Path(path).read_bytes())
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}).") from error


def _network_of(arrays: dict[str, Any], options: dict[str, Any]) -> DenseNetwork:
    known = {each.name for each in fields(NetworkOptions)}
    kept = {name: value for name, value in options.items() if name in known}
    network = DenseNetwork(NetworkOptions(**kept | {"hidden": tuple(options["hidden"])}))
    numbers = range(len(network.options.hidden) + 1)
    weights = [arrays[f"weight{number}"] for number in numbers]
    biases = [arrays[f"bias{number}"] for number in numbers]
    network.take_layers(Scaling(arrays["mean"], arrays["scale"]), *_one_output(weights, biases))
    return network


def _one_output(weights: list[Floats], biases: list[Floats]) -> tuple[list[Floats], list[Floats]]:
    """Return layers whose last one has one output for two labels, not two.

    Older networks had two outputs, of which only the difference matters.
    """
    if len(biases[-1]) == 2:
        weights[-1] = weights[-1][:, 1:] - weights[-1][:, :1]
        biases[-1] = biases[-1][1:] - biases[-1][:1]
    return weights, biases
