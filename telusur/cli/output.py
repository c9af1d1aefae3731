"""What a person reads: the answer on standard output, the talk on standard error."""

import json
import re
import sys
from typing import Any

import click
from rich.console import Console
from rich.text import Text

# C0 and C1 controls and bidirectional overrides: a crawled title must not drive the terminal.
_UNSAFE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")

_COLOR = {"auto": None, "always": True, "never": False}


def printable(text: str) -> str:
    """Return text that is safe to print: one line, no terminal codes, no direction tricks."""
    return _UNSAFE.sub(" ", text).encode("utf-8", "replace").decode()


def console(*, stderr: bool = False) -> Console:
    """Return a console that follows `--color` and NO_COLOR."""
    wish = _COLOR[str((click.get_current_context().find_root().params or {}).get("color", "auto"))]
    return Console(
        stderr=stderr,
        highlight=False,
        soft_wrap=True,
        force_terminal=wish,
        no_color=True if wish is False else None,
    )


def say(text: str) -> None:
    """Talk to the user."""
    console(stderr=True).print(Text(text))


def answer_json(record: Any) -> None:
    """Print one JSON record on a line; half surrogates, which pages may have, become `?`."""
    line = json.dumps(record, ensure_ascii=False, default=str)
    sys.stdout.write(line.encode("utf-8", "replace").decode() + "\n")


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
