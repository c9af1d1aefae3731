"""Where the peers live, and how one of them is put to work."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PEER_PACKAGES = ("bm25s", "numba", "PyStemmer", "tantivy", "whoosh-reloaded")
DEBIAN_PACKAGES = ("python3-xapian", "libxapian30")
LIMIT_SECONDS = 1800.0


@dataclass(slots=True, frozen=True)
class Task:
    """What every engine is given."""

    documents: Path
    queries: Path
    directory: Path
    limit: int = 10
    language: str = "english"
    index_again: bool = False
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Peers:
    """The Python of the peers and what it needs to find Xapian."""

    python: Path
    variables: dict[str, str]
    names: tuple[str, ...]


def make_peers(cache: Path) -> Peers:
    """Install the peers' newest versions into an environment of their own."""
    place = cache / "search-venv"
    python, ready = place / "bin" / "python", place / ".ready"
    if not ready.is_file():
        print("Installing the peers ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--upgrade"]
        subprocess.run([*pip, *PEER_PACKAGES], check=True, stderr=subprocess.DEVNULL)
        ready.touch()
    variables = _find_xapian(python, cache / "xapian")
    names = ("bm25s", "bm25s-short", "tantivy", "fts5", "whoosh")
    if variables is None:
        print(
            "XAPIAN DOES NOT TAKE PART: the Debian packages python3-xapian and libxapian30 cannot "
            f"be downloaded, or {python} cannot import them.",
            file=sys.stderr,
        )
        return Peers(python, {}, names)
    return Peers(python, variables, (*names, "xapian"))


def _find_xapian(python: Path, place: Path) -> dict[str, str] | None:
    """Unpack Debian's Xapian, which is in no registry of Python; nothing is installed."""
    if not (place / "usr").is_dir():
        place.mkdir(parents=True, exist_ok=True)
        command = ["apt-get", "download", "-q", *DEBIAN_PACKAGES]
        try:
            subprocess.run(command, cwd=place, check=True, capture_output=True)
            for archive in place.glob("*.deb"):
                subprocess.run(["dpkg-deb", "-x", archive, place], check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
    libraries = {str(path.parent) for path in place.glob("usr/lib/**/libxapian.so.*")}
    variables = {
        "PYTHONPATH": str(place / "usr/lib/python3/dist-packages"),
        "LD_LIBRARY_PATH": os.pathsep.join(sorted(libraries)),
    }
    asked = subprocess.run(
        [python, "-c", "import xapian"],
        env=os.environ | variables,
        capture_output=True,
        check=False,
    )
    return variables if asked.returncode == 0 else None


def versions(peers: Peers) -> str:
    """Return the versions of the peers in one line."""
    script = (
        "from importlib.metadata import version; import sqlite3, sys;"
        " print(', '.join(f'{name} {version(name)}' for name in sys.argv[1:]),"
        " 'SQLite', sqlite3.sqlite_version)"
    )
    shown = [name for name in PEER_PACKAGES if name not in ("numba", "PyStemmer")]
    asked = subprocess.run(
        [peers.python, "-c", script, *shown], capture_output=True, text=True, check=True
    )
    return asked.stdout.strip()


def run_engine(name: str, task: Task, peers: Peers) -> dict[str, Any]:
    """Let one engine work in a process of its own; return what worker.py wrote down."""
    question, answer = task.directory / f"{name}.task.json", task.directory / f"{name}.answer.json"
    question.write_text(
        json.dumps(
            {
                "name": name,
                "documents": str(task.documents),
                "queries": str(task.queries),
                "directory": str(task.directory),
                "limit": task.limit,
                "language": task.language,
                "index_again": task.index_again,
                "options": task.options,
            }
        )
    )
    answer.unlink(missing_ok=True)
    ours = name == "telusur"
    python = sys.executable if ours else str(peers.python)
    # One thread each: libraries of numbers would take all cores, and their time would not compare.
    variables = {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    variables |= {"PYTHONPATH": str(HERE.parent.parent)} if ours else peers.variables
    done = subprocess.run(
        [python, str(HERE / "worker.py"), str(question), str(answer)],
        env=os.environ | variables, timeout=LIMIT_SECONDS, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(f"{name} did not finish: exit code {done.returncode}, see above.")
    return dict(json.loads(answer.read_text()))


def write_lines(path: Path, rows: Iterable[dict[str, str]]) -> Path:
    """Write rows as JSON lines, where a worker reads them."""
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path
