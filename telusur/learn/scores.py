"""Precision, recall and F1 of labels, counted in blocks and in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Tally:
    """True positives, predicted positives, and actual positives."""

    right: float = 0.0
    labelled: float = 0.0
    wanted: float = 0.0

    @property
    def precision(self) -> float:
        """Return the share of predicted positives that are right; 0 if there are none."""
        return self.right / self.labelled if self.labelled else 0.0

    @property
    def recall(self) -> float:
        """Return the share of actual positives that were found; 0 if there are none."""
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        both = self.labelled + self.wanted
        return 2 * self.right / both if both else 0.0


@dataclass(slots=True)
class Scores:
    """The tallies of some labels over all pages: by blocks, and by the words in them."""

    labels: Sequence[str] = ("content", "title", "author")
    pages: int = 0
    blocks: dict[str, Tally] = field(default_factory=dict)
    words: dict[str, Tally] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.blocks = {label: Tally() for label in self.labels}
        self.words = {label: Tally() for label in self.labels}

    def add(self, truth: Sequence[str], found: Sequence[str], words: Iterable[float]) -> None:
        """Count one page: the true labels of its blocks, those found, and their lengths.

        If "other" is counted, it includes every label that is not.
        """
        self.pages += 1
        for true, label, length in zip(truth, found, words, strict=True):
            true, label = self._counted(true), self._counted(label)  # noqa: PLW2901
            for tallies, amount in ((self.blocks, 1.0), (self.words, float(length))):
                if label in tallies:
                    tallies[label].labelled += amount
                if true in tallies:
                    tallies[true].wanted += amount
                    tallies[true].right += amount * (label == true)

    def _counted(self, label: str) -> str:
        return label if label in self.labels else "other"

    def as_record(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the scores for JSON: label, blocks or words, precision, recall and F1."""
        return {
            label: {"blocks": _figures(self.blocks[label]), "words": _figures(self.words[label])}
            for label in self.labels
        }


def _figures(tally: Tally) -> dict[str, float]:
    return {
        "precision": round(tally.precision, 4),
        "recall": round(tally.recall, 4),
        "f1": round(tally.f1, 4),
    }


def scores_table(scores: Mapping[str, Scores], title: str) -> str:
    """Return a table for people: one row per engine and label, in percent."""
    width = max(map(len, [*scores, title]))
    head = f"{title:<{width}}  label    blocks:  P      R     F1   words:  P      R     F1"
    lines = [head, "-" * len(head)]
    for name, own in scores.items():
        for label in own.labels:
            blocks, words = _cells(own.blocks[label]), _cells(own.words[label])
            lines.append(f"{name:<{width}}  {label:<8}{'':<5}{blocks}{'':<7}{words}")
            name = ""  # noqa: PLW2901 - said once
    return "\n".join(lines)


def _cells(tally: Tally) -> str:
    return "".join(f"{100 * each:7.1f}" for each in (tally.precision, tally.recall, tally.f1))
