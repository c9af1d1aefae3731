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

_HEAD = f"{'pages':<16}{'number':>7}{'words':>8}{'4-grams':>9}{'title':>8}{'author':>8}{'date':>8}"


def tell_verdict(verdict: TeachingVerdict, *, as_json: bool) -> None:
    """Print the scores of a model: by page type, and by block label."""
    if as_json:
        answer_json({"type": "figures", **figures_of(verdict)})
        for name, figures in verdict.figures.items():
            answer_json({"type": "page type", "name": name, **asdict(figures)})
        return
    rows = [_row(name, figures) for name, figures in verdict.figures.items()]
    console().print(Text("\n".join([_HEAD, "-" * len(_HEAD), *rows, ""])))
    console().print(Text(scores_table({"telusur": verdict.blocks}, "blocks") + "\n"))
    console().print(Text(f"The page type is right for {verdict.right_types:.0%} of the pages."))


def _row(name: str, figures: Figures) -> str:
    runs = figures.runs.f1 if figures.runs is not None else None
    cells = [figures.words_f1, runs, figures.title, figures.author, figures.date]
    shown = ["-" if cell is None else f"{cell:.3f}" for cell in cells]
    widths = (8, 9, 8, 8, 8)
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
