"""The memory that processes use, and the free space on a disk."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path


def resident_bytes(pids: Iterable[int]) -> int | None:
    """Return the total memory of these processes; None if the system does not say."""
    page_bytes = os.sysconf("SC_PAGE_SIZE")
    found = [pages for pid in pids if (pages := _resident_pages(pid)) is not None]
    return sum(found) * page_bytes if found else None


def _resident_pages(pid: int) -> int | None:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):  # the process has just ended, or this is not Linux
        return None


def free_bytes(directory: Path) -> int | None:
    """Return how much this user may still write on the disk of a directory; None if unknown."""
    try:
        return shutil.disk_usage(directory).free
    except OSError:
        return None
