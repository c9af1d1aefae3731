"""A Python file of the user: read once, and run in every process that needs it."""

import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from telusur.errors import UsageError

_LONGEST_COMPLAINT = 300
_being_loaded: set[str] = set()


@dataclass(slots=True, frozen=True)
class OwnFile:
    """The file as it was at the start of the crawl; every process runs this version."""

    path: str
    code: str
    flag: str = "--hooks"

    @property
    def name(self) -> str:
        """Return the name without its directory."""
        return Path(self.path).name


def read_own(path: str, flag: str) -> tuple[str, str]:
    """Return the absolute path and the text of a file; errors are one sentence."""
    try:
        return str(Path(path).absolute()), Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"{flag}: {path} cannot be read: {reason}.") from None


def run_own(file: OwnFile, module_name: str) -> ModuleType:
    """Run the file as a module of this name; errors are one sentence."""
    if file.path in _being_loaded:
        raise UsageError(
            f"{file.flag}: {file.name} starts a crawl with itself while it is loaded; put that "
            'below `if __name__ == "__main__":`.'
        )
    _being_loaded.add(file.path)
    try:
        return _run(file, module_name)
    except (Exception, SystemExit) as error:
        complaint = describe_error(error, file).rstrip(".")
        raise UsageError(f"{file.flag}: {file.name} cannot be loaded: {complaint}.") from None
    finally:
        _being_loaded.discard(file.path)


def _run(file: OwnFile, module_name: str) -> ModuleType:
    module = ModuleType(module_name)
    module.__file__ = file.path
    # Dataclasses and pickle look up modules here.
    sys.modules[module_name] = module
    directory = str(Path(file.path).parent)
    if directory not in sys.path:
        # At the end: the file can import its neighbours, and they shadow nothing of ours.
        sys.path.append(directory)
    exec(compile(file.code, file.path, "exec"), module.__dict__)  # noqa: S102 - the user's own code
    return module


def describe_error(error: BaseException, file: OwnFile) -> str:
    """Return the error and its line in the file, on one line."""
    if isinstance(error, SyntaxError) and error.filename == file.path:
        return f"line {error.lineno}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file.path]
    said = " ".join(str(error).split())[:_LONGEST_COMPLAINT]
    # The text is stored as UTF-8.
    said = said.encode("utf-8", "replace").decode()
    where = f"line {lines[-1]}: " if lines else ""
    return f"{where}{type(error).__name__}" + (f": {said}" if said else "")
