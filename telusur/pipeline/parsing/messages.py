"""Messages between our own processes: a length, then a pickled record.

The record of a long message may lie in memory that both share; then only its length is sent.
"""

import contextlib
import copyreg
import fcntl
import os
import pickle
import socket
import stat
import struct
from dataclasses import fields
from operator import attrgetter
from typing import IO, TYPE_CHECKING, Any

# The child processes do without asyncio, which takes ten megabytes.
if TYPE_CHECKING:
    import asyncio

    from telusur.pipeline.parsing.shared_block import SharedBlock

_LENGTH = struct.Struct("<Q")
# Set in the length of a message that lies in the shared block.
_SHARED = 1 << 63
_PIECE_BYTES = 256 * 1024
PIPE_BYTES = 1 << 20


def send_flat(record: type[Any]) -> None:
    """Send records of a dataclass as their values, without the names of the fields.

    Both ends run the same code. It takes half the time to read, and less to write.
    """
    values_of = attrgetter(*(field.name for field in fields(record)))
    copyreg.pickle(record, lambda one: (record, values_of(one)))


def send(file: IO[bytes], message: Any, block: "SharedBlock | None" = None) -> None:
    """Write one message and flush it; with a block, it goes there if it fits."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    if block is not None and block.put([data])[0] is not None:
        file.write(_LENGTH.pack(len(data) | _SHARED))
    else:
        file.write(_LENGTH.pack(len(data)))
        file.write(data)
    file.flush()


def receive(file: IO[bytes]) -> Any:
    """Read one message; raises EOFError when the other side is gone."""
    head = file.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    return pickle.loads(file.read(length))  # noqa: S301 - the other end is our own process


async def send_async(writer: "asyncio.StreamWriter", message: Any) -> None:
    """Write one message to a child process."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    head = _LENGTH.pack(len(data))
    # One write: two would wake the other side twice.
    if len(data) <= _PIECE_BYTES:
        writer.write(head + data)
        await writer.drain()
        return
    writer.write(head)
    view = memoryview(data)
    # In pieces: asyncio would copy the whole message once more.
    for start in range(0, len(view), _PIECE_BYTES):
        writer.write(view[start : start + _PIECE_BYTES])
        await writer.drain()


async def receive_async(reader: "asyncio.StreamReader", block: "SharedBlock | None" = None) -> Any:
    """Read one message from a child process; raises `IncompleteReadError` when it is gone."""
    (length,) = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))
    if length & _SHARED and block is not None:
        with block.view((0, length & ~_SHARED)) as data:
            return pickle.loads(data)  # noqa: S301 - our own process
    return pickle.loads(await reader.readexactly(length))  # noqa: S301 - our own process


def widen(file: IO[bytes]) -> None:
    """Enlarge the buffer of a pipe or socket, as far as the system allows.

    One that is closed, because the process at its other end is gone, is left as it is.
    """
    with contextlib.suppress(OSError, ValueError):
        fd = file.fileno()
        if stat.S_ISSOCK(os.fstat(fd).st_mode):
            with socket.socket(fileno=os.dup(fd)) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIPE_BYTES)
        else:
            fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
