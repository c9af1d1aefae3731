"""Output for people: results on standard output, messages on standard error."""

import errno
import json
import sys
from typing import TYPE_CHECKING, Any

import click

from telusur.cli.streams import printable
from telusur.models import State

# Loaded with the first output that has colours: JSON and extracted text have none.
if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "answer_json", "console", "fate", "human_bytes", "human_seconds", "printable", "say",
]  # fmt: skip

_COLOR = {"auto": None, "always": True, "never": False}


def console(*, stderr: bool = False) -> "Console":
    """Return a console that follows `--color` and NO_COLOR."""
    from telusur.cli.piped_console import PipedConsole

    wish = _COLOR[str((click.get_current_context().find_root().params or {}).get("color", "auto"))]
    return PipedConsole(
        stderr=stderr,
        highlight=False,
        soft_wrap=True,
        force_terminal=wish,
        no_color=True if wish is False else None,
    )


def say(text: str) -> None:
    """Write a message to standard error; carry on if nobody reads it."""
    from rich.text import Text

    try:
        console(stderr=True).print(Text("\n".join(map(printable, text.split("\n")))))
    except OSError as error:
        if error.errno == errno.EPIPE:  # the reader closed the pipe
            raise


def answer_json(record: Any) -> None:
    """Print one JSON record per line; lone surrogates, which pages may contain, become `?`."""
    line = json.dumps(record, ensure_ascii=False, default=str)
    sys.stdout.write(line.encode("utf-8", "replace").decode() + "\n")


def fate(state: str, reason: str) -> str:
    """Return what became of a URL that was not fetched, to stand after it."""
    verb = {State.FAILED: "failed", State.SKIPPED: "was skipped"}.get(State(state), f"is {state}")
    return f"{verb} ({printable(reason)})" if reason else verb


def human_bytes(number: int) -> str:
    """Return 1234567 as '1.2 MB'."""
    size = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            break
        size /= 1000
    return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"


def human_seconds(seconds: float) -> str:
    """Return 75.2 as '1 min 15 s'."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
