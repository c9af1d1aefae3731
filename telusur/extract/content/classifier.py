"""What a model makes of the lines of a page: the compiled way, or by numpy."""

from dataclasses import dataclass

import numpy as np

from telusur.extract.characters import Kind, count_kinds
from telusur.extract.compiled import native
from telusur.extract.element_names import senses_of_all
from telusur.extract.facts import hold_against
from telusur.extract.features import Features, heading_levels, measure_page
from telusur.extract.layout import CELL_TAGS, Layout
from telusur.extract.metadata import Metadata
from telusur.extract.model import PAGE_TYPES, Model, make_batch
from telusur.extract.network import NUMPY, VOICE, run_network
from telusur.extract.one_thread import one_thread
from telusur.extract.page_signs import page_signs
from telusur.extract.ranges import Floats

MODESTY = 0.65
"""On sites it has not seen a model is surer of itself than it should be; measured across folds."""


@dataclass(slots=True)
class Reading:
    """What a model makes of a page: for each line how likely it is each label, and the type."""

    scores: Floats
    """A row a line, a column each of LABELS, 0 to 1."""
    page_type: str
    words: Floats
    """How many words each line has."""


def read_lines(model: Model, layout: Layout, metadata: Metadata) -> Reading:
    """Tell what the lines of a page are; it has at least one."""
    if native is None:
        return read_features(model, measure_page(layout, metadata))
    return _judge(*_read_natively(model, layout, metadata))


def read_features(model: Model, features: Features) -> Reading:
    """Tell what the lines of a page are by its numbers, with numpy alone."""
    batch = make_batch([features], model.vocabulary)
    with one_thread():
        scores, types = run_network(model.weights, batch, NUMPY)
    return _judge(scores, types[0], features.words)


def _judge(scores: Floats, types: Floats, words: Floats) -> Reading:
    """Return a reading from what the network gives."""
    scores[:, 0] *= MODESTY
    likely = (1 / (1 + np.exp(-np.minimum(np.maximum(scores, -30), 30)))).astype(np.float32)
    return Reading(likely, PAGE_TYPES[int(types.argmax())], words)


def _read_natively(
    model: Model, layout: Layout, metadata: Metadata
) -> tuple[Floats, Floats, Floats]:
    """Return scores, types of pages and numbers of words, all of it in one go."""
    kinds, flags = count_kinds(layout.texts)
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
        senses_of_all(layout.names),
        heading_levels(layout.names),
        bytes([names[0] in CELL_TAGS for names in layout.names]),
        np.array(page_signs(metadata), np.float32),
        *model.vocabulary.of_names(layout.names),
        *model.vocabulary.of_lines(layout.texts, layout.marks),
    )
    scores, types, words = native.read(inputs, model.packed(), VOICE)
    rows = np.frombuffer(scores, np.float32).reshape(len(layout.texts), -1).copy()
    return rows, np.frombuffer(types, np.float32), np.frombuffer(words, np.float32)
