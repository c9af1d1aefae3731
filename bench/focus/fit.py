"""Starting weights of `focused`: `python -m bench.focus.fit DATA_DIR CACHE_DIR [--labels]`.

Lets it look for the development topics and notes what was known of each page that is fetched, and
at several moments of everything that waits; whether it is relevant, and how many relevant pages it
would show that no link has shown yet. A logistic regression over all of this gives new weights,
these crawl again, and what they meet is added. Prints rows for BEFOREHAND and BIAS in
focused_weights.py, of the last round.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.focus.frontier import Waiting
from bench.focus.library import Library, read_library
from bench.focus.simulate import KINDS, Watch, simulate
from bench.focus.topics import Aim, aims_of
from telusur.arrays import Doubles
from telusur.crawl.strategies.focused import weights as focused_weights
from telusur.crawl.strategies.focused.features import FEATURES
from telusur.crawl.strategies.focused.pages import logistic
from telusur.crawl.strategies.focused.strategy import Focused

# After so many pages is noted what waits.
MOMENTS = frozenset({8, 15, 30, 60, 100, 150, 220, 300, 400})
# So many of the best are all noted, since these are told apart; of the others one in `SHARE`.
BEST = 150
SHARE = 5
# What a page counts for each relevant page, of four at most, that it alone would show.
YIELD = 0.1
# So many URLs speak for a weight of 0, per standard deviation.
PULL = 3.0


class Sample(NamedTuple):
    """What was known of URLs that waited, what they are worth, and how much each counts."""

    known: Doubles
    outcomes: Doubles
    counts: Doubles


class Notes:
    """Notes what waits in a crawl for a topic."""

    def __init__(self, library: Library, aim: Aim, seed: int = 0) -> None:
        self._library, self._aim = library, aim
        self._lots = np.random.default_rng(seed)
        self.samples: list[Sample] = []

    def watch(self, strategy: Focused, waiting: Waiting, page: int) -> None:
        """Note the page that is fetched now, and what waits, if this is the moment."""
        hidden = self._aim.relevant.difference(waiting.found)
        self._note(strategy, [page], hidden, 1.0)
        if len(waiting.done) - 1 in MOMENTS:
            self._note(strategy, waiting.pages(), hidden, 1.0 / len(MOMENTS))

    def _note(
        self, strategy: Focused, pages: Sequence[int], hidden: frozenset[int], count: float
    ) -> None:
        ids = self._library.ids
        pages = [n for n in pages if strategy._links.knows(ids[n])]
        if not pages:
            return
        places = strategy._links.places_of(b"".join(ids[n] for n in pages))
        features = strategy._links.features_at(places)
        scores = strategy._scores_at(places)
        worth = np.array([self._worth(n, hidden) for n in pages])
        is_sure = (worth > 0.0) | (np.argsort(np.argsort(-scores)) < BEST)
        kept = is_sure | (self._lots.random(len(pages)) < 1.0 / SHARE)
        counts = count * np.where(is_sure, 1.0, float(SHARE))
        self.samples.append(Sample(features.T[kept], worth[kept], counts[kept]))

    def _worth(self, page: int, hidden: frozenset[int]) -> float:
        shown = len(hidden.intersection(self._library.volumes[page].targets))
        return min(1.0, (page in self._aim.relevant) + YIELD * min(4, shown))


def regress(samples: Sequence[Sample]) -> tuple[Doubles, float]:
    """Return the weights of the features, and the bias."""
    known, outcomes, counts = (np.concatenate(part) for part in zip(*samples, strict=True))
    means, spreads = known.mean(axis=0), known.std(axis=0) + 1e-3
    rows = np.column_stack([(known - means) / spreads, np.ones(len(known))])
    pull = np.append(np.full(len(means), PULL), 1e-3)
    weights = np.zeros(rows.shape[1])
    for _ in range(15):  # Newton's steps
        expected = logistic(rows @ weights)
        curve = (rows.T * (counts * (expected * (1.0 - expected) + 1e-4))) @ rows + np.diag(pull)
        weights += np.linalg.solve(
            curve, rows.T @ (counts * (outcomes - expected)) - pull * weights
        )
    return weights[:-1] / spreads, float(weights[-1] - (weights[:-1] / spreads) @ means)


def begin_with(weights: Doubles, bias: float, column: int) -> None:
    """Let crawls begin with these weights, where pages are guessed (0) or told (1)."""
    for name, weight in zip(FEATURES, weights.tolist(), strict=True):
        pair = list(focused_weights.BEFOREHAND[name])
        pair[column] = weight
        focused_weights.BEFOREHAND[name] = (pair[0], pair[1])
    biases = list(focused_weights.BIAS)
    biases[column] = bias
    focused_weights.BIAS = (biases[0], biases[1])


def main() -> int:
    """Read the arguments, crawl and fit in rounds, print what comes out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", help="directory with topics.json and the pages")
    parser.add_argument("cache", help="where the pages made ready are kept")
    parser.add_argument("--labels", action="store_true", help="for crawls that are told labels")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    cache = Path(options.cache)
    library = read_library(Path(options.data), cache)
    aims = aims_of("development", library, Path(options.data))
    samples: list[Sample] = []
    for _ in range(options.rounds):
        scores = []
        for aim in aims:
            for kind in KINDS:
                notes = Notes(library, aim)
                watch: Watch = notes.watch
                scores.append(
                    simulate(library, aim, kind, cache, labels=options.labels, watch=watch)
                )
                samples += notes.samples
        print("it had", np.mean(scores, axis=0).round(3), file=sys.stderr, flush=True)
        weights, bias = regress(samples)
        begin_with(weights, bias, int(options.labels))
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f'"{name}": {weight:.2f},')
    print(f"bias {bias:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
