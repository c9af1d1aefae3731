"""The source system's ways to label the blocks of a page, by name.

An engine learns from pages with `fit` and gives the blocks of a page their labels with `label`.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from telusur.errors import UsageError
from telusur.learn.clusters.site_clusters import SiteClusters
from telusur.learn.dense import DenseNetwork, Examples, NetworkOptions
from telusur.learn.folds import hold_out
from telusur.learn.pages.source_features import PATH_WIDTH
from telusur.learn.pages.source_pages import LABELS, SourcePage
from telusur.learn.svm import Svm, SvmOptions
from telusur.learn.weights import balanced_class_weights

_TWO_LAYERS = NetworkOptions((96, 20), epochs=20, batch_size=256, patience=3)
_OF_A_SITE = replace(_TWO_LAYERS, batch_size=32)
_SMALLEST_BATCH = 8
_EVERYTHING = slice(None)
_CSS_ONLY = slice(PATH_WIDTH, None)


class Engine(Protocol):
    """Learns from labelled pages to label the blocks of others."""

    def fit(self, pages: Sequence[SourcePage]) -> None:
        """Learn from these pages."""
        ...

    def label(self, page: SourcePage) -> list[str]:
        """Return the label of each block: content, title, author or other."""
        ...


class NetworkEngine:
    """A feed-forward network over tag path and CSS.

    `balance` says how much more rare labels count: 0 means no more than others, 1 that all labels
    count alike.
    """

    def __init__(
        self,
        options: NetworkOptions = _TWO_LAYERS,
        columns: slice = _EVERYTHING,
        labels: Sequence[str] = LABELS,
        balance: float = 0.5,
    ) -> None:
        self._options = options
        self._columns = columns
        self._labels = labels
        self._balance = balance
        self._network = DenseNetwork(options)

    def fit(self, pages: Sequence[SourcePage]) -> None:
        """Train; some pages are held out for early stopping."""
        used, held_out = hold_out(pages)
        x, y, weight = examples_of(used, self._labels, self._columns)
        # A few pages would fit into one batch: twenty epochs would be only twenty steps.
        batch_size = min(self._options.batch_size, max(_SMALLEST_BATCH, len(x) // 8))
        self._network = DenseNetwork(replace(self._options, batch_size=batch_size))
        self._network.fit(
            x, y, sample_weight=weight, classes=len(self._labels),
            class_weights=balanced_class_weights(
                y, len(self._labels), weight, power=self._balance
            ),
            held_out=examples_of(held_out, self._labels, self._columns) if held_out else None,
        )  # fmt: skip

    def label(self, page: SourcePage) -> list[str]:
        """Give each block the most probable label."""
        found = self._network.predict(page.rows[:, self._columns])
        return [self._labels[number] for number in found[page.row_of]]


class SvmEngine:
    """A support vector machine over tag path and CSS."""

    def __init__(self, options: SvmOptions | None = None) -> None:
        self._svm = Svm(options)

    def fit(self, pages: Sequence[SourcePage]) -> None:
        """Find the planes between the labels."""
        x, y, weight = examples_of(pages, LABELS, _EVERYTHING)
        self._svm.fit(x, y, sample_weight=weight)

    def label(self, page: SourcePage) -> list[str]:
        """Give each block the label with the largest margin."""
        found = self._svm.predict(page.rows)
        return [LABELS[number] for number in found[page.row_of]]


class PerSiteEngine:
    """A separate model for each site, trained only on other pages of that site."""

    def __init__(self, make_engine: Callable[[], Engine]) -> None:
        self._make_engine = make_engine
        self._pages: dict[str, list[SourcePage]] = defaultdict(list)
        self._engines: dict[str, Engine] = {}

    def fit(self, pages: Sequence[SourcePage]) -> None:
        """Sort the pages by site; the engine of a site is trained on first use."""
        self._pages.clear()
        self._engines.clear()
        for page in pages:
            self._pages[page.site].append(page)

    def label(self, page: SourcePage) -> list[str]:
        """Use the engine of the page's site."""
        if page.site not in self._pages:
            raise UsageError(f"{page.site}: there is no page of this site to train on.")
        if page.site not in self._engines:
            self._engines[page.site] = self._make_engine()
            self._engines[page.site].fit(self._pages[page.site])
        return self._engines[page.site].label(page)


def examples_of(pages: Sequence[SourcePage], labels: Sequence[str], columns: slice) -> Examples:
    """Return the blocks of some pages as rows; equal rows of a page with a label become one."""
    numbers = {label: number for number, label in enumerate(labels)}
    rows: list[npt.NDArray[np.float32]] = []
    found: list[npt.NDArray[np.int64]] = []
    weights: list[npt.NDArray[np.float32]] = []
    for page in pages:
        truth = np.array([numbers.get(label, 0) for label in page.truth], np.int64)
        both, counts = np.unique(page.row_of * len(labels) + truth, return_counts=True)
        rows.append(page.rows[both // len(labels)][:, columns])
        found.append(both % len(labels))
        weights.append(counts.astype(np.float32))
    return Examples(np.concatenate(rows), np.concatenate(found), np.concatenate(weights))


@dataclass(slots=True, frozen=True)
class NamedEngine:
    """An engine by name: its constructor, description, labels, and whether it needs the site."""

    make: Callable[[], Engine]
    about: str
    # "other" is what the source calls non-content.
    labels: Sequence[str] = ("content", "title", "author", "other")
    needs_site: bool = False


_BINARY = ("content", "other")


def _binary(options: NetworkOptions = _TWO_LAYERS, **wishes: Any) -> NetworkEngine:
    return NetworkEngine(options, labels=("other", "content"), **wishes)


ENGINES: dict[str, NamedEngine] = {
    "clusters": NamedEngine(
        lambda: PerSiteEngine(SiteClusters),
        "DBSCAN clusters of a site's blocks, named by longest common subsequence with meta tags",
        needs_site=True,
    ),
    "network": NamedEngine(NetworkEngine, "96 and 20 hidden units over tag path and CSS"),
    "network-one-layer": NamedEngine(
        lambda: NetworkEngine(replace(_TWO_LAYERS, hidden=(96,))), "one hidden layer of 96 units"
    ),
    "network-dropout": NamedEngine(
        lambda: NetworkEngine(replace(_TWO_LAYERS, dropout=0.3)), "30 % of the units drop out"
    ),
    "network-css": NamedEngine(
        lambda: NetworkEngine(columns=_CSS_ONLY), "CSS alone, without the tag path"
    ),
    "network-per-site": NamedEngine(
        lambda: PerSiteEngine(lambda: NetworkEngine(_OF_A_SITE)),
        "a network for each site, taught with its other pages",
        needs_site=True,
    ),
    "network-binary": NamedEngine(_binary, "content or not, nothing else", _BINARY),
    "network-binary-unweighted": NamedEngine(
        lambda: _binary(balance=0), "the same; content counts no more for being rare", _BINARY
    ),
    "network-binary-css": NamedEngine(
        lambda: _binary(columns=_CSS_ONLY), "the same from CSS alone", _BINARY
    ),
    "network-binary-per-site": NamedEngine(
        lambda: PerSiteEngine(lambda: _binary(_OF_A_SITE)),
        "the same, one for each site",
        _BINARY,
        needs_site=True,
    ),
    "svm": NamedEngine(SvmEngine, "a linear support vector machine"),
    "svm-rbf": NamedEngine(
        lambda: SvmEngine(SvmOptions("rbf")), "a support vector machine with a Gaussian kernel"
    ),
}


def get_engine(name: str) -> NamedEngine:
    """Return an engine by its name."""
    if name not in ENGINES:
        raise UsageError(f"engine: {name!r} is not one of {', '.join(ENGINES)}.")
    return ENGINES[name]
