"""The encyclopedia's pages as the crawler's parsers give them: extracted once, kept in a cache."""

import pickle
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from bench.focus.pages import Web, path_of, read_web
from telusur.crawl.urls.identity import key_of
from telusur.extract.document import extract_document
from telusur.models import Document, Link, url_id_of

ORIGIN = "http://wikischools.test"
LIBRARY_FILE = "focus-library.pickle"


@dataclass(slots=True)
class Volume:
    """One page: its document, its links, and the numbers of the pages they lead to."""

    document: Document
    links: list[Link]
    targets: list[int]


class Library:
    """All pages by number, in the order of their paths, and what leads where."""

    def __init__(self, web: Web, volumes: list[Volume]) -> None:
        self.web = web
        self.volumes = volumes
        self.paths = sorted(web.places)
        self.number_of = {path: number for number, path in enumerate(self.paths)}
        self._reachable: dict[tuple[int, ...], set[int]] = {}

    def __len__(self) -> int:
        return len(self.paths)

    @cached_property
    def ids(self) -> list[bytes]:
        """Return the identity of each page."""
        return [id_of(path) for path in self.paths]

    def reachable(self, seeds: tuple[int, ...]) -> set[int]:
        """Return the pages that can be reached from others, and these."""
        if seeds not in self._reachable:
            paths = self.web.reachable(self.paths[seed] for seed in seeds)
            self._reachable[seeds] = {self.number_of[path] for path in paths}
        return self._reachable[seeds]


def url_of(path: str) -> str:
    """Return the address of a page by its decoded path."""
    return ORIGIN + quote(path)


def id_of(path: str) -> bytes:
    """Return the identity of a page by its decoded path."""
    return url_id_of(key_of(url_of(path)) or "")


def read_library(data: Path, cache: Path) -> Library:
    """Return the pages, extracted in `cache` unless they are there."""
    data = data / "focus" if (data / "focus").is_dir() else data
    web = read_web(data, cache)
    file = cache / LIBRARY_FILE
    if not file.exists():
        number_of = {path: number for number, path in enumerate(sorted(web.places))}
        volumes = [_extract(web, path, number_of) for path in number_of]
        file.write_bytes(pickle.dumps(volumes, pickle.HIGHEST_PROTOCOL))
    return Library(web, pickle.loads(file.read_bytes()))


def _extract(web: Web, path: str, number_of: dict[str, int]) -> Volume:
    """Extract a page; each of its targets counts once, and the page itself does not."""
    body = web.page(quote(path)) or b""
    document = extract_document(body, url_of(path), content_type="text/html; charset=utf-8")
    own = number_of[path]
    links: dict[int, Link] = {}
    for link in document.links:
        target = number_of.get(path_of(link.url))
        if target is not None and target != own:
            links.setdefault(target, link)
    document.links, document.blocks = [], []
    return Volume(document, list(links.values()), list(links))
