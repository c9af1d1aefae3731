"""Who takes part: each extractor in one setting, its version, and the environment it runs in."""

import inspect
import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.extraction.hashes import hash_of
from bench.extraction.readers import READERS

PEER_PACKAGES = (
    "pip>=25.1",  # an older one cannot resolve the extras of readability-lxml
    "trafilatura>=2.0",
    "resiliparse>=1.0",
    "readability-lxml>=0.8.4",
    "newspaper4k[zh,ja,th,hi,bn,np,ta,nlp]>=0.9.3",
    "justext>=3.0",
    "boilerpy3>=1.0.7",
    "goose3[all]>=3.1.19",
    "turbohtml>=1.15",
)


@dataclass(slots=True, frozen=True)
class Contestant:
    """An extractor in one setting; `name` is its reader's."""

    name: str
    what: str
    package: str
    # Only asked with --all-settings: another setting of an extractor that also has a better one.
    is_extra: bool = False


TELUSUR = Contestant("telusur", "defaults: article, language, links", "telusur")
PEERS = (
    Contestant("trafilatura", "include_comments=False, with metadata", "trafilatura"),
    Contestant("readability", "summary, short title, author", "readability-lxml"),
    Contestant("resiliparse", "main_content, no links, no bullets; `<title>`", "resiliparse"),
    Contestant("newspaper", "defaults, nothing fetched", "newspaper4k"),
    Contestant("justext", "stop words of the page's language; text only", "justext"),
    Contestant("boilerpy", "ArticleExtractor; text and title", "boilerpy3"),
    Contestant("goose", "language of the page, no images", "goose3"),
    Contestant("turbohtml", "article()", "turbohtml"),
    Contestant("trafilatura-precision", "favor_precision", "trafilatura", is_extra=True),
    Contestant("trafilatura-recall", "favor_recall", "trafilatura", is_extra=True),
    Contestant("trafilatura-fast", "fast (no fallback)", "trafilatura", is_extra=True),
    Contestant("trafilatura-no-tables", "include_tables=False", "trafilatura", is_extra=True),
    Contestant("trafilatura-plain", "defaults, text only", "trafilatura", is_extra=True),
    Contestant("trafilatura-comments", "defaults, text and comments", "trafilatura", is_extra=True),
    Contestant("trafilatura-baseline", "baseline; text only", "trafilatura", is_extra=True),
    Contestant("turbohtml-dates", "and extract.dates()", "turbohtml", is_extra=True),
)


def make_peers(cache: Path) -> Path:
    """Install the peers' newest versions into an environment of their own; return its Python."""
    python = cache / "venv" / "bin" / "python"
    ready = cache / "venv" / ".ready"
    wanted = "\n".join(PEER_PACKAGES)
    if not ready.is_file() or ready.read_text() != wanted:
        print("Installing the peers ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", cache / "venv"], check=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--upgrade"]
        subprocess.run([*pip, PEER_PACKAGES[0]], check=True)
        subprocess.run([*pip, *PEER_PACKAGES[1:]], check=True)
        ready.write_text(wanted)
    return python


def versions(peer_python: Path) -> dict[str, str]:
    """Return the version of each package of the peers."""
    script = (
        "from importlib.metadata import version; import json, sys;"
        " print(json.dumps({name: version(name) for name in sys.argv[1:]}))"
    )
    names = sorted({one.package for one in PEERS})
    asked = subprocess.run(
        [peer_python, "-c", script, *names], capture_output=True, text=True, check=True
    )
    known: dict[str, str] = json.loads(asked.stdout)
    return known


def reader_hash(one: Contestant) -> str:
    """Return a hash of how an extractor is asked: its code here, its options and its extras."""
    make = READERS[one.name]
    options = sorted(inspect.getclosurevars(make).nonlocals.items())
    needed = [package for package in PEER_PACKAGES if package.startswith(one.package)]
    return hash_of(inspect.getsource(make), options, needed)
