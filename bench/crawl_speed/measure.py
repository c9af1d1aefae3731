"""What a program costs: CPU seconds of all its processes, wall time, peak memory."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLE_SECONDS = 0.2


@dataclass(slots=True, frozen=True)
class Cost:
    """One run of a program and the processes it started."""

    exit_code: int
    cpu_seconds: float
    wall_seconds: float
    peak_mb: float
    timed_out: bool


def measure(command: Sequence[str], log: Path, limit_seconds: float) -> Cost:
    """Run a command in a session of its own; its whole group is ended at the time limit."""
    with log.open("wb") as output:
        started = time.monotonic()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
        watcher = _Watcher(process.pid, started + limit_seconds)
        watcher.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:  # Ctrl-C: nobody else would end a session of its own
            os.killpg(process.pid, signal.SIGKILL)
            raise
        wall = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        watcher.over.set()
        watcher.join()
    # The usage of a process counts the children it has waited for, as all contestants do.
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(process.returncode, cpu, wall, watcher.peak_mb, watcher.timed_out)


class _Watcher(threading.Thread):
    """Samples the memory of a session and ends it when its time is over."""

    def __init__(self, session: int, deadline: float) -> None:
        super().__init__(daemon=True)
        self._session = session
        self._deadline = deadline
        self.over = threading.Event()
        self.peak_mb = 0.0
        self.timed_out = False

    def run(self) -> None:
        """Look five times a second until the session is over."""
        while not self.over.wait(SAMPLE_SECONDS):
            kilobytes = sum(_resident_kilobytes(pid) for pid in _processes_of(self._session))
            self.peak_mb = max(self.peak_mb, kilobytes / 1000)
            if time.monotonic() > self._deadline and not self.timed_out:
                self.timed_out = True
                os.killpg(self._session, signal.SIGKILL)


def _processes_of(session: int) -> list[int]:
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                found.append(int(entry.name))
    return found


def _resident_kilobytes(pid: int) -> int:
    """Return the proportional set size: shared pages count once, divided among their users."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
