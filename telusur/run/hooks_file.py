"""A user's own file for a crawl: read, checked, and loaded in whichever process needs it."""

import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from telusur.errors import UsageError

MODULE = "telusur_hooks"
_PARAMETERS = {"follow": ("link", "page"), "visit": ("page",)}
_LONGEST_COMPLAINT = 300
_being_loaded: set[str] = set()


@dataclass(slots=True, frozen=True)
class HooksFile:
    """The file as it was when the crawl began: every parser runs this, though it may change."""

    path: str
    code: str

    @property
    def name(self) -> str:
        """Return the name without its directory."""
        return Path(self.path).name


@dataclass(slots=True, frozen=True)
class Functions:
    """What the file defines; each may be missing, not both."""

    follow: Callable[..., Any] | None
    visit: Callable[..., Any] | None


def read_hooks(path: str) -> HooksFile:
    """Read a file of hooks and check it by loading it; one clear sentence for what is wrong."""
    try:
        file = HooksFile(str(Path(path).absolute()), Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"--hooks: {path} cannot be read: {reason}.") from None
    load_functions(file)
    return file


@cache
def load_functions(file: HooksFile) -> Functions:
    """Run the file as a module, once in a process, and return its functions."""
    if file.path in _being_loaded:
        raise UsageError(
            f"--hooks: {file.name} starts a crawl with itself while it is loaded; put that below "
            '`if __name__ == "__main__":`.'
        )
    _being_loaded.add(file.path)
    try:
        module = _run(file)
    except (Exception, SystemExit) as error:
        complaint = describe_error(error, file).rstrip(".")
        raise UsageError(f"--hooks: {file.name} cannot be loaded: {complaint}.") from None
    finally:
        _being_loaded.discard(file.path)
    found = {name: _checked(getattr(module, name, None), name, file) for name in _PARAMETERS}
    if not any(found.values()):
        raise UsageError(
            f"--hooks: {file.name} defines neither follow(link, page) nor visit(page)."
        )
    return Functions(**found)


def _run(file: HooksFile) -> ModuleType:
    module = ModuleType(MODULE)
    module.__file__ = file.path
    sys.modules[MODULE] = module  # dataclasses and pickle look there
    directory = str(Path(file.path).parent)
    if directory not in sys.path:
        sys.path.append(directory)  # its neighbours can be imported, and shadow nothing of ours
    exec(compile(file.code, file.path, "exec"), module.__dict__)  # noqa: S102 - the user's own code
    return module


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


def describe_error(error: BaseException, file: HooksFile) -> str:
    """Return what went wrong in the file and in which of its lines, in one line."""
    if isinstance(error, SyntaxError) and error.filename == file.path:
        return f"line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file.path]
    said = " ".join(str(error).split())[:_LONGEST_COMPLAINT]
    where = f"line {lines[-1]}: " if lines else ""
    return f"{where}{type(error).__name__}" + (f": {said}" if said else "")
