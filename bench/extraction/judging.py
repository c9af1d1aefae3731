"""The verdict on each answer: its text, facts and blocks against the truth about the page."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bench.extraction.furniture import Furniture, find_furniture
from bench.extraction.sets import age_of
from bench.extraction.tables import mean
from telusur.extract.content.blocks import Blocks
from telusur.extract.content.model import PAGE_TYPES
from telusur.extract.document import open_page
from telusur.extract.page.layout import read_layout
from telusur.learn.measures import (
    ExtractorAnswer,
    Figures,
    Overlap,
    PageScore,
    mean_overlap,
    score_page,
    summarize,
)
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.truth import gold_labels
from telusur.learn.scores import Tally

LABELS = ("content", "title", "author")


@dataclass(slots=True, frozen=True)
class Groups:
    """What a page belongs to."""

    source: str
    age: str
    language: str
    page_type: str


@dataclass(slots=True, frozen=True)
class Verdict:
    """One answer to one page; None where the truth is unknown or the extractor is silent."""

    groups: Groups
    score: PageScore
    # As the runs of four words of the score, without titles, bylines, dates and captions.
    fair: Overlap | None
    # How many blocks have each label that is known, rightly or not.
    blocks: dict[str, Tally]
    is_type_right: bool | None
    seconds: float
    # The most memory that the process had until then.
    peak_mb: float
    error: str | None


@dataclass(slots=True, frozen=True)
class Summary:
    """The figures of an extractor over some pages."""

    figures: Figures
    fair: Overlap | None
    blocks: dict[str, Tally]
    # The mean of the pages' own F1 of content blocks: a page of many short blocks counts as one.
    content_by_page: float | None
    types: float | None
    seconds: float
    slowest: float
    peak_mb: float
    failed: int

    @property
    def pages_per_second(self) -> float:
        """Pages in a second of CPU time."""
        return self.figures.pages / max(1e-9, self.seconds)


class Judge:
    """Knows the truth about one page, and compares answers with it."""

    def __init__(self, page: LabelledPage) -> None:
        opened = open_page(page.html, page.url)
        layout = read_layout(opened.tree)
        self._page = page
        self._blocks = list(Blocks(layout, [""] * len(layout.texts)))
        self._truth = gold_labels(self._blocks, page) if page.text else []
        self._furniture = find_furniture(page, self._blocks) if page.text else None
        self._groups = Groups(
            page.source, age_of(page), page.language or "unknown", page.page_type or "unknown"
        )

    def judge(self, answer: dict[str, Any]) -> Verdict:
        """Return the verdict on an answer."""
        said = ExtractorAnswer(
            answer.get("text") or "", answer.get("title"), answer.get("author"), answer.get("date")
        )
        said_type = answer.get("page_type") if self._page.page_type in PAGE_TYPES else None
        return Verdict(
            groups=self._groups,
            score=score_page(self._page, said),
            fair=_fair(self._page, said, self._furniture) if self._furniture else None,
            blocks=self._compare_blocks(said, answer.get("labels")),
            is_type_right=None if said_type is None else said_type == self._page.page_type,
            seconds=answer.get("seconds", 0.0),
            peak_mb=answer.get("peak_mb", 0.0),
            error=answer.get("error"),
        )

    def _compare_blocks(self, said: ExtractorAnswer, labels: list[str] | None) -> dict[str, Tally]:
        """Compare the labels of blocks; an extractor without labels labels what it extracted."""
        if not self._truth:
            return {}
        if labels is None or len(labels) != len(self._blocks):
            labels = gold_labels(self._blocks, _as_truth(self._page, said))
        is_known = {"content": True, "title": self._page.title, "author": self._page.author}
        tallies = {label: Tally() for label in LABELS if is_known[label]}
        for true, found in zip(self._truth, labels, strict=True):
            if found in tallies:
                tallies[found].labelled += 1
            if true in tallies:
                tallies[true].wanted += 1
                tallies[true].right += true == found
        return tallies


def _as_truth(page: LabelledPage, said: ExtractorAnswer) -> LabelledPage:
    return replace(
        page, text=said.text, title=said.title or "", author=said.author or None,
        date=said.date or None, labels=(),
    )  # fmt: skip


def _fair(page: LabelledPage, said: ExtractorAnswer, furniture: Furniture) -> Overlap | None:
    """Compare the texts without titles, bylines, dates and captions."""
    true = replace(page, text=furniture.remove_from(page.text or ""))
    return score_page(true, ExtractorAnswer(furniture.remove_from(said.text))).runs


def summary_of(verdicts: Sequence[Verdict]) -> Summary:
    """Return the figures over some pages."""
    blocks = {label: Tally() for label in LABELS}
    for verdict in verdicts:
        for label, tally in verdict.blocks.items():
            blocks[label].right += tally.right
            blocks[label].labelled += tally.labelled
            blocks[label].wanted += tally.wanted
    types = [one.is_type_right for one in verdicts if one.is_type_right is not None]
    return Summary(
        figures=summarize([one.score for one in verdicts]),
        fair=mean_overlap([one.fair for one in verdicts if one.fair is not None]),
        blocks=blocks,
        content_by_page=mean([own.f1 for one in verdicts if (own := one.blocks.get("content"))]),
        types=mean(types),
        seconds=sum(one.seconds for one in verdicts),
        slowest=max((one.seconds for one in verdicts), default=0.0),
        peak_mb=max((one.peak_mb for one in verdicts), default=0.0),
        failed=sum(one.error is not None for one in verdicts),
    )
