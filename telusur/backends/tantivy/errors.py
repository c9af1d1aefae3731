"""Turns errors of tantivy into one clear sentence about the index."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from telusur.backends.files.rights import cannot_read
from telusur.backends.tantivy.reading import is_unreadable
from telusur.errors import CollectionError, StorageError, TelusurError


class _Errors(ABC):
    """A `with` block around tantivy; entered ten times per search, so it has almost no state."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Raise our own error if tantivy failed."""
        if error is not None and is_of_tantivy(error):
            raise self._meaning(error) from error

    @abstractmethod
    def _meaning(self, error: BaseException) -> TelusurError:
        """Return our error for a failure of tantivy."""


class ReadingErrors(_Errors):
    """A `with` block in which an index is read."""

    def _meaning(self, error: BaseException) -> TelusurError:
        if is_unreadable(error):
            return CollectionError(cannot_read(self._directory))
        return CollectionError(
            f"The index {self._directory} is damaged ({_first_line(error)}); "
            "delete this directory, and it is rebuilt from the crawled pages."
        )


class WritingErrors(_Errors):
    """A `with` block in which an index is written; `failed` is called if tantivy fails."""

    def __init__(self, directory: Path, failed: Callable[[], None]) -> None:
        super().__init__(directory)
        self._failed = failed

    def _meaning(self, error: BaseException) -> TelusurError:
        self._failed()
        return StorageError(cannot_write(self._directory, error))


def is_of_tantivy(error: BaseException) -> bool:
    """Tell whether tantivy failed; its panics are not subclasses of `Exception`."""
    return isinstance(error, (OSError, ValueError)) or type(error).__name__ == "PanicException"


def cannot_write(directory: Path, error: BaseException) -> str:
    """Return the sentence about an index that cannot be written."""
    return (
        f"Cannot write the index {directory} ({_first_line(error)}); is the disk full? "
        "Everything committed before is kept."
    )


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
