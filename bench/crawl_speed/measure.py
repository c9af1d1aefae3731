"""What a program costs: CPU seconds of all its processes, wall time, peak memory."""

import os
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

SAMPLE_SECONDS = 0.2
OWNER = "owner"
_TICKS = os.sysconf("SC_CLK_TCK")
_MODULE = re.compile(rb"\0telusur(?:\.\w+)*\.(\w+)\0")


@dataclass(slots=True, frozen=True)
class Cost:
    """One run of a program and the processes it started."""

    exit_code: int
    cpu_seconds: float
    wall_seconds: float
    peak_mb: float
    timed_out: bool
    # CPU seconds by what a process does: the owner that was started, its parsers, its indexer.
    split: Mapping[str, float] = field(default_factory=dict)


def measure(command: Sequence[str], log: Path, limit_seconds: float) -> Cost:
    """Run a command in a session of its own; its whole group is ended at the time limit."""
    with log.open("wb") as output:
        started = time.monotonic()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True, env=installed_environment(),
        )  # fmt: skip
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
    split = watcher.split(process.pid, cpu)
    return Cost(process.returncode, cpu, wall, watcher.peak_mb, watcher.timed_out, split)


def installed_environment() -> dict[str, str]:
    """Return the environment of a program that was installed: its modules stay compiled.

    Without this, a checkout would compile its modules at each start of each process, where this
    variable is set, and the installed peers would not.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class _Watcher(threading.Thread):
    """Samples memory and CPU of a session and ends it when its time is over."""

    def __init__(self, session: int, deadline: float) -> None:
        super().__init__(daemon=True)
        self._session = session
        self._deadline = deadline
        self.over = threading.Event()
        self.peak_mb = 0.0
        self.timed_out = False
        self._cpu: dict[int, float] = {}
        self._roles: dict[int, str] = {}

    def split(self, owner: int, total: float) -> dict[str, float]:
        """Return the CPU seconds of each role; what no sample saw of a child is the owner's."""
        by_role: Counter[str] = Counter()
        for pid, seconds in self._cpu.items():
            if pid != owner:
                by_role[self._roles[pid]] += seconds
        return {OWNER: total - by_role.total(), **by_role}

    def run(self) -> None:
        """Look five times a second until the session is over."""
        while not self.over.wait(SAMPLE_SECONDS):
            kilobytes = 0
            for pid, seconds in processes_of(self._session):
                kilobytes += _resident_kilobytes(pid)
                self._cpu[pid] = seconds  # those that are gone keep what they had
                self._roles.setdefault(pid, _role_of(pid))
            self.peak_mb = max(self.peak_mb, kilobytes / 1000)
            if time.monotonic() > self._deadline and not self.timed_out:
                self.timed_out = True
                os.killpg(self._session, signal.SIGKILL)


def processes_of(session: int) -> Iterator[tuple[int, float]]:
    """Walk over the processes of a session with the CPU seconds of each."""
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session:
                yield int(entry.name), (int(fields[11]) + int(fields[12])) / _TICKS


def _role_of(pid: int) -> str:
    """Return the module of ours that a process runs, without its package."""
    try:
        match = _MODULE.search(Path(f"/proc/{pid}/cmdline").read_bytes())
    except OSError:
        return "other"
    return match[1].decode() if match else "other"


def _resident_kilobytes(pid: int) -> int:
    """Return the proportional set size: shared pages count once, divided among their users."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0
