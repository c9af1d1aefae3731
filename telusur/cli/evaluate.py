"""`telusur evaluate`: how well engines label the blocks of pages with known labels."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click
from rich.text import Text

import telusur.cli.one_thread  # noqa: F401 - first, before numpy
from telusur.cli.learning import tell_verdict, watching
from telusur.cli.options import as_json
from telusur.cli.output import answer_json, console, human_seconds, say
from telusur.errors import UsageError
from telusur.extract.content.model import SHIPPED, Model, load_model
from telusur.fetch.browser.drawn_pages import DrawnPages
from telusur.learn.comparison import Watch, cross_validate, table_of_the_source
from telusur.learn.engines import ENGINES, get_engine
from telusur.learn.folds import groups_of_sources
from telusur.learn.lessons.witnesses import Witnesses, read_witnesses
from telusur.learn.library import require_scikit_learn
from telusur.learn.pages.dataset import LabelledPage
from telusur.learn.pages.source_pages import SourcePage, prepare_pages
from telusur.learn.pages.sources import read_labelled
from telusur.learn.scores import Scores, scores_table
from telusur.learn.teaching import (
    judge,
    load_folds,
    read_lessons,
    teach_folds,
    teach_without_sources,
)
from telusur.learn.training import TrainingCourse

Tables = dict[str, dict[str, Scores]]
OWN = "telusur"
_FOLDS = 4
_NOTHING = "{}: no page here has both a true text and readable content."
_TITLES = {"site": "new sites", "page": "known sites"}


@click.command("evaluate")
@click.argument("data", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--engine", "name", metavar="NAME",
    help=f"The engine that labels blocks: {OWN}, {', '.join(ENGINES)}.",
)  # fmt: skip
@click.option(
    "--model",
    metavar="MODEL|shipped",
    help=f"Evaluate this model, made by `telusur train`, instead of training {OWN} again.",
)
@click.option(
    "--fold-models",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Evaluate the models that `telusur train --folds` saved in DIR.",
)
@click.option(
    "--source-tables", is_flag=True, help="Evaluate all engines, on new sites and on known ones."
)
@click.option(
    "--folds",
    metavar="K",
    type=int,
    help="How many parts the data is split into; each is held out once."
    "  [default: 4; by source: one for each source]",
)
@click.option(
    "--by",
    metavar="site|page|source",
    type=click.Choice(["site", "page", "source"]),
    help="Hold out whole sites, or single pages of sites with three or more pages, or (only for"
    f" {OWN}) whole sources: a source is one file of DATA.  [default: site]",
)
@click.option(
    "--witnesses",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="As for `telusur train`.",
)
@click.option("--pages", metavar="N", type=int, help="Read only the first N pages.")
@click.option(
    "--rendered",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Use the bounds and CSS of a browser, offline; each page is rendered once and kept in"
    " DIR.",
)
@as_json
def command(
    data: tuple[Path, ...],
    *,
    name: str | None,
    model: str | None,
    fold_models: Path | None,
    source_tables: bool,
    folds: int | None,
    by: str | None,
    witnesses: Path | None,
    pages: int | None,
    rendered: Path | None,
    as_json: bool,
) -> int:
    """Measure how well engines label the blocks of labelled pages: precision, recall and F1.

    DATA is a file of JSON lines (also .xz or .gz), or a directory of such files; several may be
    given. Each line has the `html` of a page and its true `text`, `title` and `author`. Engines are
    trained on some of the pages and tested on the others, in turn. Exit code 1 when DATA has no
    page to test on.
    """
    if name is None and (model or fold_models):
        name = OWN
    if bool(name) == source_tables:
        known = ", ".join([OWN, *ENGINES])
        raise UsageError(f"Give either --source-tables or one --engine: {known}.")
    if name != OWN and (model or fold_models):
        raise UsageError(f"--model and --fold-models work only with --engine {OWN}.")
    if source_tables and by:
        raise UsageError("--source-tables holds out both sites and pages; leave out --by.")
    if pages is not None and pages < 1:
        raise UsageError(f"--pages: {pages} is too few; give at least 1.")
    if name == OWN and rendered:
        raise UsageError(f"--rendered is for engines that use look and position, not for {OWN}.")
    if name == OWN:
        said = read_witnesses(witnesses) if witnesses else {}
        own = _Own(_models_in(model, fold_models), by or "site", folds, said)
        return own.evaluate(data, pages, as_json=as_json)
    if by == "source" or witnesses:
        raise UsageError(f"--by source and --witnesses work only with --engine {OWN}.")
    if name != "clusters":
        require_scikit_learn(_asked_for(name))
    begin = time.monotonic()
    with watching() as watch:
        ready = _read(data, pages, rendered, watch)
        if not ready:
            say(_NOTHING.format(", ".join(map(str, data))))
            return 1
        tables = _evaluate(ready, name, by, folds or _FOLDS, watch)
    _answer(tables, ready, time.monotonic() - begin, as_json)
    return 0


def _asked_for(name: str | None) -> str:
    """Return the flag that chose the engines; refuse an unknown engine."""
    if name is None:
        return "--source-tables"
    if name not in ENGINES:
        known = ", ".join([OWN, *ENGINES])
        raise UsageError(f"--engine: {name[:40]!r} is not one of {known}.")
    return f"--engine {name}"


def _models_in(model: str | None, fold_models: Path | None) -> list[Model]:
    if model is not None:
        return [load_model(SHIPPED if model == "shipped" else Path(model))]
    if fold_models is None:
        return []
    models = load_folds(fold_models)
    if not models:
        raise UsageError(f"--fold-models: {fold_models} has no models named fold-*.npz.")
    return models


@dataclass(slots=True, frozen=True)
class _Own:
    """How our own classifier is measured: without models, one is trained for each fold."""

    models: list[Model]
    by: str
    folds: int | None
    said: Witnesses

    def evaluate(self, data: Sequence[Path], most: int | None, *, as_json: bool) -> int:
        """Measure, and print the scores."""
        with watching() as watch:
            pages = list(islice(_labelled(data), most))
            models = self.models or self._teach(pages, watch)
            verdict = judge(pages, models, watch) if models else None
        if verdict is None or not verdict.blocks.pages:
            say(_NOTHING.format(", ".join(map(str, data))))
            return 1
        tell_verdict(verdict, as_json=as_json)
        return 0

    def _teach(self, pages: list[LabelledPage], watch: Watch) -> list[Model]:
        lessons = read_lessons(pages, watch, self.said)
        if not lessons.examples:
            return []
        course = TrainingCourse()
        if self.by == "page":
            raise UsageError(f"--by page works only with other engines than {OWN}.")
        if self.by == "site":
            return list(teach_folds(lessons, course, self.folds or _FOLDS, watch))
        groups = groups_of_sources(lessons.pages, self.folds)
        return list(teach_without_sources(lessons, course, groups, watch))


def _labelled(data: Sequence[Path]) -> Iterator[LabelledPage]:
    for path in data:
        yield from read_labelled(path)


def _read(
    data: Sequence[Path], most: int | None, rendered: Path | None, watch: Watch
) -> list[SourcePage]:
    labelled = islice(_labelled(data), most)
    if rendered is None:
        return _watched(prepare_pages(labelled), "reading pages", most, watch)
    with DrawnPages(rendered) as drawn:
        pages = prepare_pages(labelled, lambda page: drawn.blocks_of(page.html, page.url))
        ready = _watched(pages, "rendering pages", most, watch)
    if drawn.failed:
        say(f"{drawn.failed} pages are empty in a browser and were skipped.")
    return ready


def _watched(
    pages: Iterator[SourcePage], step: str, most: int | None, watch: Watch
) -> list[SourcePage]:
    ready: list[SourcePage] = []
    for page in pages:
        ready.append(page)
        watch(step, len(ready), most or 0)
    return ready


def _evaluate(
    pages: list[SourcePage], name: str | None, by: str | None, folds: int, watch: Watch
) -> Tables:
    if name is None:
        tables = table_of_the_source(pages, folds=folds, watch=watch)
        return {"site": tables.new_sites, "page": tables.known_sites}
    by = by or ("page" if get_engine(name).needs_site else "site")
    return {by: {name: cross_validate(name, pages, by=by, folds=folds, watch=watch)}}


def _answer(tables: Tables, pages: list[SourcePage], seconds: float, is_json: bool) -> None:
    sites = len({page.site for page in pages})
    blocks = sum(len(page.blocks) for page in pages)
    if not is_json:
        for by, scores in tables.items():
            console().print(Text(scores_table(scores, _TITLES[by]) + "\n"))
        took = human_seconds(seconds)
        say(f"{len(pages)} pages of {sites} sites, {blocks} blocks, in {took}. Figures in percent.")
        return
    for by, scores in tables.items():
        for name, own in scores.items():
            record = {"type": "scores", "engine": name, "by": by, "pages": own.pages}
            answer_json({**record, "labels": own.as_record()})
    counts = {"pages": len(pages), "sites": sites, "blocks": blocks}
    answer_json({"type": "summary", **counts, "seconds": round(seconds, 3)})
