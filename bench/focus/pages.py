"""The pages of a focused-crawling benchmark, made ready once: links only to each other."""

import json
import lzma
import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

PAGES_FILE, INDEX_FILE = "focus-pages.bin", "focus-index.json"
_ROBOTS = re.compile(r"<meta\b[^>]*\bname=[\"']robots[\"'][^>]*>", re.IGNORECASE)
_HREF = re.compile(r"(<a\b[^>]*?)\s+href=(\"[^\"]*\"|'[^']*')", re.IGNORECASE)


@dataclass(slots=True, frozen=True)
class Topic:
    """A topic: its query, and seeds that are about it or far from it, as paths."""

    name: str
    query: str
    seeds: dict[str, list[str]]


@dataclass(slots=True, frozen=True)
class Web:
    """All pages by decoded path: their bytes, links and topics."""

    data: bytes
    places: dict[str, tuple[int, int]]
    links: dict[str, list[str]]
    topics: dict[str, list[str]]

    def page(self, path: str) -> bytes | None:
        """Return the page at a path as it stands in a request."""
        place = self.places.get(unquote(path))
        return None if place is None else self.data[place[0] : place[0] + place[1]]

    def reachable(self, seeds: Iterable[str]) -> set[str]:
        """Return the pages that links lead to from the seeds, and the seeds."""
        found = {unquote(seed) for seed in seeds}
        waiting = deque(found)
        while waiting:
            for target in self.links[waiting.popleft()]:
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return found


def path_of(url: str) -> str:
    """Return the decoded path of a URL."""
    return unquote(urlsplit(url).path)


def read_web(data: Path, cache: Path) -> Web:
    """Return the pages, made ready in `cache` unless they are there."""
    if not (cache / INDEX_FILE).exists():
        _make_ready(data, cache)
    index = json.loads((cache / INDEX_FILE).read_text())
    places = {path: (start, length) for path, (start, length) in index["places"].items()}
    return Web((cache / PAGES_FILE).read_bytes(), places, index["links"], index["topics"])


def read_topics(data: Path) -> list[Topic]:
    """Return the topics, the addresses of their seeds as paths."""
    rows = json.loads((data / "topics.json").read_text())
    return [
        Topic(
            row["topic"],
            row["query"],
            {kind: [urlsplit(url).path for url in row[kind]] for kind in ("near", "far")},
        )
        for row in rows
    ]


def _make_ready(data: Path, cache: Path) -> None:
    """Drop what would keep a crawler out, and links to pages that are not there."""
    cache.mkdir(parents=True, exist_ok=True)
    with lzma.open(data / "wikischools.jsonl.xz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    known = {path_of(row["url"]) for row in rows}
    index: dict[str, dict[str, object]] = {"places": {}, "links": {}, "topics": {}}
    with (cache / PAGES_FILE).open("wb") as pages:
        for row in rows:
            path = path_of(row["url"])
            html, links = _cleaned(_ROBOTS.sub("", row["html"]), row["url"], known)
            body = html.encode()
            index["places"][path] = (pages.tell(), len(body))
            index["links"][path] = [link for link in dict.fromkeys(links) if link != path]
            index["topics"][path] = row["topics"]
            pages.write(body)
    (cache / INDEX_FILE).write_text(json.dumps(index))


def _cleaned(html: str, url: str, known: set[str]) -> tuple[str, list[str]]:
    links = []

    def keep(match: re.Match[str]) -> str:
        path = path_of(urljoin(url, match[2][1:-1]))
        if path not in known:
            return match[1]
        links.append(path)
        return match[0]

    return _HREF.sub(keep, html), links
