import numpy as np
import pytest

from telusur.errors import UsageError
from telusur.extract.content.classifier import read_lines
from telusur.extract.content.features import measure_page
from telusur.extract.content.model import (
    SHIPPED,
    Model,
    choose_content,
    load_model,
    make_batch,
    shipped_model,
)
from telusur.extract.content.network import Numpy, run_network
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout

HTML = "<nav><a href=/>Home</a></nav><main><h1>T</h1><p>Some words of a text.</p></main>"


def features_of(html):
    return measure_page(read_layout(parse_html(html)), Metadata())


def test_a_model_survives_being_saved(tmp_path):
    model = shipped_model()
    model.save(tmp_path / "m.npz")
    again = load_model(tmp_path / "m.npz")
    assert again.vocabulary.numbers == model.vocabulary.numbers
    assert again.about["hash"] == model.about["hash"]
    layout = read_layout(parse_html(HTML))
    one, other = (read_lines(each, layout, Metadata()).scores for each in (model, again))
    np.testing.assert_array_equal(one, other)


def test_a_model_of_an_older_version_reads_all_types_of_pages_alike(tmp_path):
    shipped = shipped_model()
    old = Model(dict(shipped.weights), shipped.vocabulary)
    del old.weights["in.by_type"]
    old.save(tmp_path / "old.npz")
    model = load_model(tmp_path / "old.npz")
    assert not model.weights["in.by_type"].any()
    assert shipped.weights["in.by_type"].any()
    layout = read_layout(parse_html(HTML))
    assert len(read_lines(model, layout, Metadata()).scores) == len(layout.texts)


def test_the_shipped_model_says_what_it_is():
    about = shipped_model().about
    assert {"data", "pages", "figures", "course", "hash"} <= set(about)


def test_a_damaged_model_is_not_believed(tmp_path):
    whole = SHIPPED.read_bytes()
    for name, data in (("cut", whole[:5000]), ("other", b"no model"), ("empty", b"")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(UsageError, match=name):
            load_model(tmp_path / name)
    model = shipped_model()
    weights = {**model.weights, "out.b": model.weights["out.b"] + 1}
    with np.load(SHIPPED) as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(tmp_path / "changed.npz", **{**arrays, "out.b": weights["out.b"].astype(np.float16)})
    with pytest.raises(UsageError, match="damaged"):
        load_model(tmp_path / "changed.npz")
    with pytest.raises(UsageError, match="nowhere"):
        load_model(tmp_path / "nowhere.npz")


def test_pages_read_together_are_read_as_they_are_alone():
    model = shipped_model()
    pages = [features_of(HTML), features_of("<p>x"), features_of(HTML * 3)]
    together, types = run_network(model.weights, make_batch(pages, model.vocabulary), Numpy())
    alone = [
        run_network(model.weights, make_batch([page], model.vocabulary), Numpy()) for page in pages
    ]
    np.testing.assert_allclose(together, np.concatenate([each[0] for each in alone]), atol=1e-4)
    np.testing.assert_allclose(types, np.concatenate([each[1] for each in alone]), atol=1e-4)


def test_the_content_is_what_promises_the_best_text():
    words = np.array([10, 10, 10, 10], np.float32)

    def choose(*likely):
        return choose_content(np.array(likely, np.float32), words).tolist()

    assert choose(0.9, 0.1, 0.95, 0.05) == [0, 2]
    assert choose(0.3, 0.3, 0.3, 0.3) == [0, 1, 2, 3], "nothing is certain: all of it"
    assert choose(0.99, 0.4, 0.01, 0.01) == [0]
