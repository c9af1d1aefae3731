"""`telusur verify`: check that archive, catalogue, frontier and index agree."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.text import Text

from telusur.cli.options import as_json, to_read
from telusur.cli.output import answer_json, console, human_seconds, printable, say
from telusur.collection import verify_collection
from telusur.store.problems import Verification, Watch

EVERY_TICKS = 200


@click.command("verify")
@to_read
@as_json
def command(address: str, as_json: bool) -> int:
    """Check that archive, catalogue, frontier and index agree.

    It reads everything and changes nothing. Each problem is described in a sentence, with a remedy.
    Exit code 1 when there are problems.
    """
    with _watching() as watch:
        result = verify_collection(address, watch)
    if as_json:
        _answer(result)
    else:
        _tell(result, address)
    return 0 if result.is_fine else 1


@contextmanager
def _watching() -> Iterator[Watch | None]:
    """Show a bar for each step on a terminal, and nothing in a pipe."""
    out = console(stderr=True)
    if not out.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, console=out, transient=True) as progress:
        task = progress.add_task("")
        ticks = 0

        def watch(step: str, done: int, total: int) -> None:
            nonlocal ticks
            ticks += 1
            if ticks % EVERY_TICKS == 0 or done in (0, total):
                progress.update(task, description=step, completed=done, total=total or None)

        yield watch


def _answer(result: Verification) -> None:
    for problem in result.problems:
        answer_json({"type": "problem", **asdict(problem)})
    for note in result.notes:
        answer_json({"type": "note", **asdict(note)})
    answer_json(
        {
            "type": "summary",
            "fine": result.is_fine,
            "problems": len(result.problems) + result.more.total(),
            **result.looked_at,
            "seconds": round(result.seconds, 3),
        }
    )


def _tell(result: Verification, address: str) -> None:
    out = console()
    for problem in result.problems:
        out.print(Text(f"{problem.part}: {printable(problem.sentence)}"))
    for part, number in result.more.items():
        out.print(Text(f"{part}: {number} more of these kinds."))
    for advice in dict.fromkeys(problem.advice for problem in result.problems):
        say(f"What to do: {advice}.")
    for note in result.notes:
        say(f"{note.part}: {printable(note.sentence)}")
    seen = ", ".join(f"{number} {name}" for name, number in result.looked_at.items())
    verdict = "everything fits together" if result.is_fine else "not everything fits together"
    looked = f": {seen}" if seen else ""
    name = printable(address)
    out.print(Text(f"{name}: {verdict}{looked} ({human_seconds(result.seconds)})."))
