"""Memory shared by two of our processes, for the bodies of pages and for what was read in them.

Only one batch is under way: once a parser has taken its pages, their place is free for the answers.

It has no name and is freed with the last process that has it open, so a kill leaves nothing behind.
bench/transport.py compares it with pipes and sockets.
"""

import mmap
import os
import tempfile
from collections.abc import Sequence

BLOCK_BYTES = 2_000_000
# The position of a body: first byte and length.
Place = tuple[int, int]


class SharedBlock:
    """One end of a block; the other process opens it by `fd`."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._memory = mmap.mmap(fd, BLOCK_BYTES)

    @classmethod
    def make(cls) -> "SharedBlock":
        """Make a block for a process that is about to start."""
        fd = os.memfd_create("bodies") if hasattr(os, "memfd_create") else _nameless_file()
        os.ftruncate(fd, BLOCK_BYTES)
        return cls(fd)

    def put(self, bodies: Sequence[bytes]) -> list[Place | None]:
        """Write bodies over the previous ones; None for each that does not fit."""
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
        """Return a body that the other process wrote."""
        start, length = place
        return self._memory[start : start + length]

    def view(self, place: Place) -> memoryview:
        """Return a body in place, to be read at once and released."""
        start, length = place
        return memoryview(self._memory)[start : start + length]

    def close(self) -> None:
        """Close this end; the memory is freed when both ends are closed."""
        self._memory.close()
        os.close(self.fd)


def _nameless_file() -> int:
    """Return an unlinked file, for systems without files in memory."""
    fd, path = tempfile.mkstemp()
    os.unlink(path)
    return fd
