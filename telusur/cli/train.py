"""`telusur train`: train a model on labelled pages, and measure it on new sites."""

import hashlib
from dataclasses import replace
from pathlib import Path

import click

import telusur.cli.one_thread  # noqa: F401 - first, before numpy
from telusur.cli.learning import tell_verdict, watching
from telusur.cli.options import as_json
from telusur.cli.output import say
from telusur.errors import UsageError
from telusur.extract.content.model import SHIPPED, Model, load_model
from telusur.learn.lessons.witnesses import read_witnesses
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.sources import read_labelled
from telusur.learn.teaching import (
    Lessons,
    Watch,
    figures_of,
    fold_path,
    judge,
    read_lessons,
    teach,
    teach_folds,
)
from telusur.learn.training import TrainingCourse

# Fewer pages than this are not enough to train a model from scratch.
_FEW = 40
_REFRESHER = TrainingCourse(epochs=30, pages_at_once=2, rate=5e-4, rest=0.1)


@click.command("train")
@click.argument("data", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    metavar="MODEL",
    type=click.Path(path_type=Path),
    help="The file to write the model to.",
)
@click.option(
    "--onto",
    metavar="MODEL|shipped",
    help="Train this model further instead of a new one; a few pages are enough.",
)
@click.option(
    "--folds",
    metavar="K",
    type=int,
    default=0,
    help="First measure quality on new sites by K-fold cross-validation.",
)
@click.option(
    "--fold-models",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep the models of the folds in DIR, for `telusur evaluate`.",
)
@click.option(
    "--epochs",
    metavar="N",
    type=click.IntRange(1, 1000),
    help="How many times to go through all pages.",
)
@click.option(
    "--old-markup",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    help="Learn this share of the pages also as if they had been written twenty years ago (0.35).",
)
@click.option(
    "--other-languages",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    help="Learn this share of the pages also in another writing system (0.25).",
)
@click.option(
    "--witnesses",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="What other extractors found on pages of DATA without a true text: `make witnesses`.",
)
@as_json
def command(
    data: tuple[Path, ...],
    *,
    out: Path,
    onto: str | None,
    folds: int,
    fold_models: Path | None,
    epochs: int | None,
    old_markup: float | None,
    other_languages: float | None,
    witnesses: Path | None,
    as_json: bool,
) -> int:
    """Train a model to tell the content of pages from the rest.

    DATA is a file of JSON lines, or a directory of such files or of the sheets of `telusur label`;
    several may be given. The same data and settings give the same model. Exit code 1 when DATA has
    no usable page.
    """
    taught = _model_named(onto)
    course = _course_of(taught, epochs, old_markup, other_languages)
    if out.is_dir() or not out.parent.is_dir():
        raise UsageError(f"--out: {out} cannot be written; name a file in a directory that exists.")
    said = read_witnesses(witnesses) if witnesses else None
    names = ", ".join(map(str, data))
    with watching() as watch:
        pages = [page for path in data for page in read_labelled(path)]
        lessons = read_lessons(pages, watch, said)
        if not lessons.examples:
            say(f"{names}: no usable page to train on.")
            return 1
        if taught is None and len(lessons.examples) < _FEW:
            raise UsageError(
                f"{names}: {len(lessons.examples)} pages are too few for a new model; "
                "try --onto shipped, which trains the model that comes with Telusur further."
            )
        figures = {}
        if folds:
            models = _teach_folds(lessons, course, folds, fold_models, watch)
            verdict = judge(pages, models, watch)
            figures = figures_of(verdict)
            tell_verdict(verdict, as_json=as_json)
        model = teach(lessons, course, watch, onto=taught)
    name = ", ".join(map(_name_of, data))
    model.about |= {"data": name, "data_hash": _hash(pages), "figures": figures}
    model.save(out)
    about = model.about
    sites = "1 site" if about["sites"] == 1 else f"{about['sites']} sites"
    say(f"{about['pages']} pages of {sites} used. The model is {out}.")
    return 0


def _model_named(name: str | None) -> Model | None:
    if name is None:
        return None
    return load_model(SHIPPED if name == "shipped" else Path(name))


def _course_of(
    taught: Model | None,
    epochs: int | None,
    old_markup: float | None,
    other_languages: float | None,
) -> TrainingCourse:
    if taught is not None and (old_markup, other_languages) != (None, None):
        raise UsageError("--old-markup, --other-languages: they are for a new model; omit --onto.")
    course = TrainingCourse() if taught is None else _REFRESHER
    return replace(
        course,
        epochs=epochs or course.epochs,
        old_markup=course.old_markup if old_markup is None else old_markup,
        other_languages=course.other_languages if other_languages is None else other_languages,
    )


def _teach_folds(
    lessons: Lessons, course: TrainingCourse, folds: int, keep: Path | None, watch: Watch
) -> list[Model]:
    models = []
    for number, model in enumerate(teach_folds(lessons, course, folds, watch), 1):
        models.append(model)
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            model.save(fold_path(keep, number))
    return models


def _name_of(data: Path) -> str:
    """Return the name of the data; for a directory, the names of its first files."""
    if not data.is_dir():
        return data.name
    names = sorted(path.name for path in data.iterdir() if path.suffix != ".html")
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _hash(pages: list[LabelledPage]) -> str:
    """Return a hash of the pages and their labels, whatever files they are in."""
    digest = hashlib.blake2b(digest_size=16)
    for page in pages:
        digest.update(f"{page.id}\0{page.html}\0{page.text}\0{page.labels}\0".encode())
    return digest.hexdigest()
