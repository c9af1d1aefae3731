"""Values that no option accepts: NaN and infinity, and text that is not UTF-8."""

import math
from typing import Any

import click

# The metavars of options that take a file name, which may be any bytes.
_FILES = ("FILE", "DIR", "MODEL")


def check_values(param: click.Parameter) -> None:
    """Make an option or argument refuse values that would only fail later."""
    before = param.callback
    if getattr(before, "checks", False):  # the command was already loaded
        return

    def check(context: click.Context, param: click.Parameter, value: Any) -> Any:
        for each in value if isinstance(value, (list, tuple)) else (value,):
            if why := _objection(param, each):
                raise click.BadParameter(why, context, param)
        return value if before is None else before(context, param, value)

    check.checks = True  # type: ignore[attr-defined]
    param.callback = check


def _objection(param: click.Parameter, value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a usable number."
    if isinstance(value, str) and param.metavar not in _FILES and not _is_text(value):
        return f"{value!a} is not text in UTF-8."
    return ""


def _is_text(value: str) -> bool:
    """Tell whether all bytes of a value were UTF-8; Python keeps the others as lone surrogates."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
