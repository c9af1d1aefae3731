"""How a page's bytes get from the scouter to a parser: `python bench/transport.py`.

Batches of real size go to another process and back comes a short answer, over each of the ways that
Python offers without a dependency. CPU of both processes, the mean of many pages; the ways take
turns, and the best of some rounds counts.
"""

import argparse
import os
import pickle
import socket
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing import shared_memory
from pathlib import Path

BATCH = 16
_LENGTH = struct.Struct("<Q")
Batch = Sequence[tuple[str, bytes]]


class Line:
    """A pair of pipes or sockets to a child that answers each message with the bytes it counted."""

    def __init__(self, is_socket: bool, read: Callable[[bytes], int]) -> None:
        ours, theirs = _sockets() if is_socket else _pipes()
        self._read_fd, self._write_fd = ours
        self._child = os.fork()
        if self._child == 0:
            for fd in set(ours):
                os.close(fd)
            _answer(*theirs, read)
            os._exit(0)
        for fd in set(theirs):
            os.close(fd)

    def ask(self, message: bytes) -> int:
        """Send one message and wait for the answer."""
        _write(self._write_fd, _LENGTH.pack(len(message)) + message)
        (answer,) = _LENGTH.unpack(_read(self._read_fd, _LENGTH.size))
        return int(answer)

    def close(self) -> float:
        """End the child; return the CPU seconds it needed."""
        os.close(self._write_fd)
        if self._read_fd != self._write_fd:
            os.close(self._read_fd)
        _, _, usage = os.wait4(self._child, 0)
        return usage.ru_utime + usage.ru_stime


def _pipes() -> tuple[tuple[int, int], tuple[int, int]]:
    there_read, there_write = os.pipe()
    back_read, back_write = os.pipe()
    return (back_read, there_write), (there_read, back_write)


def _sockets() -> tuple[tuple[int, int], tuple[int, int]]:
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    one, other = ours.detach(), theirs.detach()
    return (one, one), (other, other)


def _answer(read_fd: int, write_fd: int, read: Callable[[bytes], int]) -> None:
    while head := _read(read_fd, _LENGTH.size):
        (length,) = _LENGTH.unpack(head)
        _write(write_fd, _LENGTH.pack(read(_read(read_fd, length))))


def _read(fd: int, length: int) -> bytes:
    pieces = []
    while length > 0 and (piece := os.read(fd, length)):
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


# The ways: how a batch is packed, and how the child counts its bytes.


def pickled(batch: Batch) -> bytes:
    """Return everything in one pickle, as Telusur sends it."""
    return pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)


def count_pickled(message: bytes) -> int:
    """Count what a pickle holds."""
    return sum(len(body) for _, body in pickle.loads(message))


def framed(batch: Batch) -> bytes:
    """Return a small pickle of lengths, and the bodies as they are."""
    head = pickle.dumps([(url, len(body)) for url, body in batch], pickle.HIGHEST_PROTOCOL)
    return b"".join((_LENGTH.pack(len(head)), head, *(body for _, body in batch)))


def count_framed(message: bytes) -> int:
    """Cut the bodies out of a message, and count."""
    (length,) = _LENGTH.unpack_from(message)
    at = _LENGTH.size + length
    total = 0
    for _, size in pickle.loads(message[_LENGTH.size : at]):
        total += len(message[at : at + size])
        at += size
    return total


class Shared:
    """Bodies in a block of shared memory, only their places in the message."""

    def __init__(self, size: int) -> None:
        self._block = shared_memory.SharedMemory(create=True, size=size)

    def pack(self, batch: Batch) -> bytes:
        """Copy the bodies into the block; one batch is under way at a time."""
        places, at = [], 0
        for url, body in batch:
            self._block.buf[at : at + len(body)] = body
            places.append((url, at, len(body)))
            at += len(body)
        return pickle.dumps(places, pickle.HIGHEST_PROTOCOL)

    def count(self, message: bytes) -> int:
        """Copy the bodies out of the block, as a parser must, and count."""
        places = pickle.loads(message)
        return sum(len(bytes(self._block.buf[at : at + size])) for _, at, size in places)

    def close(self) -> None:
        """Give the block back."""
        self._block.close()
        self._block.unlink()


def in_files(directory: Path) -> Callable[[Batch], bytes]:
    """Return a way over files in memory: each body is written, and its path sent."""

    def pack(batch: Batch) -> bytes:
        for number, (_, body) in enumerate(batch):
            (directory / str(number)).write_bytes(body)
        names = [(url, str(directory / str(number))) for number, (url, _) in enumerate(batch)]
        return pickle.dumps(names, pickle.HIGHEST_PROTOCOL)

    return pack


def count_files(message: bytes) -> int:
    """Read the files, and count."""
    paths = pickle.loads(message)
    return sum(len(Path(path).read_bytes()) for _, path in paths)


def measure(
    batches: Sequence[Batch],
    is_socket: bool,
    pack: Callable[[Batch], bytes],
    count: Callable[[bytes], int],
) -> float:
    """Return CPU microseconds a page, of both processes."""
    line = Line(is_socket, count)
    started = time.process_time()
    for batch in batches:
        if line.ask(pack(batch)) != sum(len(body) for _, body in batch):
            raise SystemExit("bytes were lost on the way")
    cpu = time.process_time() - started + line.close()
    return 1e6 * cpu / sum(map(len, batches))


def main() -> int:
    """Measure each way in turn, and print a table."""
    parser = argparse.ArgumentParser(prog="transport", description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--bytes", type=int, default=22_000, help="size of a page")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    batch = [(f"http://host.example/{n}", os.urandom(options.bytes)) for n in range(BATCH)]
    batches = [batch] * (options.pages // BATCH)
    shared = Shared(BATCH * options.bytes)
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        ways = {
            "sockets, one pickle (ours)": (True, pickled, count_pickled),
            "sockets, bodies unpickled": (True, framed, count_framed),
            "pipes, one pickle": (False, pickled, count_pickled),
            "shared memory": (True, shared.pack, shared.count),
            "files in memory": (True, in_files(Path(name)), count_files),
        }
        for _ in range(options.rounds):
            for title, way in ways.items():
                best[title] = min(best.get(title, float("inf")), measure(batches, *way))
    shared.close()
    for title, microseconds in best.items():
        print(f"{title:28} {microseconds:6.1f} us of CPU a page")
    return 0


if __name__ == "__main__":
    sys.exit(main())
