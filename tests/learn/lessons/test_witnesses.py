"""Pages without a true text: what witnesses and the network agree on is learned, nothing else."""

import json
from dataclasses import replace

import numpy as np
import pytest

from telusur.errors import UsageError
from telusur.extract.content.classifier import read_features
from telusur.learn.lessons.examples import make_all, make_examples
from telusur.learn.lessons.witnesses import label, read_witnesses
from telusur.learn.training import train_model
from tests.learn.test_training import COURSE, made_up_page


@pytest.fixture(scope="module")
def model():
    return train_model(list(make_examples(map(made_up_page, range(16)))), COURSE)


def without_text(number=50, **changes):
    """A page of which nobody determined the text, and the text that it has."""
    page = made_up_page(number)
    return replace(page, text=None, source="news", **changes), page.text


def labelled(page, texts, model):
    examples, (apart,) = make_all([page], {page.key: texts})
    assert not examples
    example = label(apart, model)
    assert example is None or len(example.shares) == len(apart.lines)
    return apart.lines, example


def test_what_all_agree_on_is_known(model):
    page, text = without_text()
    lines, example = labelled(page, (text, f"Something before. {text}"), model)
    story = [line for line in lines if line.endswith("50 0")]
    assert [lines[at] for at in np.flatnonzero(example.shares)] == story
    assert example.known.all()
    assert example.loudness < 1


def test_a_line_on_which_one_differs_teaches_nothing(model):
    page, text = without_text()
    lines, _ = labelled(page, (text,), model)
    promo = next(line for line in lines if line.endswith("50 1"))
    lines, example = labelled(page, (text, f"{text} {promo}"), model)
    assert example.known[lines.index(promo)] == 0
    assert example.known.sum() == len(lines) - 1


def test_sentences_of_the_page_count_more_than_witnesses(model):
    page, text = without_text()
    lines, _ = labelled(page, (text,), model)
    story = next(line for line in lines if line.endswith("50 0"))
    promo = next(line for line in lines if line.endswith("50 1"))
    page = replace(page, wanted=(promo,), unwanted=(story.upper(),))
    lines, example = labelled(page, (text, text), model)
    assert [lines[at] for at in np.flatnonzero(example.shares)] == [promo]
    assert example.known[lines.index(story)] == 1


def test_a_page_without_any_content_is_left_out(model):
    page, _ = without_text()
    assert labelled(page, ("Another text altogether.",), model)[1] is None


def test_a_page_with_a_true_text_needs_no_witnesses():
    page = replace(made_up_page(1), source="news")
    examples, apart = make_all([page], {page.key: ("Anything.",)})
    assert (len(examples), apart) == (1, [])


def test_a_page_without_text_and_witnesses_still_has_facts_to_learn(model):
    page, _ = without_text()
    (example,), apart = make_all([page], {})
    assert apart == []
    assert not example.known.any()
    assert example.known_facts.all()
    assert np.isfinite(
        read_features(train_model([example] * 4, COURSE), example.features).scores
    ).all()


def test_what_nobody_looked_up_is_not_learned():
    page = replace(made_up_page(1), known=("text", "date"))
    (example,) = make_examples([page])
    assert example.known_facts.tolist() == [0, 0, 1]


def test_the_file_of_witnesses_is_read_and_bad_lines_are_told(tmp_path):
    path = tmp_path / "said.jsonl"
    path.write_text(json.dumps({"source": "a", "id": 1, "texts": ["x\u2028y", ""]}) + "\n")
    assert read_witnesses(path) == {"a/1": ("x\u2028y", "")}
    path.write_text('{"source": "a"}\n')
    with pytest.raises(UsageError, match="line 1: a line has"):
        read_witnesses(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_witnesses(tmp_path / "none")
