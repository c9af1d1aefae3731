"""The processes of one browser: find them by a mark on the command line, measure, end them."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PROCESSES = Path("/proc")


def find_marked(mark: str) -> int | None:
    """Return the process that was started with this argument; None if the system does not say.

    Chromium's child processes do not inherit unknown arguments.
    """
    wanted = mark.encode()
    for pid in _all_pids():
        with suppress(OSError):
            arguments = (_PROCESSES / str(pid) / "cmdline").read_bytes().split(b"\0")
            if wanted in arguments:
                return pid
    return None


def group_of(leader: int) -> list[int]:
    """Return the processes of the group of a browser: itself and all it has started."""
    return [pid for pid in _all_pids() if _stat(pid)[4:5] == [str(leader)]]


def parent_of(pid: int) -> int | None:
    """Return the parent of a process."""
    fields = _stat(pid)
    return int(fields[3]) if len(fields) > 3 else None


def is_running(pid: int) -> bool:
    """Tell whether a process is running and not a zombie."""
    return _stat(pid)[2:3] not in ([], ["Z"], ["X"])


def private_bytes(pids: list[int]) -> int:
    """Return the private memory of these processes."""
    pages = 0
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            numbers = (_PROCESSES / str(pid) / "statm").read_text().split()
            pages += int(numbers[1]) - int(numbers[2])
    return pages * os.sysconf("SC_PAGE_SIZE")


def end_group(leader: int) -> None:
    """End a browser at once, with all it has started."""
    with suppress(ProcessLookupError, PermissionError):
        if os.getpgid(leader) == leader:
            os.killpg(leader, signal.SIGKILL)
        else:
            os.kill(leader, signal.SIGKILL)


def _all_pids() -> Iterator[int]:
    with suppress(OSError):
        for name in os.listdir(_PROCESSES):
            if name.isdecimal():
                yield int(name)


def _stat(pid: int) -> list[str]:
    """Return the fields of a process; its name, the second, may contain spaces and is left
    empty."""
    try:
        text = (_PROCESSES / str(pid) / "stat").read_text()
    except OSError:
        return []
    number, _, rest = text.partition(" (")
    return [number, "", *rest.rpartition(") ")[2].split()]
