"""What each extractor said about each page: asked once, then kept in the cache."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.extraction.contestants import PEERS, Contestant, make_peers, reader_hash, versions
from bench.extraction.sets import KEY_AT, PageSet

HERE = Path(__file__).parent
Answer = dict[str, Any]


@dataclass(slots=True, frozen=True)
class Asked:
    """An extractor, its answers' directory, which its version names, and how it is run."""

    name: str
    python: Path
    directory: Path
    page_seconds: float = 20
    # A worker that does nothing is ended after so many seconds on one page.
    idle_seconds: float = 900
    model: Path | None = None

    def answers(self, source: str) -> dict[str, Answer]:
        """Return what is known about the pages of a set, by their keys."""
        path = self.directory / f"{source}.jsonl"
        if not path.is_file():
            return {}
        with path.open(encoding="utf-8") as rows:
            # The last row is cut off if the program was ended while writing it.
            return {row[KEY_AT]: json.loads(row) for row in rows if row.endswith("}\n")}

    def ask(self, sets: Sequence[PageSet], wanted: dict[str, list[str]]) -> None:
        """Have the pages read that have no answer yet; a page that ends its worker costs itself."""
        self.directory.mkdir(parents=True, exist_ok=True)
        for path in self.directory.glob("*.jsonl"):
            _end_last_row(path)
        missing = {
            key for name, keys in wanted.items() for key in set(keys) - self._known_keys(name)
        }
        files = [str(one.file) for one in sets if missing & set(wanted.get(one.name, ()))]
        task = {
            "name": self.name, "model": self.model and str(self.model), "pages": files,
            "answers": str(self.directory), "page_seconds": self.page_seconds,
            "key_at": [KEY_AT.start, KEY_AT.stop],
        }  # fmt: skip
        total = len(missing)
        while missing:
            place = self.directory / "task.json"
            place.write_text(json.dumps({**task, "wanted": sorted(missing)}))
            begun, trouble = self._run(place, missing, total)
            if trouble and not begun:
                raise ChildProcessError(f"{self.name}: {trouble}; see {self.directory / 'log'}")
            if not trouble:
                break
            source, key = begun.split(" ")
            row = {"key": key, "error": trouble, "seconds": self.page_seconds}
            with (self.directory / f"{source}.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    def _known_keys(self, source: str) -> set[str]:
        path = self.directory / f"{source}.jsonl"
        if not path.is_file():
            return set()
        with path.open(encoding="utf-8") as rows:
            return {row[KEY_AT] for row in rows if row.endswith("}\n")}

    def _run(self, task: Path, missing: set[str], total: int) -> tuple[str, str]:
        """Run a worker; return the page it was at, and what ended it too early."""
        # Telusur is found from this directory; the peers have no use for it.
        environment = os.environ | {
            "PYTHONPATH": str(HERE.parent.parent), "PYTHONHASHSEED": "0",
            "OPENBLAS_NUM_THREADS": "1",
        }  # fmt: skip
        begun = ""
        with (self.directory / "log").open("ab") as log, subprocess.Popen(
            [self.python, HERE / "worker.py", task], env=environment, stdout=subprocess.PIPE,
            stderr=log, text=True,
        ) as worker:  # fmt: skip
            assert worker.stdout
            try:
                while line := _read_line(worker, self.idle_seconds):
                    begun = line.strip()
                    missing.discard(begun.rpartition(" ")[2])
                    if len(missing) % 100 == 0:
                        done = total - len(missing)
                        print(f"{self.name}: page {done} of {total}", file=sys.stderr, flush=True)
            except BaseException:
                worker.kill()
                raise
        return begun, _trouble(worker.returncode, self)


def asked_peers(cache: Path, names: Sequence[str]) -> list[Asked]:
    """Return these peers in this order, installed, with what they said before."""
    python = make_peers(cache)
    known = versions(python)
    by_name = {one.name: one for one in PEERS}
    return [
        Asked(one.name, python, cache / "answers" / _versioned(one, known[one.package]))
        for one in map(by_name.__getitem__, names)
    ]


def _versioned(one: Contestant, version: str) -> str:
    return f"{one.name}-{version}-{reader_hash(one)}"


def _read_line(worker: "subprocess.Popen[str]", seconds: float) -> str:
    """Return the next line of a worker; end it when none comes for so long."""
    assert worker.stdout
    alarm = threading.Timer(seconds, worker.kill)
    alarm.start()
    try:
        return worker.stdout.readline()
    finally:
        alarm.cancel()


def _trouble(code: int, asked: Asked) -> str:
    if code == -signal.SIGPROF:
        return f"not done after {asked.page_seconds:g} CPU seconds"
    if code == -signal.SIGKILL:
        return "ended by the system, or idle for too long"
    return f"exit code {code}" if code else ""


def _end_last_row(path: Path) -> None:
    with path.open("rb+") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
