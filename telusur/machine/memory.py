"""Memory of large pages goes back to the system as soon as they are done with."""

import ctypes
import gc
from contextlib import suppress

_M_TRIM_THRESHOLD = -1
_M_ARENA_MAX = -8
_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 512 * 1024
_SPARE_BYTES = 2 * 1024 * 1024
"""Free memory that is kept: giving back and asking again for every page costs as much as a page."""
_MOST_NEW_OBJECTS = 20_000


def return_large_blocks() -> None:
    """Ask the C library to keep large blocks apart, and to give them back when they are freed.

    By default glibc moves this limit up to 32 MB with the first large block it frees, and then
    keeps the holes that such blocks leave. Other systems are left as they are.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        library.mallopt(_M_TRIM_THRESHOLD, _SPARE_BYTES)
        library.mallopt(_M_ARENA_MAX, 1)  # each thread would keep free memory of its own


def return_free_memory() -> None:
    """Give back what was freed in small pieces; worth its milliseconds after a huge page."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def seek_garbage_seldom() -> None:
    """Leave what is alive now out of Python's search for dead cycles, and let it be rare.

    For a process of our own that works on many small records: they are gone before they are met.
    """
    gc.freeze()
    gc.set_threshold(_MOST_NEW_OBJECTS, *gc.get_threshold()[1:])
