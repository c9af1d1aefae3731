"""Groups of texts that are about the same: average-link clusters of TF-IDF vectors."""

import numpy as np
from numpy.typing import NDArray

# Measured as a set, by hits for one word of collections about different things: see
# docs/decisions/0019-topics-of-hits.md. Don't tune one in isolation.
ABOVE_MEAN = -0.1
"""Clusters are joined while their mean similarity is this many deviations above that of all."""
SMALLEST_CLUSTER = 3
MOST_CLUSTERS = 8
OTHER = -1
_SLICE = 24

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]


def weigh(counts: Floats) -> Floats:
    """Return rows of term frequencies as TF-IDF vectors of length 1; a text without terms is 0."""
    in_texts = (counts > 0).sum(axis=0)
    rarity = np.log(len(counts) / np.maximum(in_texts, 1))
    weighted = np.where(counts > 0, 1.0 + np.log(np.maximum(counts, 1e-9)), 0.0) * rarity
    lengths = np.sqrt((weighted**2).sum(axis=1, keepdims=True))
    vectors: Floats = (weighted / np.maximum(lengths, 1e-9)).astype(np.float32)
    return vectors


def cluster(vectors: Floats) -> Numbers:
    """Return the cluster of each row, the largest is 0; `OTHER` for rows that fit nowhere."""
    likeness = _cosines(vectors)
    labels = join_by_average(likeness, _least(likeness))
    return _number_by_size(labels)


def _cosines(vectors: Floats) -> NDArray[np.float64]:
    """Return the similarity of all pairs.

    In slices so thin that numpy takes one thread: several would cost three times the CPU.
    """
    likeness = np.zeros((len(vectors), len(vectors)))
    for start in range(0, vectors.shape[1], _SLICE):
        part = vectors[:, start : start + _SLICE]
        likeness += part @ part.T
    return likeness


def _least(likeness: NDArray[np.float64]) -> float:
    """Return the mean similarity from which on two clusters are about the same."""
    pairs = likeness[np.triu_indices(len(likeness), 1)]
    if not len(pairs):
        return 1.0
    return float(pairs.mean() + ABOVE_MEAN * pairs.std())


def join_by_average(likeness: NDArray[np.float64], least: float) -> Numbers:
    """Join the two clusters that are most alike, again and again, while they are enough so.

    Of equals the first ones are joined, so the same texts always give the same clusters.
    """
    count = len(likeness)
    labels = np.arange(count)
    sums, sizes = likeness.copy(), np.ones(count)
    mean = likeness.copy()
    np.fill_diagonal(mean, -np.inf)
    for _ in range(count - 1):
        a, b = sorted(divmod(int(mean.argmax()), count))
        if mean[a, b] <= max(least, 0.0):
            break
        labels[labels == b] = a
        sums[a] += sums[b]
        sums[:, a] = sums[a]
        sizes[a] += sizes[b]
        mean[a] = np.where(np.isinf(mean[a]), -np.inf, sums[a] / (sizes[a] * sizes))
        mean[:, a] = mean[a]
        mean[b] = mean[:, b] = -np.inf
    return labels


def _number_by_size(labels: Numbers) -> Numbers:
    """Return clusters numbered by size, of equals the first one first; small ones are other."""
    found, firsts, sizes = np.unique(labels, return_index=True, return_counts=True)
    order = np.lexsort((firsts, -sizes))
    large = [place for place in order if sizes[place] >= SMALLEST_CLUSTER][:MOST_CLUSTERS]
    numbers = np.full(len(found), OTHER)
    numbers[large] = np.arange(len(large))
    return numbers[np.searchsorted(found, labels)]
