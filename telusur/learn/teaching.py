"""Trains models on folds of the data and on all of it, and measures them on new sites."""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from telusur.errors import UsageError
from telusur.extract.content.model import Model, load_model
from telusur.extract.document import extract_document
from telusur.learn.folds import folds_by_site
from telusur.learn.lessons import witnesses
from telusur.learn.lessons.example import Example
from telusur.learn.lessons.examples import make_all
from telusur.learn.lessons.rewritings import make_rewritings
from telusur.learn.lessons.variants import make_variants
from telusur.learn.lessons.witnesses import Unlabelled, Witnesses
from telusur.learn.measures import (
    ExtractorAnswer,
    Figures,
    PageScore,
    score_page,
    summarize,
    summarize_by_type,
)
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.truth import gold_labels
from telusur.learn.scores import Scores
from telusur.learn.training import TrainingCourse, train_model
from telusur.version import __version__

Watch = Callable[[str, int, int], None]
LABELS = ("content", "title", "author", "date")


@dataclass(slots=True, frozen=True)
class TeachingVerdict:
    """The scores of a model: texts and facts by page type and by source, and labels of blocks."""

    figures: dict[str, Figures]
    # The figures of each set of pages.
    sources: dict[str, Figures]
    blocks: Scores
    right_types: float


@dataclass(slots=True, frozen=True)
class Lessons:
    """The pages that a model is trained on: those with a known text, and those without."""

    examples: list[Example]
    unlabelled: list[Unlabelled]

    @property
    def pages(self) -> list[Example]:
        """Return all pages, whether their text is known or not."""
        return [*self.examples, *(each.example for each in self.unlabelled)]

    def without(self, sites: Container[str], sources: Container[str] = ()) -> "Lessons":
        """Return these lessons without some sites and some sources."""

        def stays(example: Example) -> bool:
            return example.site not in sites and example.source not in sources

        return Lessons(
            [each for each in self.examples if stays(each)],
            [each for each in self.unlabelled if stays(each.example)],
        )


def read_lessons(
    pages: Sequence[LabelledPage], watch: Watch, said: Witnesses | None = None
) -> Lessons:
    """Turn pages into lessons, reporting progress; `said` is what witnesses extracted."""

    def counted() -> Iterator[LabelledPage]:
        for number, page in enumerate(pages, 1):
            watch("reading pages", number, len(pages))
            yield page

    return Lessons(*make_all(counted(), said or {}))


def teach(
    lessons: Lessons,
    course: TrainingCourse,
    watch: Watch,
    *,
    name: str = "training",
    onto: Model | None = None,
) -> Model:
    """Return a model trained on these pages, starting from `onto` if given.

    Pages without a known text are labelled with the help of a first model, which is trained more
    briefly. A new model also learns from variants of the pages.
    """

    def train(examples: Sequence[Example], step: str, course: TrainingCourse) -> Model:
        return train_model(
            examples, course, lambda epoch, _: watch(step, epoch, course.epochs), onto=onto
        )

    examples = lessons.examples
    if lessons.unlabelled:
        brief = replace(course, epochs=-(-course.epochs * 2 // 5))
        first = train(examples, f"{name}, to label pages without a text", brief)
        labelled = (witnesses.label(page, first) for page in lessons.unlabelled)
        examples = [*examples, *filter(None, labelled)]
    variants = [] if onto else [*make_variants(examples, course.seed), *_rewrite(examples, course)]
    model = train([*examples, *variants], name, course)
    model.about = {
        "telusur": __version__,
        "pages": len(examples),
        "sites": len({example.site for example in examples}),
        "sources": dict(sorted(Counter(example.source for example in examples).items())),
        "course": asdict(course),
    }
    return model


def _rewrite(examples: Sequence[Example], course: TrainingCourse) -> list[Example]:
    return make_rewritings(
        examples,
        course.seed,
        old_markup=course.old_markup,
        other_languages=course.other_languages,
    )


def teach_folds(
    lessons: Lessons, course: TrainingCourse, folds: int, watch: Watch
) -> Iterator[Model]:
    """Yield a model for each fold, trained without its sites, which it lists as `held_back`."""
    for number, (_, test) in enumerate(folds_by_site(lessons.examples, folds), 1):
        sites = {example.site for example in test}
        model = teach(
            lessons.without(sites), course, watch, name=f"training fold {number} of {folds}"
        )
        model.about["held_back"] = sorted(sites)
        yield model


def teach_without_sources(
    lessons: Lessons, course: TrainingCourse, groups: Sequence[Sequence[str]], watch: Watch
) -> Iterator[Model]:
    """Yield a model for each group of sources, trained without them and without their sites.

    It lists them as `held_back_sources`.
    """
    for group in groups:
        sites = {each.site for each in lessons.pages if each.source in group}
        rest = lessons.without(sites, group)
        if not rest.examples:
            raise UsageError(f"{', '.join(group)}: no other source is left to train on.")
        model = teach(rest, course, watch, name=f"training without {', '.join(group)}")
        model.about["held_back_sources"] = sorted(group)
        yield model


def judge(pages: Iterable[LabelledPage], models: Sequence[Model], watch: Watch) -> TeachingVerdict:
    """Measure models on pages of sites, or of sources, that they were not trained on.

    Those that no model was trained on, such as sites with empty pages, are for the first model.
    """
    by_site = {site: model for model in models for site in model.about.get("held_back", ())}
    by_source = {
        source: model for model in models for source in model.about.get("held_back_sources", ())
    }
    scores: list[PageScore] = []
    of_sources: dict[str, list[PageScore]] = defaultdict(list)
    blocks = Scores(labels=LABELS)
    right = 0
    for number, page in enumerate(pages, 1):
        watch("evaluating pages", number, 0)
        model = by_site.get(page.site or page.id) or by_source.get(page.source, models[0])
        document = extract_document(page.html, page.url, model=model)
        answer = ExtractorAnswer(document.text, document.title, document.author, document.date)
        scores.append(score_page(page, answer))
        of_sources[page.source].append(scores[-1])
        right += document.page_type == page.page_type
        if page.text is not None:
            lengths = [float(len(block.text.split())) for block in document.blocks]
            found = [block.label for block in document.blocks]
            blocks.add(gold_labels(document.blocks, page), found, lengths)
    sources = {name: summarize(own) for name, own in sorted(of_sources.items())}
    types = right / max(1, len(scores))
    return TeachingVerdict(summarize_by_type(scores), sources, blocks, types)


def figures_of(verdict: TeachingVerdict) -> dict[str, Any]:
    """Return the main scores of a verdict, to store with a model."""
    whole = verdict.figures["all"]
    return {
        "bag_of_words": {name: _round(each.words_f1) for name, each in verdict.figures.items()},
        "four_grams": _round(whole.runs.f1 if whole.runs is not None else None),
        "four_grams_by_source": {
            name: _round(each.runs.f1) for name, each in verdict.sources.items() if each.runs
        },
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
