"""Groups of texts on the same subject: average-link clusters of TF-IDF vectors."""

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats, Ints

# Measured as a set, by hits for one word of collections about different things: see
# docs/decisions/0019-topics-of-hits.md. Don't tune one in isolation. Clusters are joined while
# their mean similarity is this many standard deviations above the mean.
ABOVE_MEAN = -0.1
SMALLEST_CLUSTER = 3
MOST_CLUSTERS = 8
OTHER = -1
_SLICE = 24


def weigh(counts: Floats) -> Floats:
    """Return rows of term frequencies as TF-IDF vectors of length 1; a text without terms is 0."""
    in_texts = (counts > 0).sum(axis=0)
    rarity = np.log(len(counts) / np.maximum(in_texts, 1))
    weighted = np.where(counts > 0, 1.0 + np.log(np.maximum(counts, 1e-9)), 0.0) * rarity
    lengths = np.sqrt((weighted**2).sum(axis=1, keepdims=True))
    vectors: Floats = (weighted / np.maximum(lengths, 1e-9)).astype(np.float32)
    return vectors


def cluster(vectors: Floats) -> Ints:
    """Return the cluster of each row, 0 for the largest; `OTHER` for rows in no cluster."""
    likeness = _cosines(vectors)
    labels = join_by_average(likeness, _least(likeness))
    return _number_by_size(labels)


def _cosines(vectors: Floats) -> NDArray[np.float64]:
    """Return the similarity of all pairs.

    It works in thin slices so that numpy uses one thread: several would cost three times the CPU.
    """
    likeness = np.zeros((len(vectors), len(vectors)))
    for start in range(0, vectors.shape[1], _SLICE):
        part = vectors[:, start : start + _SLICE]
        likeness += part @ part.T
    return likeness


def _least(likeness: NDArray[np.float64]) -> float:
    """Return the mean similarity from which two clusters are joined."""
    pairs = likeness[np.triu_indices(len(likeness), 1)]
    if not len(pairs):
        return 1.0
    return float(pairs.mean() + ABOVE_MEAN * pairs.std())


def join_by_average(likeness: NDArray[np.float64], least: float) -> Ints:
    """Repeatedly join the two most similar clusters, while they are similar enough.

    Of equal pairs the first is joined, so the same texts always give the same clusters.
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


def _number_by_size(labels: Ints) -> Ints:
    """Return clusters numbered by size, ties in their order; small ones are `OTHER`."""
    found, firsts, sizes = np.unique(labels, return_index=True, return_counts=True)
    order = np.lexsort((firsts, -sizes))
    large = [place for place in order if sizes[place] >= SMALLEST_CLUSTER][:MOST_CLUSTERS]
    numbers = np.full(len(found), OTHER)
    numbers[large] = np.arange(len(large))
    return numbers[np.searchsorted(found, labels)]
