"""Features of a waiting URL, made from sums over the links to it."""

import numpy as np

from telusur.arrays import Doubles
from telusur.crawl.strategies.focused.form import FORM

# Sums that are divided by the weight of the links: a link among many says less.
BY_WEIGHT = ("value", "near", "hub")
# Sums that are divided by the number of links.
BY_COUNT = (
    "anchor", "around", "list", "unknown", "rare", "led by anchor", "led by around",
    "pages of anchor", "pages of around",
)  # fmt: skip
# Sums over all fetched URLs that the same pages lead to, and over these pages.
CO_CITED = ("good beside", "fetched beside", "good parents")
# What a link adds to its target; it changes when pages are judged again.
CHANGING = (*BY_WEIGHT, *BY_COUNT, *CO_CITED)
# What a link adds permanently; all but the last two are divided by the number of links.
LASTING = ("asked", "kin", *FORM, "crowd", "place", "weight", "count")
SUMS = len(CHANGING) + len(LASTING)
COUNT = SUMS - 1
FEATURES = (
    "parents", *BY_WEIGHT[1:], *BY_COUNT, *LASTING[:-2], "support", "links", "fit", "text",
    "co-cited", "good", "bad",
)  # fmt: skip
_WEIGHED = len(BY_WEIGHT)
_COUNTED = _WEIGHED + len(BY_COUNT)
_LASTING = len(CHANGING)
_REST = _COUNTED + len(LASTING) - 2


def features_of(
    sums: Doubles, mean_value: Doubles | float, mean_outcome: Doubles | float
) -> Doubles:
    """Return the features of URLs, one row per feature, from their sums, one row per sum.

    `mean_value` is the mean estimated relevance of pages, `mean_outcome` their mean actual
    relevance.
    """
    value, around, weight = sums[0], sums[4], sums[-2]
    good_beside, beside, good = sums[_COUNTED:_LASTING]
    count = np.maximum(1.0, sums[COUNT])
    features = np.empty((len(FEATURES), sums.shape[1]))
    np.divide(sums[:_WEIGHED], np.maximum(1e-9, weight), out=features[:_WEIGHED])
    np.divide(sums[_WEIGHED:_COUNTED], count, out=features[_WEIGHED:_COUNTED])
    np.divide(sums[_LASTING:-2], count, out=features[_COUNTED:_REST])
    support, links, fit, text, co_cited, good_parents, bad_parents = features[_REST:]
    np.log(value + 1e-3, out=support)
    np.log(count, out=links)
    np.multiply(features[_WEIGHED], np.sqrt(features[0]), out=fit)
    np.divide(around, np.sqrt(count), out=text)
    np.log((good_beside + 0.5 * mean_outcome) / (beside + 0.5) + 0.02, out=co_cited)
    np.log1p(good, out=good_parents)
    np.log1p(np.maximum(0.0, sums[COUNT] - good), out=bad_parents)
    features[0] = np.log((value + 0.1 * mean_value) / (weight + 0.1) + 0.02)
    return features
