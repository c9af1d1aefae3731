"""What each feature of a URL that waits is worth: known beforehand, and learned from outcomes."""

import numpy as np

from telusur.crawl.strategies.focused_features import FEATURES
from telusur.crawl.strategies.focused_pages import logistic
from telusur.language.term_sums import Doubles

BEFOREHAND = {
    "parents": 0.35, "support": 0.1, "anchor": 0.5, "around": 0.3, "asked": 1.0, "near": 0.5,
    "hub": 0.25, "list": 0.2, "crowd": -0.15, "links": -0.05,
    "led by anchor": 0.15, "led by around": 0.25,
}  # fmt: skip
"""Taken for true until outcomes say otherwise; see docs/decisions/0022-focused.md."""
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
        self._before = np.array([BEFOREHAND.get(name, 0.0) for name in FEATURES])
        self._weights = self._before
        self._bias = 0.0

    def fit(self, known: Doubles, outcomes: Doubles) -> None:
        """Learn from pages that links led to: what was known before, and how they turned out."""
        self._weights, self._bias = self._before, 0.0
        if len(known) < _LEAST_PAGES:
            return
        if not _LEAST_OF_EACH <= outcomes.sum() <= len(known) - _LEAST_OF_EACH:
            return
        mean, spread = known.mean(axis=0), known.std(axis=0) + _LEAST_SPREAD
        rows = np.column_stack([(known - mean) / spread, np.ones(len(known))])
        start = np.append(self._before * spread, 0.0)
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
