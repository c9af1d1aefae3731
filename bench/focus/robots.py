"""Two classic robots side by side: `python -m bench.focus.robots DATA_DIR CACHE_DIR`.

The link-focused robot follows every link, each trail to its end (`depth-first`); the one that is
topic-selective follows only links that name the topic. An encyclopedia is served on loopback and
crawled once into a collection; then `telusur compare --replay` lets both look for five topics in
it, each from three pages about it and on the same budget. See docs/laboratory.md.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import telusur
from bench.focus.__main__ import PROGRAM
from bench.focus.pages import read_topics, read_web
from bench.focus.server import serving

# Of the twelve, those that most links name.
TOPICS = ("ancient", "geology", "war", "languages", "politics")
ROBOTS = "depth-first,topic-selective"
PAGES = 100
# A page that has about a third of the topic's words, or one of them often.
RELEVANT = 0.3


def main() -> int:
    """Crawl the encyclopedia unless it is there, then compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", help="directory with topics.json and the pages")
    parser.add_argument("cache", help="where the pages and the collection are kept")
    options = parser.parse_args()
    data, cache = Path(options.data), Path(options.cache)
    data = data / "focus" if (data / "focus").is_dir() else data
    archive = cache / "focus-collection"
    if not (archive / "collection.db").exists():
        _crawl(data, cache, archive)
    origin = _origin(archive)
    topics = [topic for topic in read_topics(data) if topic.name in TOPICS]
    lines = [f"{topic.query} | {_starts(origin, topic.seeds['near'])}\n" for topic in topics]
    (cache / "robots-topics.txt").write_text("".join(lines), encoding="utf-8")
    command = [PROGRAM, "compare", "--strategies", ROBOTS, "--relevant", str(RELEVANT)]
    command += ["--topics-from", str(cache / "robots-topics.txt")]
    command += ["--pages", str(PAGES), "--replay", str(archive), "--to", str(cache / "robots")]
    command += ["--plot", str(cache / "robots-harvest.svg"), "--allow-private"]
    return subprocess.run(command, check=False).returncode


def _crawl(data: Path, cache: Path, archive: Path) -> None:
    seeds = [seed for topic in read_topics(data) for seed in topic.seeds["near"]]
    with serving(read_web(data, cache)) as origin:
        command = [PROGRAM, "crawl", *_starts(origin, seeds).split(), "--to", str(archive)]
        command += ["--allow-private", "--delay", "0", "--per-host", "4", "--no-index"]
        subprocess.run([*command, "--render", "never"], check=True)


def _starts(origin: str, seeds: Sequence[str]) -> str:
    return " ".join(origin + seed for seed in seeds)


def _origin(archive: Path) -> str:
    """Return where the pages were when they were crawled."""
    with telusur.open(archive) as collection:
        parts = urlsplit(next(iter(collection.pages()))["url"])
    return f"{parts.scheme}://{parts.netloc}"


if __name__ == "__main__":
    sys.exit(main())
