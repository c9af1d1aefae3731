"""A block of memory that two of our processes share: bodies of pages are put in and taken out.

It has no name and belongs to those who have it open, so nothing is left behind by a kill. Measured
against pipes and sockets by bench/transport.py.
"""

import mmap
import os
import tempfile
from collections.abc import Sequence

BLOCK_BYTES = 2_000_000
Place = tuple[int, int]
"""Where a body lies: its first byte and its length."""


class SharedBlock:
    """One end of a block; `fd` is what the other process opens it by."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._memory = mmap.mmap(fd, BLOCK_BYTES)

    @classmethod
    def make(cls) -> "SharedBlock":
        """Make a block for a process yet to be started."""
        fd = os.memfd_create("bodies") if hasattr(os, "memfd_create") else _nameless_file()
        os.ftruncate(fd, BLOCK_BYTES)
        return cls(fd)

    def put(self, bodies: Sequence[bytes]) -> list[Place | None]:
        """Put bodies in, over those of the time before; None for each that does not fit."""
        places: list[Place | None] = []
        start = 0
        for body in bodies:
            end = start + len(body)
            if end > BLOCK_BYTES:
                places.append(None)
                continue
            self._memory[start:end] = body
            places.append((start, len(body)))
            start = end
        return places

    def take(self, place: Place) -> bytes:
        """Return a body that the other process has put in."""
        start, length = place
        return self._memory[start : start + length]

    def close(self) -> None:
        """Let go of the block; it is gone when the other process does so, too."""
        self._memory.close()
        os.close(self.fd)


def _nameless_file() -> int:
    """Return a file that no directory knows, for systems without files in memory."""
    fd, path = tempfile.mkstemp()
    os.unlink(path)
    return fd
