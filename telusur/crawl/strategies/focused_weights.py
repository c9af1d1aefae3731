"""What each feature of a URL that waits is worth: known beforehand, and learned from outcomes."""

import numpy as np

from telusur.crawl.strategies.focused_features import FEATURES
from telusur.crawl.strategies.focused_pages import logistic
from telusur.language.term_sums import Doubles

BEFOREHAND = {
    "parents": (0.40, -0.28), "support": (0.12, 0.25), "anchor": (0.53, 0.25),
    "around": (0.30, -0.14), "asked": (1.60, 2.73), "near": (0.63, 1.84), "hub": (0.33, -1.07),
    "list": (0.38, 0.49), "links": (-0.01, 0.45), "unknown": (0.00, 0.02), "rare": (0.00, -0.11),
    "crowd": (-0.17, 0.00), "place": (0.03, -0.06), "fit": (0.01, -0.16), "text": (0.04, 0.06),
    "led by anchor": (0.20, 0.98), "led by around": (0.26, 0.59), "pages of anchor": (0.04, 1.14),
    "pages of around": (0.01, 2.83), "co-cited": (0.15, 0.41), "good": (0.10, 0.09),
    "bad": (-0.01, -1.01),
}  # fmt: skip
"""Taken for true until outcomes say otherwise: where pages are guessed, and where all are told.

The latter were made together, by a regression over crawls for other topics: see
docs/decisions/0022-focused.md.
"""
_BIAS = (-1.5, -2.26)
STIFFNESS = 30.0
"""So strongly, in pages, are they believed."""
_LEAST_PAGES = 20
_LEAST_OF_EACH = 3.0
"""While hardly anything relevant was found, or hardly anything else, nothing tells why."""
_STEPS = 5
_LEAST_SPREAD = 0.05


class LinkWeights:
    """Logistic regression of the outcomes of fetched URLs on what was known of them before."""

    def __init__(self) -> None:
        self._begin(0.0)

    def _begin(self, told: float) -> None:
        mix = np.array([1.0 - told, told])
        self._weights = np.array([BEFOREHAND[name] for name in FEATURES]) @ mix
        self._bias = float(np.array(_BIAS) @ mix)

    def fit(self, known: Doubles, outcomes: Doubles, told: float = 0.0) -> None:
        """Learn from pages that links led to: what was known before, and how they turned out.

        `told` is how far the user said so, 0 to 1.
        """
        self._begin(told)
        if len(known) < _LEAST_PAGES:
            return
        if not _LEAST_OF_EACH <= outcomes.sum() <= len(known) - _LEAST_OF_EACH:
            return
        mean, spread = known.mean(axis=0), known.std(axis=0) + _LEAST_SPREAD
        rows = np.column_stack([(known - mean) / spread, np.ones(len(known))])
        start = np.append(self._weights * spread, 0.0)
        pull = np.full(len(start), STIFFNESS)
        pull[-1] = 0.01
        weights = start
        for _ in range(_STEPS):  # Newton's
            expected = logistic(rows @ weights)
            curve = (rows.T * (expected * (1.0 - expected) + 1e-3)) @ rows + np.diag(pull)
            slope = rows.T @ (outcomes - expected) - pull * (weights - start)
            weights = weights + np.linalg.solve(curve, slope)
        self._weights = weights[:-1] / spread
        self._bias = float(weights[-1] - self._weights @ mean)

    def score(self, features: Doubles) -> Doubles:
        """Return how likely each URL is to be relevant, 0 to 1; a row for each feature."""
        return logistic(self._weights @ features + self._bias)
