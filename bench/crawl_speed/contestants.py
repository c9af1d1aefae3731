"""Who takes part: the command of each crawler, and how many pages it saved."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.crawl_speed.measure import installed_environment

PEERS = Path(__file__).parent / "peers"
PEER_PACKAGES = (
    "scrapy", "selectolax", "uvloop", "aiohttp", "crawlee[httpx]", "requests", "beautifulsoup4",
    "lxml", "lxml-html-clean", "pycurl", "turbohtml", "trafilatura",
    "resiliparse", "fastwarc", "warcio", "tantivy",
)  # fmt: skip
SHOWN_VERSIONS = (
    "scrapy", "trafilatura", "resiliparse", "fastwarc", "warcio", "tantivy", "crawlee",
    "selectolax", "turbohtml", "pycurl", "requests", "beautifulsoup4", "uvloop",
)  # fmt: skip
SLOW_PEER_PAGES = 3000
ONLY_PAGES = r"^[^?]*(/|\.html?)$"


@dataclass(slots=True, frozen=True)
class Contestant:
    """A crawler in one setting."""

    name: str
    what: str
    command: Callable[[Path, Sequence[str]], list[str]]
    count: Callable[[Path], int]


def contestants(peer_python: Path, most_pages: int) -> list[Contestant]:
    """Return all rows of the table; `most_pages` 0 lets each crawl everything it reaches."""
    limit = str(most_pages)
    slow = str(min(most_pages, SLOW_PEER_PAGES) if most_pages else SLOW_PEER_PAGES)

    def peer(name: str, what: str, script: str, *options: str) -> Contestant:
        def command(directory: Path, urls: Sequence[str]) -> list[str]:
            return [str(peer_python), str(PEERS / script), str(directory), *options, *urls]

        return Contestant(name, what, command, count_lines)

    return [
        telusur("telusur", "text, no index", most_pages, "--content", "text", "--no-index"),
        telusur("telusur-default", "article and index on", most_pages),
        peer("loop", "pycurl + turbohtml, 1 process", "loop_peer.py", limit, "1"),
        peer("loop-2", "pycurl + turbohtml, 2 processes", "loop_peer.py", limit, "2"),
        peer("scrapy", "selectolax, JOBDIR", "scrapy_peer.py", limit, "plain"),
        peer("scrapy-tuned", "own seen-set, aiohttp, JOBDIR", "scrapy_peer.py", limit, "tuned"),
        peer(
            "scrapy-resiliparse", "resiliparse, fastwarc, tantivy, JOBDIR",
            "scrapy_whole_peer.py", limit, "resiliparse",
        ),
        peer(
            "scrapy-trafilatura", f"trafilatura, warcio, tantivy, JOBDIR, {slow} pages",
            "scrapy_whole_peer.py", slow, "trafilatura",
        ),
        peer("crawlee", "selectolax, queue in memory", "crawlee_peer.py", limit, "memory"),
        peer("crawlee-disk", "selectolax, queue on disk", "crawlee_peer.py", limit, "disk"),
        peer("requests", f"BeautifulSoup, 5 threads, {slow} pages", "requests_peer.py", slow),
    ]  # fmt: skip


def telusur(name: str, what: str, most_pages: int, *options: str) -> Contestant:
    """Return Telusur with more options; `most_pages` 0 lets it crawl everything it reaches."""
    limit = ["--pages", str(most_pages)] if most_pages else []

    def command(directory: Path, urls: Sequence[str]) -> list[str]:
        return [
            str(Path(sys.executable).with_name("telusur")), "crawl", "--to", str(directory),
            "--allow-private", "--per-host", "8", "--delay", "0", "--fair", "none",
            "--include", ONLY_PAGES, *limit, *options, *urls,
        ]  # fmt: skip

    return Contestant(name, what, command, count_collection)


def count_lines(directory: Path) -> int:
    """Return how many pages a peer wrote into its files."""
    total = 0
    for file in directory.glob("*.jsonl"):
        with file.open("rb") as lines:
            total += sum(1 for _ in lines)
    return total


def count_collection(directory: Path) -> int:
    """Return how many pages Telusur fetched with success."""
    connection = sqlite3.connect(f"file:{directory / 'collection.db'}?mode=ro", uri=True)
    try:
        (count,) = connection.execute("SELECT count(*) FROM pages WHERE status = 200").fetchone()
    finally:
        connection.close()
    return int(count)


def make_peers(cache: Path) -> Path:
    """Install the peers' newest versions into an environment of their own; return its Python.

    It is kept until other packages are wanted.
    """
    python = cache / "venv" / "bin" / "python"
    ready = cache / "venv" / ".ready"
    wanted = "\n".join(PEER_PACKAGES)
    if not ready.is_file() or ready.read_text() != wanted:
        print("Installing the peers ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", cache / "venv"], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--upgrade"]
        subprocess.run([*pip, *PEER_PACKAGES], check=True)
        ready.write_text(wanted)
    return python


def compile_telusur() -> None:
    """Compile the modules of Telusur, as pip does where it is installed."""
    package = Path(__file__).parents[2] / "telusur"
    subprocess.run(
        [sys.executable, "-m", "compileall", "-q", package], check=True, env=installed_environment()
    )


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
