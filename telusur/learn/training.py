"""Trains the network on labelled pages: from examples to a model."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from telusur.arrays import Floats, Ints
from telusur.extract.content.features import CONTAINER_COLUMNS, LINE_COLUMNS
from telusur.extract.content.model import LABELS, PAGE_TYPES, Model, make_batch
from telusur.extract.content.network import NEIGHBOURS, ROUNDS, run_network
from telusur.extract.content.vocabulary import (
    Vocabulary,
    first_words,
    words_of_element,
    words_of_marks,
)
from telusur.learn.gradients import Tape, Value
from telusur.learn.lessons import conventions
from telusur.learn.lessons.example import Example
from telusur.learn.losses import TypeLoudness, loss_of, loudness_of_types

Report = Callable[[int, float], None]


@dataclass(slots=True, frozen=True)
class TrainingCourse:
    """The options of training; chosen as a set by cross-validation by site."""

    epochs: int = 12
    pages_at_once: int = 8
    rate: float = 2e-3
    width: int = 64
    word_width: int = 12
    # A word must be on this many sites to be learned: rarer ones are typical of single sites.
    least_sites: int = 50
    rest: float = 0.2
    forget_words: float = 0.3
    decay: float = 1e-2
    seed: int = 0
    # Longer pages are not used for training: they cost much and teach little.
    most_lines: int = 1500
    # The shares of pages that are also learned in old markup, and in another writing system.
    old_markup: float = 0.35
    other_languages: float = 0.25


def train_model(
    examples: Sequence[Example],
    course: TrainingCourse,
    report: Report | None = None,
    *,
    onto: Model | None = None,
) -> Model:
    """Return a model trained on these examples, the same for the same course.

    With `onto` that model is trained further and keeps its vocabulary. Otherwise the network is
    told the convention of each page's set (`telusur.learn.lessons.conventions`). The weights are
    the running mean over the last steps, which does better on new pages than any single step.
    """
    rng = np.random.default_rng(course.seed)
    if onto is None:
        vocabulary = find_vocabulary(examples, course.least_sites)
        weights = _first_weights(course, len(vocabulary.numbers) + 1, rng)
        conventions.add_rows(weights, rng)
    else:
        vocabulary = onto.vocabulary
        weights = {name: Value(array.copy()) for name, array in onto.weights.items()}
    usable = [each for each in examples if len(each.features.lines) <= course.most_lines]
    loudness = loudness_of_types(usable)
    steps = course.epochs * -(-len(usable) // course.pages_at_once)
    optimizer = _Optimizer(weights, course, steps)
    for epoch in range(course.epochs):
        order = rng.permutation(len(usable))
        total = 0.0
        for start in range(0, len(order), course.pages_at_once):
            chosen = [usable[index] for index in order[start : start + course.pages_at_once]]
            total += _learn(
                chosen, weights, vocabulary, course, rng, loudness=loudness, is_told=onto is None
            )
            optimizer.step()
        if report is not None:
            report(epoch + 1, total / max(1, len(usable)))
    mean = {name: array.astype(np.float32) for name, array in optimizer.mean.items()}
    if onto is None:
        conventions.fold_in(mean)
    return Model(mean, vocabulary)


def find_vocabulary(examples: Sequence[Example], least_sites: int) -> Vocabulary:
    """Return the words that enough sites use."""
    sites: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        features = example.features
        used = [features.names[number] for number in np.unique(features.members).tolist()]
        words = {word for names in used for word in words_of_element(names)}
        words.update(*map(first_words, features.line_words))
        words.update(*map(words_of_marks, set(features.line_marks)))
        for word in words:
            sites[word].add(example.site)
    known = sorted(word for word, where in sites.items() if len(where) >= least_sites)
    return Vocabulary({word: number for number, word in enumerate(known, 1)})


def _first_weights(
    course: TrainingCourse, words: int, rng: np.random.Generator
) -> dict[str, Value]:
    width, word_width = course.width, course.word_width
    shapes = {"in": (LINE_COLUMNS + 3 * word_width, width)}
    for number in range(ROUNDS):
        shapes[f"up{number}"] = (CONTAINER_COLUMNS + word_width + width, width)
        shapes[f"mix{number}"] = ((5 + len(NEIGHBOURS)) * width, width)
    shapes |= {"out": (width, len(LABELS)), "type": (width, len(PAGE_TYPES))}
    weights: dict[str, Value] = {}
    for name, (rows, columns) in shapes.items():
        limit = 1 / np.sqrt(rows)
        weights[f"{name}.w"] = Value(rng.uniform(-limit, limit, (rows, columns)).astype(np.float32))
        weights[f"{name}.b"] = Value(np.zeros(columns, np.float32))
    for name in ("names", "words"):
        table = (0.1 * rng.standard_normal((words, word_width))).astype(np.float32)
        table[0] = 0
        weights[name] = Value(table)
    return weights


def _learn(
    examples: list[Example],
    weights: dict[str, Value],
    vocabulary: Vocabulary,
    course: TrainingCourse,
    rng: np.random.Generator,
    *,
    loudness: TypeLoudness,
    is_told: bool,
) -> float:
    """Compute the gradients of the mean loss on these pages; return the summed loss.

    `loudness` is how much each page type counts; `is_told` is whether the network is told the
    convention of each page's set.
    """
    batch = make_batch([each.features for each in examples], vocabulary)
    if is_told:
        told = conventions.columns_of([each.source for each in examples], rng)
        batch.lines = np.concatenate([batch.lines, told[batch.page_of]], axis=1)
    # Copy the arrays: those of a batch with one page are views of the compiled part's memory.
    batch.line_ids, batch.container_ids = (
        np.where(rng.random(len(ids)) < course.forget_words, 0, ids)
        for ids in (batch.line_ids, batch.container_ids)
    )
    tape = Tape(rng, course.rest)
    scores, types = run_network(weights, batch, tape, None if is_told else _types_of(examples))
    loss, scores.grad, types.grad = loss_of(examples, batch, scores.array, types.array, loudness)
    scores.grad /= len(examples)
    types.grad /= len(examples)
    tape.follow_back()
    return loss


def _types_of(examples: Sequence[Example]) -> Ints:
    """Return the number of each page's type; a page of an unknown type counts as an article."""
    names = (each.page_type for each in examples)
    return np.array([PAGE_TYPES.index(name if name in PAGE_TYPES else "article") for name in names])


class _Optimizer:
    """AdamW with a one-cycle learning rate, and the running mean of the weights."""

    def __init__(self, weights: dict[str, Value], course: TrainingCourse, steps: int) -> None:
        self._weights = weights
        self._course = course
        self._steps = max(1, steps)
        self._done = 0
        self._first = {name: np.zeros_like(value.array) for name, value in weights.items()}
        self._second = {name: np.zeros_like(value.array) for name, value in weights.items()}
        self.mean = {name: value.array.copy() for name, value in weights.items()}

    def step(self) -> None:
        """Update the weights by their gradients, and clear the gradients."""
        self._done += 1
        rate, keep_grad = self._cycle()
        norm = np.sqrt(sum(float((value.grad**2).sum()) for value in self._weights.values()
                           if value.grad is not None))  # fmt: skip
        calm = min(1.0, 5 / (norm + 1e-9))
        keep = min(0.99, 1 - 1 / (self._done / 4 + 1))
        for name, value in self._weights.items():
            if value.grad is not None:
                self._move(name, value, value.grad * calm, rate, keep_grad)
            value.grad = None
            self.mean[name] = keep * self.mean[name] + (1 - keep) * value.array

    def _move(self, name: str, value: Value, grad: Floats, rate: float, beta: float) -> None:
        first, second = self._first[name], self._second[name]
        first *= beta
        first += (1 - beta) * grad
        second *= 0.999
        second += 0.001 * grad**2
        size = np.sqrt(second / (1 - 0.999**self._done)) + 1e-8
        value.array *= 1 - rate * self._course.decay
        value.array -= rate * first / (1 - beta**self._done) / size

    def _cycle(self) -> tuple[float, float]:
        """Return rate and momentum: one rises over the first 15 % of the steps, the other falls."""
        done, rise = self._done / self._steps, 0.15
        phase = done / rise - 1 if done < rise else (done - rise) / (1 - rise)
        height = 0.5 + 0.5 * math.cos(math.pi * phase)
        return self._course.rate * max(1e-4, height), 0.95 - 0.1 * height
