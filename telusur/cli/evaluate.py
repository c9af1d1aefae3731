"""`telusur evaluate`: how well engines label the blocks of pages whose truth is known."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.text import Text

import telusur.cli.one_thread  # noqa: F401 - first, before numpy
from telusur.cli.options import as_json
from telusur.cli.output import answer_json, console, human_seconds, say
from telusur.errors import UsageError
from telusur.learn.comparison import Watch, cross_validate, table_of_the_source
from telusur.learn.dataset import read_pages
from telusur.learn.engines import ENGINES, get_engine
from telusur.learn.scores import Scores, scores_table
from telusur.learn.source_pages import SourcePage, prepare_pages

Tables = dict[str, dict[str, Scores]]
_TITLES = {"site": "new sites", "page": "sites learned from"}


@click.command("evaluate")
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--engine", "name", metavar="NAME",
    help=f"How blocks are labelled: {', '.join(ENGINES)}.",
)  # fmt: skip
@click.option("--source-tables", is_flag=True, help="All engines, on new sites and known ones.")
@click.option("--folds", metavar="K", type=int, default=4, show_default=True,
              help="Parts of the data that are held back in turn.")  # fmt: skip
@click.option("--by", metavar="site|page", type=click.Choice(["site", "page"]),
              help="Hold back whole sites, or single pages of sites that have three or more."
                   "  [default: site]")  # fmt: skip
@click.option("--pages", metavar="N", type=int, help="Read only the first N pages.")
@as_json
def command(
    data: Path,
    *,
    name: str | None,
    source_tables: bool,
    folds: int,
    by: str | None,
    pages: int | None,
    as_json: bool,
) -> int:
    """Tell how well engines label the blocks of labelled pages: precision, recall and F1.

    DATA is a file of JSON lines (also .xz or .gz), or a directory of such files; each line has the
    `html` of a page and its true `text`, `title` and `author`. Engines learn from some of the pages
    and are asked about the others, in turn. Exit code 1 when DATA has no page to ask about.
    """
    if bool(name) == source_tables:
        raise UsageError(f"Say either --source-tables or one --engine: {', '.join(ENGINES)}.")
    if source_tables and by:
        raise UsageError("--source-tables holds back sites and pages; leave --by out.")
    if pages is not None and pages < 1:
        raise UsageError(f"--pages: {pages} is too few; 1 or more are needed.")
    begin = time.monotonic()
    with _watching() as watch:
        ready = _read(data, pages, watch)
        if not ready:
            say(f"{data}: no page here has a true text and something to read.")
            return 1
        tables = _evaluate(ready, name, by, folds, watch)
    _answer(tables, ready, time.monotonic() - begin, as_json)
    return 0


def _read(data: Path, most: int | None, watch: Watch) -> list[SourcePage]:
    ready: list[SourcePage] = []
    for page in prepare_pages(islice(read_pages(data), most)):
        ready.append(page)
        watch("reading pages", len(ready), most or 0)
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
        say(
            f"{len(pages)} pages of {sites} sites, {blocks} blocks, in {took}. Figures in per cent."
        )
        return
    for by, scores in tables.items():
        for name, own in scores.items():
            record = {"type": "scores", "engine": name, "by": by, "pages": own.pages}
            answer_json({**record, "labels": own.as_record()})
    counts = {"pages": len(pages), "sites": sites, "blocks": blocks}
    answer_json({"type": "summary", **counts, "seconds": round(seconds, 3)})


@contextmanager
def _watching() -> Iterator[Watch]:
    """Show a bar for each step on a terminal, and a line for each in a pipe."""
    out = console(stderr=True)
    if not out.is_terminal:
        last = ""

        def tell(step: str, done: int, total: int) -> None:
            nonlocal last
            if step != last:
                last = step
                say(f"{step} ...")

        yield tell
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, console=out, transient=True) as progress:
        task = progress.add_task("")

        def watch(step: str, done: int, total: int) -> None:
            progress.update(task, description=step, completed=done, total=total or None)

        yield watch
