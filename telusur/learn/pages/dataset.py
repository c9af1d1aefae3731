"""Labelled pages: the files for training and evaluating extraction."""

import gzip
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from telusur.errors import UsageError

KNOWN = ("text", "title", "author", "date")


@dataclass(slots=True, frozen=True)
class LabelledPage:
    """A page with its true title, author, date and main text."""

    id: str
    html: str
    url: str = ""
    site: str = ""
    page_type: str = ""
    title: str = ""
    author: str | None = None
    date: str | None = None
    # None if unknown, as for a page that only a script fills.
    text: str | None = None
    # Snippets that the text must have ...
    wanted: tuple[str, ...] = ()
    # ... and must not have.
    unwanted: tuple[str, ...] = ()
    # The labels of the page's blocks, if a person gave them.
    labels: tuple[str, ...] = ()
    # The name of the set that the page is from: sets differ in what they call content.
    source: str = ""
    language: str = ""
    # Which of text, title, author and date somebody looked up; the absence of others says nothing.
    known: tuple[str, ...] = KNOWN

    @property
    def key(self) -> str:
        """Return the id of the page among those of several sets."""
        return f"{self.source}/{self.id}"


def read_pages(path: Path | str) -> Iterator[LabelledPage]:
    """Read labelled pages from a file of JSON lines (also .xz or .gz), or from a directory of them.

    A line has `html` and any of `id url site page_type language title author date text`. If it has
    `labels`, a list of names of fields, only those are the truth.
    """
    path = Path(path)
    files = sorted(each for each in path.glob("*.jsonl*")) if path.is_dir() else [path]
    if not files:
        raise UsageError(f"{path}: no labelled pages here; name a directory with files *.jsonl.")
    for file in files:
        yield from _read_file(file)


def _read_file(path: Path) -> Iterator[LabelledPage]:
    source = path.name.partition(".")[0]
    try:
        with _open(path) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _read_line(line, f"{path}, line {number}", str(number), source)
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None


def _open(path: Path) -> IO[str]:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _read_line(line: str, place: str, default_id: str, source: str) -> LabelledPage:
    try:
        row = json.loads(line)
    except ValueError:
        raise UsageError(f"{place}: not JSON; a labelled page is one JSON object.") from None
    if not isinstance(row, dict) or not isinstance(row.get("html"), str):
        raise UsageError(f"{place}: a labelled page needs a field `html` with its markup.")
    return LabelledPage(
        id=str(row.get("id") or default_id),
        html=row["html"],
        url=_text(row, "url"),
        site=_text(row, "site") or _text(row, "url").partition("://")[2].partition("/")[0],
        page_type=_text(row, "page_type"),
        title=_text(row, "title"),
        author=_text(row, "author") or None,
        date=_text(row, "date") or None,
        text=row.get("text") if isinstance(row.get("text"), str) else None,
        wanted=_texts(row, "with"),
        unwanted=_texts(row, "without"),
        source=source,
        language=_text(row, "language"),
        known=_texts(row, "labels") or KNOWN,
    )


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _texts(row: dict[str, Any], name: str) -> tuple[str, ...]:
    values = row.get(name)
    return tuple(map(str, values)) if isinstance(values, list) else ()
