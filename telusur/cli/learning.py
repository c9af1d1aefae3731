"""The output of `telusur train` and `telusur evaluate`: progress, and the scores of a model."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.text import Text

from telusur.cli.output import answer_json, console, say
from telusur.learn.measures import Figures
from telusur.learn.scores import scores_table
from telusur.learn.teaching import TeachingVerdict, Watch, figures_of

_HEAD = (
    f"{'number':>7}{'words':>8}{'4-grams':>9}{'precision':>11}{'recall':>8}"
    f"{'title':>8}{'author':>8}{'date':>8}"
)


def tell_verdict(verdict: TeachingVerdict, *, as_json: bool) -> None:
    """Print the scores of a model: by page type, by source, and by block label."""
    if as_json:
        answer_json({"type": "figures", **figures_of(verdict)})
        for kind, table in (("page type", verdict.figures), ("source", verdict.sources)):
            for name, figures in table.items():
                answer_json({"type": kind, "name": name, **asdict(figures)})
        return
    _print_table("pages", verdict.figures)
    if len(verdict.sources) > 1:
        _print_table("source", verdict.sources)
    console().print(Text(scores_table({"telusur": verdict.blocks}, "blocks") + "\n"))
    console().print(Text(f"The page type is right for {verdict.right_types:.0%} of the pages."))


def _print_table(title: str, table: dict[str, Figures]) -> None:
    rows = [_row(name, figures) for name, figures in table.items()]
    head = f"{title:<16}{_HEAD}"
    console().print(Text("\n".join([head, "-" * len(head), *rows, ""])))


def _row(name: str, figures: Figures) -> str:
    runs = figures.runs
    of_runs = (None, None, None) if runs is None else (runs.f1, runs.precision, runs.recall)
    cells = [figures.words_f1, *of_runs, figures.title, figures.author, figures.date]
    shown = ["-" if cell is None else f"{cell:.3f}" for cell in cells]
    widths = (8, 9, 11, 8, 8, 8, 8)
    return f"{name:<16}{figures.pages:>7}" + "".join(
        f"{cell:>{width}}" for cell, width in zip(shown, widths, strict=True)
    )


@contextmanager
def watching() -> Iterator[Watch]:
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
