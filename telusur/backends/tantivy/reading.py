"""Opening an index for reading, also where no lock file may be created.

tantivy reads under a lock that keeps the writer from deleting files meanwhile, and makes a file
for it. Where it may not, the index is opened through links to its files in a temporary directory:
docs/decisions/0051-read-only.md.
"""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from telusur.backends.files.rights import is_refused, is_utf8, may_write
from telusur.errors import StorageError

META = "meta.json"
_LOCK = ".tantivy-meta.lock"
_TRIES = 5


class OpenIndex(NamedTuple):
    """An index as of its last commit."""

    index: Any
    searcher: Any
    # False: a later commit is seen only by opening the index again.
    can_reload: bool


def open_index(directory: Path) -> OpenIndex:
    """Open the index for reading."""
    if is_utf8(directory) and _may_lock(directory):
        return OpenIndex(*_open(directory), can_reload=True)
    for _ in range(_TRIES - 1):
        before = (directory / META).read_bytes()
        try:
            return OpenIndex(*_open_through_links(directory), can_reload=False)
        # Without the lock the writer may have deleted a file just now.
        except ValueError:
            if (directory / META).read_bytes() == before:
                raise
    return OpenIndex(*_open_through_links(directory), can_reload=False)


def _may_lock(directory: Path) -> bool:
    lock = directory / _LOCK
    return may_write(lock if lock.exists() else directory)


def _open(directory: Path) -> tuple[Any, Any]:
    # Imported late: most processes of a crawl never open an index.
    import tantivy

    index = tantivy.Index.open(str(directory))
    index.config_reader("manual")
    index.reload()
    return index, index.searcher()


def _open_through_links(directory: Path) -> tuple[Any, Any]:
    """Open an index through links; its files stay open after the links are removed."""
    try:
        # Tantivy may leave a lock file there while the directory is being removed.
        links = tempfile.TemporaryDirectory(prefix="telusur-", ignore_cleanup_errors=True)
    except OSError as error:
        raise StorageError(
            f"{directory} is read-only, and reading it needs a temporary directory "
            f"({error.strerror}); name one that may be written in TMPDIR."
        ) from None
    with links as name:
        for path in directory.resolve().iterdir():
            if not path.name.endswith(".lock"):
                (Path(name) / path.name).symlink_to(path)
        return _open(Path(name))


def is_unreadable(error: BaseException) -> bool:
    """Tell whether permissions are missing; tantivy says so only in its message."""
    refused = isinstance(error, OSError) and is_refused(error)
    return refused or "PermissionDenied" in str(error)
