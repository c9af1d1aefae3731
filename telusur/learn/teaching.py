"""Trains models on folds of the data and on all of it, and measures them on new sites."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from telusur.extract.content.model import Model, load_model
from telusur.extract.document import extract_document
from telusur.learn.examples import make_examples
from telusur.learn.folds import folds_by_site
from telusur.learn.measures import (
    ExtractorAnswer,
    Figures,
    PageScore,
    score_page,
    summarize_by_type,
)
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.truth import gold_labels
from telusur.learn.scores import Scores
from telusur.learn.training import Example, TrainingCourse, train_model
from telusur.version import __version__

Watch = Callable[[str, int, int], None]
LABELS = ("content", "title", "author", "date")


@dataclass(slots=True, frozen=True)
class TeachingVerdict:
    """The scores of a model: texts and facts by page type, and labels of blocks."""

    figures: dict[str, Figures]
    blocks: Scores
    right_types: float


def read_examples(pages: Sequence[LabelledPage], watch: Watch) -> list[Example]:
    """Turn pages into examples, reporting progress."""

    def counted() -> Iterator[LabelledPage]:
        for number, page in enumerate(pages, 1):
            watch("reading pages", number, len(pages))
            yield page

    return list(make_examples(counted()))


def teach(
    examples: Sequence[Example],
    course: TrainingCourse,
    watch: Watch,
    *,
    name: str = "training",
    onto: Model | None = None,
) -> Model:
    """Return a model trained on these examples, starting from `onto` if given."""
    model = train_model(
        examples, course, lambda epoch, _: watch(name, epoch, course.epochs), onto=onto
    )
    model.about = {
        "telusur": __version__,
        "pages": len(examples),
        "sites": len({example.site for example in examples}),
        "course": asdict(course),
    }
    return model


def teach_folds(
    examples: Sequence[Example], course: TrainingCourse, folds: int, watch: Watch
) -> Iterator[Model]:
    """Yield a model for each fold, trained without its sites, which it lists as `held_back`."""
    for number, (known, held_back) in enumerate(folds_by_site(examples, folds), 1):
        model = teach(known, course, watch, name=f"training fold {number} of {folds}")
        model.about["held_back"] = sorted({example.site for example in held_back})
        yield model


def judge(pages: Iterable[LabelledPage], models: Sequence[Model], watch: Watch) -> TeachingVerdict:
    """Measure models on pages of sites that they were not trained on.

    Sites that no model was trained on, such as those with empty pages, are for the first model.
    """
    by_site = {site: model for model in models for site in model.about.get("held_back", ())}
    scores: list[PageScore] = []
    blocks = Scores(labels=LABELS)
    right = 0
    for number, page in enumerate(pages, 1):
        watch("evaluating pages", number, 0)
        model = by_site.get(page.site or page.id, models[0])
        document = extract_document(page.html, page.url, model=model)
        answer = ExtractorAnswer(document.text, document.title, document.author, document.date)
        scores.append(score_page(page, answer))
        right += document.page_type == page.page_type
        if page.text is not None:
            lengths = [float(len(block.text.split())) for block in document.blocks]
            found = [block.label for block in document.blocks]
            blocks.add(gold_labels(document.blocks, page), found, lengths)
    return TeachingVerdict(summarize_by_type(scores), blocks, right / max(1, len(scores)))


def figures_of(verdict: TeachingVerdict) -> dict[str, Any]:
    """Return the main scores of a verdict, to store with a model."""
    whole = verdict.figures["all"]
    return {
        "bag_of_words": {name: _round(each.words_f1) for name, each in verdict.figures.items()},
        "four_grams": _round(whole.runs.f1 if whole.runs is not None else None),
        "title": _round(whole.title),
        "author": _round(whole.author),
        "date": _round(whole.date),
        "blocks": {label: _round(tally.f1) for label, tally in verdict.blocks.blocks.items()},
        "types": _round(verdict.right_types),
    }


def _round(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)


def fold_path(directory: Path, number: int) -> Path:
    """Return the path of the model of a fold, counted from 1."""
    return directory / f"fold-{number}.npz"


def load_folds(directory: Path) -> list[Model]:
    """Return the models of all folds in a directory."""
    return [load_model(path) for path in sorted(directory.glob("fold-*.npz"))]
