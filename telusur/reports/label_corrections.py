"""Labels that a person put right: kept with the collection as sheets that training reads."""

import os
import re
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from telusur.adapters.sqlite_schema import storage_errors
from telusur.errors import UsageError
from telusur.extract.document import extract_document
from telusur.learn.label_sheets import LABELS, SUFFIX, read_rows, row_of, sheet_text
from telusur.models import Block

FOLDER = "labels"
_UNSAFE = re.compile(r"[^a-z0-9.]+")
_WRITING = threading.Lock()


@dataclass(slots=True, frozen=True)
class PageBlocks:
    """The blocks of a stored page with the labels that count, and which were put right."""

    blocks: tuple[Block, ...]
    corrected: frozenset[int] = frozenset()

    @property
    def labels(self) -> list[str]:
        """Return the label of each block."""
        return [block.label for block in self.blocks]


def read_blocks(directory: Path, html: str, url: str) -> PageBlocks:
    """Return the blocks of a page; what a person said of a block counts more than the model."""
    blocks = tuple(extract_document(html, url).blocks)
    known = _read_known(_sheet_of(directory, url), blocks)
    corrected = frozenset(n for n, label in known.items() if label != blocks[n].label)
    return PageBlocks(
        tuple(replace(block, label=known.get(n, block.label)) for n, block in enumerate(blocks)),
        corrected,
    )


def correct_labels(directory: Path, html: str, url: str, changes: Mapping[int, str]) -> Path:
    """Change labels of a page's blocks, by their number; return the sheet, which has all."""
    with _WRITING:
        current = read_blocks(directory, html, url)
        _check(changes, len(current.blocks))
        labels = [changes.get(n, label) for n, label in enumerate(current.labels)]
        sheet = _sheet_of(directory, url)
        with storage_errors(directory):
            sheet.parent.mkdir(exist_ok=True)
            # The page first: a sheet without its page could not be read.
            _replace_file(sheet.with_suffix(".html"), html)
            _replace_file(sheet, sheet_text(url, current.blocks, labels))
    return sheet


def _check(changes: Mapping[int, str], count: int) -> None:
    for number, label in changes.items():
        if not 0 <= number < count:
            raise UsageError(f"block {number}: the page has blocks 0 to {count - 1}.")
        if label not in LABELS:
            raise UsageError(f"label: {label[:40]!r} is none of {', '.join(LABELS)}.")


def _sheet_of(directory: Path, url: str) -> Path:
    """Return where the sheet of a page lies: readable, and another one for each URL."""
    readable = _UNSAFE.sub("-", url.partition("://")[2].lower())[:60].strip("-.")
    digest = blake2b(url.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return directory / FOLDER / f"{readable}-{digest}{SUFFIX}"


def _read_known(sheet: Path, blocks: Sequence[Block]) -> dict[int, str]:
    """Return what the sheet says of each block; one whose text changed since is unknown."""
    try:
        rows = read_rows(sheet.read_text("utf-8"))
    except (OSError, UnicodeDecodeError):
        return {}
    said: dict[str, list[str]] = defaultdict(list)
    for label, text in reversed(rows):
        if label in LABELS:
            said[_same(text)].append(label)
    known = {}
    for number, block in enumerate(blocks):
        if labels := said.get(_same(row_of(block))):
            known[number] = labels.pop()
    return known


def _same(text: str) -> str:
    return " ".join(text.split())


def _replace_file(path: Path, text: str) -> None:
    half_made = path.with_name(f".{path.name}.new")
    half_made.write_text(text, "utf-8", newline="")
    os.replace(half_made, path)
