"""A child process that extracts one body after the other and tells what each cost.

The parent (`Child`) ends and replaces it when it hangs or dies; a body can spoil only its own row.
"""

import json
import pickle
import resource
import select
import struct
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

HANGS_SECONDS = 120
MOST_ADDRESS_SPACE = 4 << 30  # protects the machine, not the limit that is measured
_LENGTH = struct.Struct(">Q")


@dataclass(slots=True, frozen=True)
class Measured:
    """What one body cost, and what went wrong, if anything did."""

    seconds: float
    megabytes: float
    trouble: str = ""


class Child:
    """The parent's side: `read` gives a body to the child and returns what it measured."""

    def __init__(self) -> None:
        self._process = self._start()

    def read(self, body: bytes, url: str, content_type: str) -> Measured:
        """Let the child extract one body."""
        message = pickle.dumps((body, url, content_type))
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(_LENGTH.pack(len(message)) + message)
            self._process.stdin.flush()
        except OSError:
            return self._replace("died before it read this body")
        ready, _, _ = select.select([self._process.stdout], [], [], HANGS_SECONDS)
        if not ready:
            return self._replace(f"no answer within {HANGS_SECONDS} s")
        line = self._process.stdout.readline()
        return Measured(**json.loads(line)) if line else self._replace("the process died")

    def _replace(self, trouble: str) -> Measured:
        self._end()
        code = self._process.returncode
        self._process = self._start()
        return Measured(0.0, 0.0, f"{trouble} (exit code {code})")

    def _end(self) -> None:
        self._process.kill()
        self._process.communicate()

    @staticmethod
    def _start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()


def serve() -> None:
    """The child's side: read bodies until there are no more."""
    import telusur

    telusur.extract("<title>First</title><p>What is loaded late is loaded now.")
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESS_SPACE, MOST_ADDRESS_SPACE))
    while head := sys.stdin.buffer.read(_LENGTH.size):
        message = sys.stdin.buffer.read(_LENGTH.unpack(head)[0])
        body, url, content_type = pickle.loads(message)
        del message
        forget_peak()
        trouble = ""
        started = time.process_time()
        try:
            telusur.extract(body, url, content_type=content_type)
        except BaseException as error:
            trouble = f"{type(error).__name__}: {error}"[:300]
        seconds = time.process_time() - started
        print(json.dumps({"seconds": seconds, "megabytes": peak_mb(), "trouble": trouble}),
              flush=True)  # fmt: skip


def forget_peak() -> None:
    """Start the kernel's account of peak memory anew (Linux; elsewhere the peak is for all)."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_mb() -> float:
    """Return the most memory this process has had, since `forget_peak` where that works."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    line = next(one for one in status.splitlines() if one.startswith("VmHWM:"))
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    serve()
