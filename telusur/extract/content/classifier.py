"""Classifies the lines of a page with a model: by the compiled part, or by numpy."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats
from telusur.extract.compiled import native
from telusur.extract.content.characters import Kind, count_kinds
from telusur.extract.content.element_names import senses_of_all
from telusur.extract.content.features import Features, heading_levels, measure_page
from telusur.extract.content.head_overlap import hold_against
from telusur.extract.content.model import PAGE_TYPES, Model, make_batch
from telusur.extract.content.network import VOICE, read_twice
from telusur.extract.content.one_thread import one_thread
from telusur.extract.facts.metadata import Metadata
from telusur.extract.facts.page_signs import page_signs
from telusur.extract.page.layout import CELL_TAGS, Layout

# A model is overconfident on new sites; measured on sets that no model was trained on.
MODESTY = 0.65


@dataclass(slots=True)
class ClassifiedLines:
    """The result of a model for a page: the probability of each label per line, and the page
    type."""

    # One row per line, one column per label, 0 to 1.
    scores: Floats
    page_type: str
    # How many words each line has.
    words: Floats
    # How many digits, if that was counted.
    digits: Floats | None = None
    # What the names of the page's elements mean, a bit for each sense, if that was looked up.
    senses: NDArray[np.int64] | None = None


def read_lines(model: Model, layout: Layout, metadata: Metadata) -> ClassifiedLines:
    """Classify the lines of a page, which has at least one."""
    if native is None:
        return read_features(model, measure_page(layout, metadata))
    return _read_natively(model, layout, metadata)


def read_features(model: Model, features: Features) -> ClassifiedLines:
    """Classify the lines of a page by its features, with numpy alone."""
    batch = make_batch([features], model.vocabulary)
    with one_thread():
        scores, types = read_twice(model.weights, batch)
    return _judge(scores, types[0], features.words)


def _judge(scores: Floats, types: Floats, words: Floats) -> ClassifiedLines:
    """Return the result from the output of the network."""
    scores[:, 0] *= MODESTY
    likely = (1 / (1 + np.exp(-np.minimum(np.maximum(scores, -30), 30)))).astype(np.float32)
    return ClassifiedLines(likely, PAGE_TYPES[int(types.argmax())], words)


def _read_natively(model: Model, layout: Layout, metadata: Metadata) -> ClassifiedLines:
    """Do the same by the compiled part, in one pass."""
    kinds, flags = count_kinds(layout.texts)
    senses = senses_of_all(layout.names)
    inputs = (
        layout.starts,
        layout.parents,
        layout.containers,
        layout.names_of,
        layout.linked,
        layout.verbatim,
        kinds,
        flags,
        hold_against(layout.texts, metadata, kinds[:, Kind.DIGIT]),
        senses,
        heading_levels(layout.names),
        bytes([names[0] in CELL_TAGS for names in layout.names]),
        np.array(page_signs(metadata), np.float32),
        *model.vocabulary.of_names(layout.names),
        *model.vocabulary.of_lines(layout.texts, layout.marks),
    )
    scores, types, words = native.read(inputs, model.packed(), VOICE)
    rows = np.frombuffer(scores, np.float32).reshape(len(layout.texts), -1).copy()
    read = _judge(rows, np.frombuffer(types, np.float32), np.frombuffer(words, np.float32))
    read.digits, read.senses = kinds[:, Kind.DIGIT], senses
    return read
