"""The user's file of hooks: read, checked, and loaded in every parser process."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from telusur.errors import UsageError
from telusur.pipeline.plan.own_file import OwnFile, describe_error, read_own, run_own

__all__ = ["Functions", "HooksFile", "describe_error", "load_functions", "read_hooks"]

MODULE = "telusur_hooks"
_PARAMETERS = {"follow": ("link", "page"), "visit": ("page",)}


class HooksFile(OwnFile):
    """The file as it was at the start of the crawl; every parser runs this version."""


@dataclass(slots=True, frozen=True)
class Functions:
    """The functions of the file; one of them may be missing."""

    follow: Callable[..., Any] | None
    visit: Callable[..., Any] | None


def read_hooks(path: str) -> HooksFile:
    """Read a file of hooks and check it by loading it; errors are one sentence."""
    file = HooksFile(*read_own(path, "--hooks"))
    load_functions(file)
    return file


@cache
def load_functions(file: HooksFile) -> Functions:
    """Run the file as a module, once per process, and return its functions."""
    module = run_own(file, MODULE)
    found = {name: _checked(getattr(module, name, None), name, file) for name in _PARAMETERS}
    if not any(found.values()):
        raise UsageError(
            f"--hooks: {file.name} defines neither follow(link, page) nor visit(page)."
        )
    return Functions(**found)


def _checked(function: Any, name: str, file: HooksFile) -> Callable[..., Any] | None:
    """Return a hook whose signature was checked, or None if the file has none."""
    if function is None:
        return None
    wanted = _PARAMETERS[name]
    call = f"{name}({', '.join(wanted)})"
    if not callable(function) or inspect.iscoroutinefunction(function):
        raise UsageError(f"--hooks: {file.name}: {call} must be a plain function.")
    try:
        inspect.signature(function).bind(*wanted)
    except TypeError:
        signature = inspect.signature(function)
        raise UsageError(f"--hooks: {file.name}: {name}{signature} must be {call}.") from None
    except ValueError:
        # A function in C has no signature to check.
        pass
    checked: Callable[..., Any] = function
    return checked
