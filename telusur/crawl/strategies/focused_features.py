"""Features of a URL that waits, made from sums over the links to it."""

import numpy as np

from telusur.language.term_sums import Doubles

BY_WEIGHT = ("value", "near", "hub")
"""Sums that are divided by the weight of the links: a link among many says less."""
BY_COUNT = ("anchor", "around", "list", "unknown", "rare", "led by anchor", "led by around")
"""Sums that are divided by the number of links."""
CHANGING = (*BY_WEIGHT, *BY_COUNT)
"""What a link adds to its target as long as the pages are judged as they are."""
LASTING = ("asked", "crowd", "place", "weight", "count")
"""What it adds once and for all; the first three are divided by the number of links."""
SUMS = len(CHANGING) + len(LASTING)
COUNT = SUMS - 1
FEATURES = ("parents", *CHANGING[1:], *LASTING[:3], "support", "links", "fit", "text")


def features_of(sums: Doubles, mean_value: Doubles | float) -> Doubles:
    """Return the features of URLs, a row for each feature, from their sums, a row for each sum.

    `mean_value` is how relevant pages are.
    """
    value, around, weight = sums[0], sums[4], sums[-2]
    count = np.maximum(1.0, sums[COUNT])
    features = np.empty((len(FEATURES), sums.shape[1]))
    np.divide(sums[:3], np.maximum(1e-9, weight), out=features[:3])
    np.divide(sums[3:13], count, out=features[3:13])
    np.log(value + 1e-3, out=features[13])
    np.log(count, out=features[14])
    features[15] = features[3] * np.sqrt(features[0])
    features[16] = around / np.sqrt(count)
    features[0] = np.log((value + 0.1 * mean_value) / (weight + 0.1) + 0.02)
    return features
