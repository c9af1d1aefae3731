"""The socket through which a crawl in another process is asked things: where it is, and asking."""

import contextlib
import json
import os
import socket
import tempfile
from pathlib import Path
from typing import Any

from telusur.adapters.sqlite_schema import storage_errors
from telusur.errors import CollectionError

SOCKET = "control.sock"
ELSEWHERE = "control.path"
"""Names the socket when the collection's own path is too long for one."""
LONGEST_PATH = 100
"""Bytes; systems allow 104 to 108 with the final zero."""
ANSWER_SECONDS = 10.0


def listen(directory: Path) -> socket.socket:
    """Open the socket of a collection whose lock we hold, for this user alone.

    What a killed crawl left behind is removed first.
    """
    remove(directory)
    path = directory / SOCKET
    if len(os.fsencode(path)) <= LONGEST_PATH:
        with contextlib.suppress(OSError):  # not every file system has sockets
            return _bind(path)
    with storage_errors(directory):
        path = Path(tempfile.mkdtemp(prefix="telusur-")) / SOCKET
        listener = _bind(path)
        (directory / ELSEWHERE).write_text(str(path), encoding="utf-8")
    return listener


def _bind(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with contextlib.suppress(OSError):
            os.fchmod(listener.fileno(), 0o600)  # on Linux the file is born with these rights
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def remove(directory: Path) -> None:
    """Take the socket away; only the owner of the collection may do so."""
    elsewhere = _elsewhere(directory)
    if elsewhere is not None and elsewhere.name == SOCKET:
        with contextlib.suppress(OSError):
            elsewhere.unlink(missing_ok=True)
            elsewhere.parent.rmdir()
    for name in (SOCKET, ELSEWHERE):
        with contextlib.suppress(OSError):
            (directory / name).unlink(missing_ok=True)


def _elsewhere(directory: Path) -> Path | None:
    try:
        return Path((directory / ELSEWHERE).read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return None


def ask(directory: Path, wish: str, **more: Any) -> dict[str, Any] | None:
    """Send one wish to the crawl that runs in a collection; None when none answers."""
    path = _elsewhere(directory) or directory / SOCKET
    if len(os.fsencode(path)) > LONGEST_PATH:
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
            f"{directory}: only the user who started the crawl may ask it."
        ) from None
    except (OSError, ValueError):  # nobody listens, or it ended while we asked
        return None
    return answer if isinstance(answer, dict) else None
