"""Returns the memory of large pages to the system as soon as they are done."""

import ctypes
import gc
import time
from collections.abc import Callable
from contextlib import suppress

_M_TRIM_THRESHOLD = -1
_M_ARENA_MAX = -8
_M_MMAP_THRESHOLD = -3
_LARGE_BYTES = 512 * 1024
# Free memory that is kept: returning and requesting it for every page costs as much as a page.
_SPARE_BYTES = 2 * 1024 * 1024
_MOST_NEW_OBJECTS = 20_000
# Returning small pieces this often takes less than a thousandth of a process's time.
_TIDY_SECONDS = 2.0


def return_large_blocks() -> None:
    """Make the C library allocate large blocks separately, and return them when freed.

    By default glibc raises this threshold up to 32 MB with the first large block it frees, and then
    keeps the holes that such blocks leave. Other systems are unchanged.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE_BYTES)
        library.mallopt(_M_TRIM_THRESHOLD, _SPARE_BYTES)
        library.mallopt(_M_ARENA_MAX, 1)  # otherwise each thread keeps its own free memory


def return_free_memory() -> None:
    """Return memory that was freed in small pieces; worth its milliseconds after a huge page."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


class FreedMemory:
    """Returns memory that was freed in small pieces every few seconds.

    Blocks in use lie between the freed ones, so that a process that always allocates and frees
    keeps a third more than it uses.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._returned_at = clock()

    def give_back(self) -> None:
        """Return it if that is due."""
        now = self._clock()
        if now - self._returned_at >= _TIDY_SECONDS:
            return_free_memory()
            self._returned_at = now


def seek_garbage_seldom() -> None:
    """Exclude current objects from Python's garbage collection, and make it rare.

    For worker processes with many small records, which are freed before a collection meets them.
    """
    gc.freeze()
    gc.set_threshold(_MOST_NEW_OBJECTS, *gc.get_threshold()[1:])
