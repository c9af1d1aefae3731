"""Trains the network on labelled pages: from examples to a model."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from telusur.arrays import Floats
from telusur.extract.content.features import CONTAINER_COLUMNS, LINE_COLUMNS, Features
from telusur.extract.content.model import LABELS, PAGE_TYPES, Model, make_batch
from telusur.extract.content.network import NEIGHBOURS, ROUNDS, Batch, run_network
from telusur.extract.content.vocabulary import (
    Vocabulary,
    first_words,
    words_of_element,
    words_of_marks,
)
from telusur.learn import conventions
from telusur.learn.gradients import Tape, Value

Report = Callable[[int, float], None]
_LOUD_FACTS = np.array([0.15, 0.05, 0.05], np.float32)
_LOUD_TYPE = 0.1
_LOUD_OTHER_TYPE = 0.2


@dataclass(slots=True, frozen=True)
class TrainingCourse:
    """The options of training; chosen as a set by cross-validation by site."""

    epochs: int = 14
    pages_at_once: int = 8
    rate: float = 2e-3
    width: int = 40
    word_width: int = 12
    # A word must be on this many sites to be learned: rarer ones are typical of single sites.
    least_sites: int = 50
    rest: float = 0.2
    forget_words: float = 0.3
    decay: float = 1e-2
    seed: int = 0
    # Longer pages are not used for training: they cost much and teach little.
    most_lines: int = 1500


@dataclass(slots=True, frozen=True)
class Example:
    """The features of a page, and the truth about its lines."""

    id: str
    site: str
    features: Features
    # For each line, the share of its words that are content.
    shares: Floats
    # For each line, whether it is title, author, date.
    facts: Floats
    page_type: str
    # For each line, whether its share is known (1 or 0).
    known: Floats
    # Whether title, author and date of the page are known (1 or 0).
    known_facts: Floats
    # The set that the page is from.
    source: str = ""
    # How much the page counts.
    loudness: float = 1.0


def train_model(
    examples: Sequence[Example],
    course: TrainingCourse,
    report: Report | None = None,
    *,
    onto: Model | None = None,
) -> Model:
    """Return a model trained on these examples, the same for the same course.

    With `onto` that model is trained further and keeps its vocabulary. Otherwise the network is
    told the convention of each page's set (`telusur.learn.conventions`). The weights are the
    running mean over the last steps, which does better on new pages than any single step.
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
    steps = course.epochs * -(-len(usable) // course.pages_at_once)
    optimizer = _Optimizer(weights, course, steps)
    for epoch in range(course.epochs):
        order = rng.permutation(len(usable))
        total = 0.0
        for start in range(0, len(order), course.pages_at_once):
            chosen = [usable[index] for index in order[start : start + course.pages_at_once]]
            total += _learn(chosen, weights, vocabulary, course, rng, is_told=onto is None)
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
    is_told: bool,
) -> float:
    """Compute the gradients of the mean loss on these pages; return the summed loss.

    `is_told` is whether the network is told the convention of each page's set.
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
    scores, types = run_network(weights, batch, tape)
    loss, scores.grad, types.grad = loss_of(examples, batch, scores.array, types.array)
    scores.grad /= len(examples)
    types.grad /= len(examples)
    tape.follow_back()
    return loss


def loss_of(
    examples: Sequence[Example], batch: Batch, scores: Floats, types: Floats
) -> tuple[float, Floats, Floats]:
    """Return the loss summed over the pages, and its gradients by scores and types.

    For each page: the loss of its content, plus a little for its facts and its type. Only what is
    known counts.
    """
    likely = (1 / (1 + np.exp(-np.clip(scores, -30, 30)))).astype(np.float32)
    content_loss, by_content = _loss_of_content(examples, batch, likely[:, 0])
    facts = np.concatenate([each.facts for each in examples])
    loud = np.stack([each.known_facts for each in examples])[batch.page_of] * _LOUD_FACTS
    fact_loss = float((_entropy(likely[:, 1:], facts) * loud).sum())
    by_facts = (likely[:, 1:] - facts) * loud
    type_loss, by_type = _loss_of_types(examples, types)
    by_scores = np.concatenate([by_content[:, None], by_facts], axis=1).astype(np.float32)
    return content_loss + fact_loss + type_loss, by_scores, by_type


def _loss_of_content(
    examples: Sequence[Example], batch: Batch, likely: Floats
) -> tuple[float, Floats]:
    """Return cross-entropy plus one minus F1 by words, summed over the pages, and the gradient.

    In the cross-entropy of a page a line weighs by the 0.7th power of its words.
    """
    true = np.concatenate([each.shares for each in examples])
    known = np.concatenate([each.known for each in examples])
    loudness = np.array([each.loudness for each in examples], np.float32)[batch.page_of]
    words = batch.words * known

    def per_page(values: Floats) -> Floats:
        sums: Floats = np.add.reduceat(values, batch.pages.starts)[batch.page_of]
        return sums

    weight = batch.words**0.7 * known
    weight = loudness * weight / (per_page(weight) + 1e-6)
    right, chosen = per_page(likely * true * words), per_page(likely * words)
    size = chosen + per_page(true * words) + 1e-6
    share = loudness * words / (per_page(words) + 1e-6)
    loss = float((weight * _entropy(likely, true)).sum())
    loss += float(((1 - 2 * right / size) * share).sum())
    by_likely = loudness * words * 2 * (right / size - true) / size
    return loss, weight * (likely - true) + by_likely * likely * (1 - likely)


def _loss_of_types(examples: Sequence[Example], scores: Floats) -> tuple[float, Floats]:
    """Return the weighted cross-entropy of the known page types, and its gradient.

    Half of all labelled pages are articles, so the other types weigh more.
    """
    known = [(row, PAGE_TYPES.index(each.page_type)) for row, each in enumerate(examples)
             if each.page_type in PAGE_TYPES]  # fmt: skip
    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    loss, grad = 0.0, np.zeros_like(scores)
    for row, true in known:
        loud = _LOUD_TYPE if PAGE_TYPES[true] == "article" else _LOUD_OTHER_TYPE
        loss -= loud * float(np.log(odds[row, true] + 1e-9))
        grad[row] = loud * odds[row]
        grad[row, true] -= loud
    return loss, grad


def _entropy(likely: Floats, true: Floats) -> Floats:
    likely = np.clip(likely, 1e-7, 1 - 1e-7)
    result: Floats = -(true * np.log(likely) + (1 - true) * np.log(1 - likely))
    return result


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
