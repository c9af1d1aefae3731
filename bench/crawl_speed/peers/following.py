"""What every peer does alike: which links it follows, and how it writes a page down."""

import json
from pathlib import Path
from typing import TextIO
from urllib.parse import urljoin, urlsplit

REMEMBERED = 200_000


class Follower:
    """Turns the links of a page into URLs that were not seen before: HTML pages of the sites."""

    def __init__(self, start_urls: list[str]) -> None:
        self._origins = tuple(start_urls)
        self._joined: dict[tuple[str, str], str | None] = {}
        self.seen: set[str] = set(start_urls)

    def targets(self, page_url: str, references: list[str]) -> list[str]:
        """Return what a page leads to, each once and without its fragment."""
        folder = page_url[: page_url.rindex("/") + 1]
        found = {}
        for reference in references:
            if reference and reference[0] != "#":
                url = self._join(folder, reference.partition("#")[0])
                if url is not None:
                    found[url] = None
        return list(found)

    def fresh(self, page_url: str, references: list[str]) -> list[str]:
        """Return those targets that nobody asked for before, and remember them."""
        urls = [url for url in self.targets(page_url, references) if url not in self.seen]
        self.seen.update(urls)
        return urls

    def _join(self, folder: str, reference: str) -> str | None:
        key = (folder, reference)
        if key not in self._joined:
            if len(self._joined) > REMEMBERED:
                self._joined.clear()
            self._joined[key] = self._wanted(folder, reference)
        return self._joined[key]

    def _wanted(self, folder: str, reference: str) -> str | None:
        try:
            url = urljoin(folder, reference.strip())
            path = urlsplit(url).path
        except ValueError:
            return None
        is_page = path.endswith(("/", ".html", ".htm")) and "?" not in url
        return url if is_page and url.startswith(self._origins) else None


class Saved:
    """A file of JSON lines with the pages of one crawl."""

    def __init__(self, directory: Path, name: str = "pages.jsonl") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self._file: TextIO = (directory / name).open("w", encoding="utf-8", errors="replace")
        self.count = 0

    def add(self, url: str, title: str, text: str, links: list[str]) -> None:
        """Write one page down."""
        row = {"url": url, "title": title, "text": text, "links": links}
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self.count += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()
