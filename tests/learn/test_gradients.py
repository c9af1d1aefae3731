"""Every gradient is held against a small step in each direction."""

import numpy as np
import pytest

from telusur.extract.content.features import measure_page
from telusur.extract.content.model import make_batch
from telusur.extract.content.network import Numpy, run_network
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout
from telusur.learn.gradients import Tape, Value
from telusur.learn.lessons.example import Example
from telusur.learn.losses import loss_of, loudness_of_types
from telusur.learn.training import TrainingCourse, _first_weights, find_vocabulary

PAGES = (
    "<nav class=menu><a href=/>Home</a></nav><main><h1>T</h1><p>Some words of a text.</p></main>",
    "<div class=post><p>One, two.</p></div><div class=post><p>Three.</p><p>Four</p></div>",
)


@pytest.fixture(scope="module")
def examples():
    rng = np.random.default_rng(3)
    found = []
    for number, html in enumerate(PAGES):
        features = measure_page(read_layout(parse_html(html)), Metadata())
        count = len(features.lines)
        found.append(
            Example(
                id=str(number), site=str(number), features=features,
                shares=rng.random(count).astype(np.float32),
                facts=rng.integers(0, 2, (count, 3)).astype(np.float32),
                page_type=("article", "forum")[number],
                known=rng.integers(0, 2, count).astype(np.float32),
                known_facts=np.array([1, 0, 1], np.float32), loudness=0.5 + number,
            )
        )  # fmt: skip
    return found


def test_the_gradient_of_the_whole_network_is_that_of_small_steps(examples):
    rng = np.random.default_rng(1)
    course = TrainingCourse(width=6, word_width=4)
    vocabulary = find_vocabulary(examples, 1)
    weights = _first_weights(course, len(vocabulary.numbers) + 1, rng)
    for value in weights.values():  # in double, so that small steps can be told from noise
        value.array = value.array.astype(np.float64)
    batch = make_batch([each.features for each in examples], vocabulary)
    loudness = loudness_of_types(examples)

    def loss():
        arrays = {name: value.array for name, value in weights.items()}
        return loss_of(examples, batch, *run_network(arrays, batch, Numpy()), loudness)[0]

    tape = Tape(rng)
    scores, types = run_network(weights, batch, tape)
    _, scores.grad, types.grad = loss_of(examples, batch, scores.array, types.array, loudness)
    tape.follow_back()
    for name, value in weights.items():
        assert value.grad is not None, name
        place = np.unravel_index(np.argmax(np.abs(value.grad)), value.grad.shape)
        slopes = [slope(value, place, step, loss) for step in (1e-2, 1e-3)]
        # A step may cross a corner of the network; then the other does not.
        nearest = min(slopes, key=lambda found, true=value.grad[place]: abs(found - true))
        assert nearest == pytest.approx(value.grad[place], rel=0.02), name


def slope(value, place, step, loss):
    kept = value.array[place]
    value.array[place] = kept + step
    above = loss()
    value.array[place] = kept - step
    below = loss()
    value.array[place] = kept
    return (above - below) / (2 * step)


def test_what_is_left_out_at_random_keeps_the_mean():
    tape = Tape(np.random.default_rng(0), rest=0.5)
    value = Value(np.ones((200, 50), np.float32))
    kept = tape.rest(value)
    assert kept.array.mean() == pytest.approx(1, abs=0.05)
    kept.grad = np.ones_like(kept.array)
    tape.follow_back()
    np.testing.assert_array_equal(value.grad, kept.array)
