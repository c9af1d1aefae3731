"""Tell content, title, author and date of a page from the rest, by what the model makes of it."""

from dataclasses import dataclass

import numpy as np

from telusur.extract.dom import Layout, Line
from telusur.extract.features import Features, measure_page
from telusur.extract.metadata import Metadata
from telusur.extract.model import LABELS, Model, choose_content, shipped_model
from telusur.extract.ranges import Floats

_LIKELY_FACT = 0.5
_LIKELY_TITLE = 0.3
_TITLE, _AUTHOR, _DATE = (LABELS.index(label) for label in ("title", "author", "date"))


@dataclass(slots=True)
class Labelled:
    """The labels of a page's lines, the lines that make up its text, and the type of page."""

    labels: list[str]
    content: list[Line]
    page_type: str = ""


def label_lines(layout: Layout, metadata: Metadata, model: Model | None = None) -> Labelled:
    """Label every line: content, title, author, date or other.

    A title that readers would copy with the text is part of it, whatever its label.
    """
    if not layout.lines:
        return Labelled([], [])
    features = measure_page(layout, metadata)
    reading = (model or shipped_model()).read(features)
    chosen = choose_content(reading.scores[:, 0], features.words)
    labels = np.full(len(layout.lines), "other", dtype="<U7")
    labels[chosen] = "content"
    labels[reading.scores[:, _DATE] > _LIKELY_FACT] = "date"
    labels[reading.scores[:, _AUTHOR] > _LIKELY_FACT] = "author"
    title = _find_title(reading.scores[:, _TITLE], features)
    if title is not None:
        labels[title] = "title"
    lines = [layout.lines[index] for index in chosen.tolist()]
    return Labelled(labels.tolist(), lines, reading.page_type)


def _find_title(scores: Floats, features: Features) -> int | None:
    """Return the line that is the title, if there is one."""
    best = int(np.argmax(scores))
    return best if scores[best] > _LIKELY_TITLE else None
