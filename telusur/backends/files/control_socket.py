"""The socket that takes requests to a crawl in another process."""

import contextlib
import json
import os
import socket
import stat
import tempfile
from pathlib import Path
from typing import Any

from telusur.backends.files.private import open_private, write_whole
from telusur.backends.sqlite.database.schema import storage_errors
from telusur.errors import CollectionError

SOCKET = "control.sock"
# Names the socket when the collection's own path is too long for one.
ELSEWHERE = "control.path"
# Bytes; systems allow 104 to 108 with the final zero.
LONGEST_PATH = 100
ANSWER_SECONDS = 10.0
_MOST_OF_PATH = 4096


def listen(directory: Path) -> socket.socket:
    """Open the socket of a collection whose lock we hold, for this user alone.

    What a killed crawl left behind is removed first.
    """
    remove(directory)
    path = directory / SOCKET
    if len(os.fsencode(path)) <= LONGEST_PATH:
        # Not every file system has sockets.
        with contextlib.suppress(OSError):
            return _bind(path)
    with storage_errors(directory):
        path = Path(tempfile.mkdtemp(prefix=_prefix_of(directory))) / SOCKET
        listener = _bind(path)
        write_whole(directory / ELSEWHERE, str(path))
    return listener


def _bind(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with contextlib.suppress(OSError):
            # On Linux the file is created with these permissions.
            os.fchmod(listener.fileno(), 0o600)
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def remove(directory: Path) -> None:
    """Remove the socket; only the owner of the collection may do so."""
    elsewhere = _elsewhere(directory)
    if elsewhere is not None:
        with contextlib.suppress(OSError):
            elsewhere.unlink(missing_ok=True)
            elsewhere.parent.rmdir()
    for name in (SOCKET, ELSEWHERE):
        with contextlib.suppress(OSError):
            (directory / name).unlink(missing_ok=True)


def _prefix_of(directory: Path) -> str:
    """Return how the path of a socket for this directory begins."""
    found = directory.stat()
    return f"telusur-{found.st_dev:x}-{found.st_ino:x}-"


def _elsewhere(directory: Path) -> Path | None:
    """Return the socket that the collection names, if we made it for this collection.

    A collection may come from somebody else, and name any socket, or any file to be removed.
    """
    try:
        with open_private(directory / ELSEWHERE, "r", encoding="utf-8") as file:
            path = Path(file.read(_MOST_OF_PATH).strip())
        folder = path.parent.lstat()
        is_ours = folder.st_uid == os.geteuid() and stat.S_ISDIR(folder.st_mode)
        is_private = not folder.st_mode & 0o077
        is_made_for_it = path.parent.name.startswith(_prefix_of(directory))
    except (OSError, ValueError, CollectionError):
        return None
    is_place = path.is_absolute() and path.name == SOCKET and is_made_for_it
    return path if is_place and is_ours and is_private and _is_socket(path) else None


def _is_socket(path: Path) -> bool:
    """Tell whether there is a socket, and not a link to one."""
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except OSError:
        return False


def ask(directory: Path, wish: str, **more: Any) -> dict[str, Any] | None:
    """Send a request to the running crawl of a collection; None if none answers."""
    path = _elsewhere(directory) or directory / SOCKET
    if len(os.fsencode(path)) > LONGEST_PATH or not _is_socket(path):
        return None
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(ANSWER_SECONDS)
            connection.connect(str(path))
            connection.sendall(json.dumps({"do": wish, **more}).encode() + b"\n")
            with connection.makefile("rb") as lines:
                answer = json.loads(lines.readline() or b"null")
    except TimeoutError:
        raise CollectionError(
            f"{directory}: the crawl did not answer within {ANSWER_SECONDS:g} s; try again."
        ) from None
    except PermissionError:
        raise CollectionError(
            f"{directory}: only the user who started the crawl may control it."
        ) from None
    # Nobody listens, or the crawl ended during the request.
    except (OSError, ValueError):
        return None
    return answer if isinstance(answer, dict) else None
