"""The weight of each feature of a waiting URL: a prior, then learned from outcomes."""

import numpy as np

from telusur.arrays import Doubles
from telusur.crawl.strategies.focused.features import FEATURES
from telusur.crawl.strategies.focused.form import FORM
from telusur.crawl.strategies.focused.pages import logistic

# The prior weights: without labels, and when all pages are labelled. The latter were fitted as a
# set by bench/focus/fit.py, on crawls for other topics: see docs/decisions/0022-focused.md.
BEFOREHAND = {
    "parents": (0.40, -0.26), "support": (0.12, 0.41), "anchor": (0.53, 0.30),
    "around": (0.30, -0.04), "asked": (1.60, 0.81), "kin": (3.00, 4.49),
    "near": (0.63, 0.88), "hub": (0.33, 0.30),
    "list": (0.38, 0.28), "links": (-0.01, 0.25), "unknown": (0.00, 0.05), "rare": (0.00, 0.11),
    "crowd": (-0.17, 0.12), "place": (0.03, 0.13), "fit": (0.01, -0.55), "text": (0.04, 0.09),
    "led by anchor": (0.20, 0.57), "led by around": (0.26, 0.53), "pages of anchor": (0.04, 0.48),
    "pages of around": (0.01, 1.29), "co-cited": (0.15, 0.62), "good": (0.10, -0.26),
    "bad": (-0.01, -0.35), "small": (0.00, 0.00), "capitals": (0.00, 0.00), "words": (0.00, 0.00),
}  # fmt: skip
BIAS = (-1.5, -2.65)
# The strength of the prior, in pages.
STIFFNESS = 30.0
# The same for the form of links, which is weak because it differs between topics.
OPEN_STIFFNESS = 4.0
_LEAST_PAGES = 20
# With fewer relevant pages, or fewer others, nothing can be learned.
_LEAST_OF_EACH = 3.0
_STEPS = 5
_LEAST_SPREAD = 0.05


class LinkWeights:
    """Logistic regression of the outcomes of fetched URLs on their earlier features."""

    def __init__(self) -> None:
        self._begin(0.0)

    def _begin(self, told: float) -> None:
        mix = np.array([1.0 - told, told])
        self._weights = np.array([BEFOREHAND[name] for name in FEATURES]) @ mix
        self._bias = float(np.array(BIAS) @ mix)

    def fit(self, known: Doubles, outcomes: Doubles, told: float = 0.0) -> None:
        """Learn from pages that links led to: what was known before, and their outcomes.

        `told` is how reliable the user's labels are, 0 to 1.
        """
        self._begin(told)
        if len(known) < _LEAST_PAGES:
            return
        if not _LEAST_OF_EACH <= outcomes.sum() <= len(known) - _LEAST_OF_EACH:
            return
        mean, spread = known.mean(axis=0), known.std(axis=0) + _LEAST_SPREAD
        rows = np.column_stack([(known - mean) / spread, np.ones(len(known))])
        start = np.append(self._weights * spread, 0.0)
        pull = np.append(_pulls(), 0.01)
        weights = start
        for _ in range(_STEPS):  # Newton's method
            expected = logistic(rows @ weights)
            curve = (rows.T * (expected * (1.0 - expected) + 1e-3)) @ rows + np.diag(pull)
            slope = rows.T @ (outcomes - expected) - pull * (weights - start)
            weights = weights + np.linalg.solve(curve, slope)
        self._weights = weights[:-1] / spread
        self._bias = float(weights[-1] - self._weights @ mean)

    def odds(self, features: Doubles) -> Doubles:
        """Return the log odds that each URL is relevant; `features` has one row per feature."""
        return np.asarray(self._weights @ features + self._bias)

    def score(self, features: Doubles) -> Doubles:
        """Return how likely each URL is to be relevant, 0 to 1; `features` has one row per
        feature."""
        return logistic(self.odds(features))


def _pulls() -> Doubles:
    return np.array([OPEN_STIFFNESS if name in FORM else STIFFNESS for name in FEATURES])
