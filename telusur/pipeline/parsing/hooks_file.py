"""A user's own file for a crawl: read, checked, and loaded in whichever process needs it."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from telusur.errors import UsageError
from telusur.run.own_file import OwnFile, describe_error, read_own, run_own

__all__ = ["Functions", "HooksFile", "describe_error", "load_functions", "read_hooks"]

MODULE = "telusur_hooks"
_PARAMETERS = {"follow": ("link", "page"), "visit": ("page",)}


class HooksFile(OwnFile):
    """The file as it was when the crawl began: every parser runs this, though it may change."""


@dataclass(slots=True, frozen=True)
class Functions:
    """What the file defines; each may be missing, not both."""

    follow: Callable[..., Any] | None
    visit: Callable[..., Any] | None


def read_hooks(path: str) -> HooksFile:
    """Read a file of hooks and check it by loading it; one clear sentence for what is wrong."""
    file = HooksFile(*read_own(path, "--hooks"))
    load_functions(file)
    return file


@cache
def load_functions(file: HooksFile) -> Functions:
    """Run the file as a module, once in a process, and return its functions."""
    module = run_own(file, MODULE)
    found = {name: _checked(getattr(module, name, None), name, file) for name in _PARAMETERS}
    if not any(found.values()):
        raise UsageError(
            f"--hooks: {file.name} defines neither follow(link, page) nor visit(page)."
        )
    return Functions(**found)


def _checked(function: Any, name: str, file: HooksFile) -> Callable[..., Any] | None:
    """Return a hook that can be called as it will be, or None when there is none."""
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
    except ValueError:  # something in C that does not tell
        pass
    checked: Callable[..., Any] = function
    return checked
