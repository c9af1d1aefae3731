"""Tells the network by which convention a page was labelled, since sets of pages differ.

The posts of a forum with their authors' names or without, the records of a listing or nothing, the
captions of an article or not: each set calls something else content. In training, each page has a
column for the convention of its set, left out at random so that the network also learns to do
without. The trained weights are then folded into those of a network without such columns.
"""

from collections.abc import Sequence

import numpy as np

from telusur.arrays import Floats
from telusur.extract.content.features import LINE_COLUMNS
from telusur.learn.gradients import Value

# The convention of each set, by its name. Pages of other sets are labelled by none of them.
_CONVENTION_OF = {
    # What a reader would copy of an article: no title, byline, date, caption or comment.
    **dict.fromkeys(
        ("news_articles", "newspaper4k", "id_news", "zh_clean", "trafilatura", "mercury",
         "snacktory", "goose", "htmldate", "recipes"), "article"
    ),
    "magic_article": "article with captions",
    "wcxb_dev": "any page",
    "magic_forum": "thread",
    "harvest": "posts",
    "listing": "records",
    "blocks": "home page",
}  # fmt: skip
_NAMES = tuple(dict.fromkeys(_CONVENTION_OF.values()))
# The convention of the trained model: halfway between none and that of articles. Measured on sets
# that no model was trained on: less is worse for news, more is worse for lists and forums.
_SHIPPED = {"article": 0.5}
_LEFT_OUT = 0.3


def add_rows(weights: dict[str, Value], rng: np.random.Generator) -> None:
    """Add the rows of the conventions to the weights of the first layer, after those of lines."""
    old = weights["in.w"].array
    rows = (0.01 * rng.standard_normal((len(_NAMES), old.shape[1]))).astype(np.float32)
    weights["in.w"] = Value(np.concatenate([old[:LINE_COLUMNS], rows, old[LINE_COLUMNS:]]))


def columns_of(sources: Sequence[str], rng: np.random.Generator) -> Floats:
    """Return a row of columns for each page, given the names of their sets."""
    columns = np.zeros((len(sources), len(_NAMES)), np.float32)
    for row, source in enumerate(sources):
        name = _CONVENTION_OF.get(source)
        if name is not None and rng.random() >= _LEFT_OUT:
            columns[row, _NAMES.index(name)] = 1
    return columns


def fold_in(weights: dict[str, Floats]) -> None:
    """Remove the rows of the conventions; the model's own becomes part of the bias."""
    rows = weights["in.w"][LINE_COLUMNS : LINE_COLUMNS + len(_NAMES)]
    for name, share in _SHIPPED.items():
        weights["in.b"] = weights["in.b"] + np.float32(share) * rows[_NAMES.index(name)]
    weights["in.w"] = np.delete(
        weights["in.w"], slice(LINE_COLUMNS, LINE_COLUMNS + len(_NAMES)), axis=0
    )
