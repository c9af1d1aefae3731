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
from telusur.extract.content.model import PAGE_TYPES
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
_OF_ARTICLES = ("article", "article with captions", "any page")
_NAMES = tuple(dict.fromkeys(_CONVENTION_OF.values()))
# The conventions of the trained model: those of the sets in which a page of its type is labelled as
# a reader would copy it. Measured on sets that no model was trained on: articles of other countries
# lose .06 without theirs, and lists and forums lose .03 with that of articles.
_ARTICLE = {"article": 0.75}
_OTHER_PAGES = {"any page": 0.5}
_OF_TYPES = {"article": _ARTICLE, "forum": {"thread": 0.75}}
# To take an article for one of these costs more than the reverse: everything beside its text would
# count. So they must be likelier by this factor, as a logarithm.
_RISKY_TYPES = ("collection", "forum", "listing", "product", "service")
_CAUTION = 1.0
_LEFT_OUT = 0.3


def is_of_articles(source: str) -> bool:
    """Tell whether the pages of a set without a type are articles."""
    return _CONVENTION_OF.get(source, "any page") in _OF_ARTICLES


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
    """Remove the rows of the conventions; the model's own become part of the first layer.

    The convention of articles goes into its bias, since a page counts as an article until its type
    is known; those of other types become the difference from that.
    """
    rows = weights["in.w"][LINE_COLUMNS : LINE_COLUMNS + len(_NAMES)]
    by_type = np.stack([_sum_rows(rows, _OF_TYPES.get(each, _OTHER_PAGES)) for each in PAGE_TYPES])
    article = by_type[PAGE_TYPES.index("article")]
    weights["in.b"] = weights["in.b"] + article
    weights["in.by_type"] = by_type - article
    is_risky = np.array([each in _RISKY_TYPES for each in PAGE_TYPES])
    weights["type.b"] = weights["type.b"] - _CAUTION * is_risky.astype(np.float32)
    weights["in.w"] = np.delete(
        weights["in.w"], slice(LINE_COLUMNS, LINE_COLUMNS + len(_NAMES)), axis=0
    )


def _sum_rows(rows: Floats, shares: dict[str, float]) -> Floats:
    total = np.zeros(rows.shape[1], np.float32)
    for name, share in shares.items():
        total += np.float32(share) * rows[_NAMES.index(name)]
    return total
