"""Tries mutated inputs on every parser of foreign bytes, with sanitizers: `make fuzz SECONDS=60`.

The time is shared evenly by all targets. An input on which one crashes, hangs or raises what it
must not is kept, its path is printed, and the exit code is 1.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from hashlib import blake2b
from pathlib import Path

from tests.fuzz import build
from tests.fuzz.targets import TARGETS

FOUND = build.BUILD / "found"
JOBS = 2


def main() -> int:
    """Run as `python -m tests.fuzz [--seconds N] [--seed TEXT] [TARGET ...]`."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for all targets together")
    parser.add_argument("--seed", default=f"{time.time_ns():x}", help="to repeat a run")
    parser.add_argument("--input", type=Path, help="try this file alone, on one target")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    options = parser.parse_args()
    names = options.targets or [name for name in TARGETS if name != "planted"]
    unknown = [name for name in names if name not in TARGETS]
    if unknown:
        parser.error(f"there is no target {unknown[0]}; there are {', '.join(TARGETS)}")
    try:
        if names != ["planted"]:
            build.build()
        environment = build.environment()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"The compiled part cannot be built with sanitizers: {error}", file=sys.stderr)
        return 2
    if options.input is not None:
        return try_input(names[0], options.input)
    jobs = max(1, min(JOBS, os.cpu_count() or 1, len(names)))
    seconds = options.seconds * jobs / len(names)
    print(f"seed {options.seed}, {len(names)} targets, {seconds:.1f} s each", flush=True)
    workers = [Worker(names[n::jobs], seconds, options.seed, environment) for n in range(jobs)]
    while sum(worker.go_on() for worker in workers):  # all of them, each time
        time.sleep(0.2)
    found = [path for worker in workers for path in worker.found]
    for path in found:
        print(f"FAILED {path}")
    print(f"{len(found)} failures")
    return 1 if found else 0


def try_input(name: str, path: Path) -> int:
    """Try one file on one target; what goes wrong is seen."""
    code = (
        "import sys; from tests.fuzz import build; build.use()\n"
        "from tests.fuzz.targets import TARGETS\n"
        "TARGETS[sys.argv[1]](open(sys.argv[2], 'rb').read())"
    )
    environment = {**os.environ, **build.environment()}
    command = [sys.executable, "-c", code, name, str(path)]
    return subprocess.run(command, env=environment, check=False).returncode


class Worker:
    """Keeps a process at work on its share of the targets; one that fails is left behind."""

    def __init__(self, names: list[str], seconds: float, seed: str, env: dict[str, str]) -> None:
        self._names, self._seconds, self._seed = list(names), seconds, seed
        self._environment = {**os.environ, **env}
        self._place = Path(tempfile.mkdtemp(prefix="telusur-fuzz-"))
        self._process: subprocess.Popen[bytes] | None = None
        self.found: list[Path] = []

    def go_on(self) -> bool:
        """Start the process if there is something to do; tell whether there still is."""
        if self._process is None:
            if not self._names:
                return False
            command = [sys.executable, "-m", "tests.fuzz.child", str(self._place), self._seed]
            self._process = subprocess.Popen(
                [*command, str(self._seconds), *self._names],
                env=self._environment, cwd=build.ROOT,
            )  # fmt: skip
        code = self._process.poll()
        if code is None:
            return True
        self._process = None
        if code == 0:
            self._names = []
        else:
            self._keep(code)
        return bool(self._names)

    def _keep(self, code: int) -> None:
        """Keep the input that was under way, and go on with the targets behind."""
        target = self._place / "target"
        name = target.read_text() if target.exists() else self._names[0]
        data = (self._place / "input").read_bytes() if target.exists() else b""
        FOUND.mkdir(parents=True, exist_ok=True)
        path = FOUND / f"{name}-{blake2b(data, digest_size=6).hexdigest()}"
        path.write_bytes(data)
        self.found.append(path)
        print(f"{name}: exit code {code}; the input is kept as {path}", flush=True)
        self._names = self._names[self._names.index(name) + 1 :]
        target.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
