import numpy as np
import pytest

from telusur.extract.content.classifier import read_features
from telusur.learn.lessons.examples import make_examples
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.training import TrainingCourse, find_vocabulary, train_model

WORDS = ["lamp", "stairs", "keeper", "bay", "fog", "ship", "winter", "morning", "light", "tower"]
COURSE = TrainingCourse(
    epochs=12, pages_at_once=4, width=12, word_width=4, least_sites=3, rate=1e-2
)


def made_up_page(number):
    """A page whose content is in the one box that only its name tells from the other."""
    rng = np.random.default_rng(number)
    first, second = (" ".join(rng.choice(WORDS, 12)) + f" {number} {n}." for n in range(2))
    boxes = [f"<div class=story><p>{first}</p></div>", f"<div class=promo><p>{second}</p></div>"]
    if number % 2:
        boxes.reverse()
    return LabelledPage(
        id=str(number), site=f"{number}.example", page_type="article", text=first,
        html=f"<h1>Page</h1>{''.join(boxes)}",
    )  # fmt: skip


@pytest.fixture(scope="module")
def examples():
    return list(make_examples(map(made_up_page, range(24))))


@pytest.fixture(scope="module")
def model(examples):
    return train_model(examples[:16], COURSE)


def test_a_model_learns_what_the_examples_have_in_common(examples, model):
    for example in examples[16:]:
        likely = read_features(model, example.features).scores[:, 0]
        assert likely[example.shares > 0.5].min() > likely[example.shares < 0.5].max()


def test_the_same_course_gives_the_same_model(examples, model):
    again = train_model(examples[:16], COURSE)
    for name, array in model.weights.items():
        np.testing.assert_array_equal(array, again.weights[name])


def test_progress_is_reported(examples):
    losses = []
    train_model(examples[:8], COURSE, lambda epoch, loss: losses.append((epoch, loss)))
    assert [epoch for epoch, _ in losses] == list(range(1, 13))
    assert losses[-1][1] < losses[0][1]


def test_words_of_few_sites_are_not_learned(examples):
    numbers = find_vocabulary(examples, 20).numbers
    assert {".story", ".promo", "<p"} <= set(numbers)
    assert not find_vocabulary(examples, 25).numbers


def test_a_page_that_shows_nothing_is_no_example():
    assert not list(make_examples([LabelledPage(id="1", html="<script>x</script>", text="x")]))
