"""Files of a collection: private to their owner, and never written through a link.

A collection may come from somebody else, and pages crawled with credentials are not for everybody
on the machine. So new files have mode 0600 and new directories 0700, whatever the umask, which is
not changed: it belongs to the whole process, which may be another program.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from telusur.errors import CollectionError

FILE_MODE = 0o600
DIRECTORY_MODE = 0o700
_ARCHIVE_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.warc\.gz")


def open_private(path: Path, mode: str, **more: Any) -> IO[Any]:
    """Open a file like `open`; a new one is private to its owner, and a link is refused."""
    return open(path, mode, opener=_open, **more)


def _open(path: str, flags: int) -> int:
    try:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise CollectionError(_link_found(Path(path))) from None
        raise


def write_whole(path: Path, data: str | bytes, half_made: Path | None = None) -> None:
    """Replace a file; a kill leaves the old one."""
    half_made = half_made or path.with_suffix(".new")
    content = data if isinstance(data, bytes) else data.encode("utf-8")
    with open_private(half_made, "wb") as file:
        file.write(content)
    os.replace(half_made, path)


def make_directory(path: Path, *, parents: bool = False) -> None:
    """Make a directory that is private to its owner; an existing one keeps its mode."""
    path.mkdir(DIRECTORY_MODE, parents=parents, exist_ok=True)


def keep_private(directory: Path) -> None:
    """Make files private that a library created with the umask of the process."""
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                mode = stat.S_IMODE(entry.stat(follow_symlinks=False).st_mode)
                if mode & 0o077:
                    os.chmod(entry.path, mode & ~0o077, follow_symlinks=False)


def archive_file(archive: Path, name: str) -> Path:
    """Return the path of a file of the archive; a name that leads elsewhere is refused."""
    if not _ARCHIVE_FILE.fullmatch(name):
        raise CollectionError(f"{archive}: {name[:100]!r} is not a file name of an archive.")
    return archive / name


def check_entries(directory: Path, *, deep: bool = True) -> None:
    """Refuse a collection with links to other places, or with entries that are not files.

    The collection's own directory may be a link: that is its owner's choice.
    """
    for entry in _entries(directory, deep=deep):
        if entry.is_symlink():
            raise CollectionError(_link_found(Path(entry.path)))
        try:
            kind = entry.stat(follow_symlinks=False).st_mode
        # Gone meanwhile: a crawl may be writing.
        except OSError:
            continue
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind) or stat.S_ISSOCK(kind)):
            raise CollectionError(
                f"{entry.path}: this is not a file, and does not belong in a collection."
            )


def _entries(directory: Path, *, deep: bool) -> "Iterator[os.DirEntry[str]]":
    try:
        with os.scandir(directory) as entries:
            found = list(entries)
    # Opening it reports the error.
    except OSError:
        return
    yield from found
    for entry in found if deep else ():
        if entry.is_dir(follow_symlinks=False):
            yield from _entries(Path(entry.path), deep=True)


def _link_found(path: Path) -> str:
    return (
        f"{path}: this is a symbolic link, and a collection has none: it could lead anywhere. "
        "Remove it, or put the whole collection on the other disk."
    )
