"""Who takes part: each extractor in one setting, and the environment it runs in."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
PEER_PACKAGES = (
    "pip>=25.1",  # an older one cannot resolve the extras of readability-lxml
    "trafilatura>=2.0",
    "resiliparse>=1.0",
    "readability-lxml>=0.8.4",
    "newspaper4k>=0.9.3",
    "turbohtml>=1.15",
)
SHOWN_VERSIONS = ("trafilatura", "resiliparse", "readability-lxml", "newspaper4k", "turbohtml")


@dataclass(slots=True, frozen=True)
class Contestant:
    """An extractor in one setting; `name` is its reader's."""

    name: str
    what: str


CONTESTANTS = (
    Contestant("telusur", "defaults: article, language, links"),
    Contestant("trafilatura", "defaults, with metadata; text"),
    Contestant("trafilatura-comments", "defaults, with metadata; text and comments"),
    Contestant("trafilatura-precision", "favor_precision, with metadata"),
    Contestant("trafilatura-recall", "favor_recall, with metadata"),
    Contestant("trafilatura-fast", "fast (no fallback), with metadata"),
    Contestant("trafilatura-no-comments", "include_comments=False, with metadata"),
    Contestant("trafilatura-no-tables", "include_tables=False, with metadata"),
    Contestant("trafilatura-baseline", "baseline; text only"),
    Contestant("resiliparse", "main_content, no links, no bullets; text and `<title>`"),
    Contestant("readability", "summary, short title, author"),
    Contestant("newspaper", "defaults, nothing fetched"),
    Contestant("turbohtml", "article()"),
    Contestant("turbohtml-dates", "article() and extract.dates()"),
)


@dataclass(slots=True, frozen=True)
class Task:
    """What every contestant is given: the data, the ids of the wanted pages, and its time."""

    data: Path
    ids: Path
    peer_python: Path
    limit_seconds: float


def run_worker(name: str, task: Task, answers: Path) -> str:
    """Let one extractor read the pages in a process of its own; return what went wrong, or ""."""
    python = sys.executable if name == "telusur" else str(task.peer_python)
    command = [python, str(HERE / "worker.py"), name, str(task.data), str(task.ids), str(answers)]
    # The library of ours is not in the peers' environment; ours is found from this directory.
    environment = os.environ | {"PYTHONPATH": str(HERE.parent.parent), "PYTHONHASHSEED": "0"}
    log = answers.with_suffix(".log")
    with log.open("wb") as output:
        try:
            done = subprocess.run(
                command, env=environment, stdout=output, stderr=output, timeout=task.limit_seconds,
                check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"not done after {task.limit_seconds:.0f} s"
    return "" if done.returncode == 0 else f"exit code {done.returncode}, see {log}"


def make_peers(cache: Path) -> Path:
    """Install the peers' newest versions into an environment of their own; return its Python."""
    python = cache / "venv" / "bin" / "python"
    ready = cache / "venv" / ".ready"
    if not ready.is_file():
        print("Installing the peers ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", cache / "venv"], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--upgrade"]
        subprocess.run([*pip, PEER_PACKAGES[0]], check=True)
        subprocess.run([*pip, *PEER_PACKAGES[1:]], check=True)
        ready.touch()
    return python


def versions(peer_python: Path) -> str:
    """Return the versions of the peers in one line."""
    script = (
        "from importlib.metadata import version; import sys;"
        " print(', '.join(f'{name} {version(name)}' for name in sys.argv[1:]))"
    )
    asked = subprocess.run(
        [peer_python, "-c", script, *SHOWN_VERSIONS], capture_output=True, text=True, check=True
    )
    return asked.stdout.strip()
