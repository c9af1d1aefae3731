"""What links say about the pages they lead to, gathered from all pages without filling the memory.

Link texts are first dealt out into files by the page they lead to, then looked at a file at a time.
"""

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import IO
from zlib import crc32

import numpy as np

from telusur.adapters.sqlite_graph import Pages, read_link_records
from telusur.crawl.link_record import unpack_links
from telusur.index.contract import Anchor

PAGES_A_FILE = 20_000
MOST_FILES = 200
MOST_ANCHORS = 50
_LONGEST = 120
DULL_FROM = 20
"""A text that leads to so many pages ("next", "read more") says nothing about any of them."""
_SLOTS = 1 << 20


class AnchorFiles:
    """The link texts of a collection in files; each holds those of one stretch of the pages."""

    def __init__(self, index: Path, pages: Pages) -> None:
        self._pages = pages
        self._stack = ExitStack()
        count = min(MOST_FILES, len(pages) // PAGES_A_FILE + 1)
        self._width = -(-len(pages) // count) or 1
        self._files = [self._stack.enter_context(_scratch_file(index)) for _ in range(count)]
        self._targets_of_text = np.zeros(_SLOTS, np.uint16)

    def close(self) -> None:
        """Let go of the files."""
        self._stack.close()

    def fill(self, connection: sqlite3.Connection) -> Iterator[None]:
        """Deal out the texts of all links; what is yielded says that there is more to do."""
        for records in read_link_records(connection, self._pages):
            for source, targets, record in records:
                self._deal(source, targets.tolist(), record)
            yield
        for file in self._files:
            for texts in _grouped(file).values():
                for text in texts:
                    slot = _slot_of(text)
                    self._targets_of_text[slot] = min(self._targets_of_text[slot] + 1, DULL_FROM)
            yield

    def _deal(self, source: int, targets: list[int], record: bytes) -> None:
        said = set()
        for target, link in zip(targets, unpack_links(record), strict=False):
            if target < len(self._pages) and target != source and link.anchor:
                said.add((target, link.anchor[:_LONGEST]))
        for target, text in said:
            self._files[target // self._width].write(f"{target}\t{text}\n")

    def read(self) -> Iterator[dict[int, tuple[Anchor, ...]]]:
        """Yield the anchors of each stretch of the pages, by their places."""
        for file in self._files:
            yield {
                place: anchors
                for place, texts in _grouped(file).items()
                if (anchors := self._choose(texts))
            }

    def stretches(self) -> list[range]:
        """Return the places that the parts of `read` are about."""
        ends = [min(n * self._width, len(self._pages)) for n in range(len(self._files) + 1)]
        return [range(start, end) for start, end in pairwise(ends)]

    def _choose(self, texts: Counter[str]) -> tuple[Anchor, ...]:
        telling = [
            Anchor(text, pages)
            for text, pages in texts.items()
            if self._targets_of_text[_slot_of(text)] < DULL_FROM
        ]
        telling.sort(key=lambda anchor: (-anchor.pages, anchor.text))
        return tuple(telling[:MOST_ANCHORS])


def _scratch_file(directory: Path) -> IO[str]:
    return tempfile.TemporaryFile("w+", dir=directory, encoding="utf-8", errors="replace")


def _grouped(file: IO[str]) -> dict[int, Counter[str]]:
    """Return by page how many pages say each text, in any case."""
    found: dict[int, Counter[str]] = {}
    file.seek(0)
    for line in file:
        place, _, text = line.rstrip("\n").partition("\t")
        found.setdefault(int(place), Counter())[text.casefold()] += 1
    return found


def _slot_of(text: str) -> int:
    return crc32(text.encode("utf-8", "replace")) % _SLOTS


def digest_of(anchors: tuple[Anchor, ...]) -> int:
    """Return a number that tells two sets of anchors apart; 0 is none."""
    return crc32(repr(anchors).encode("utf-8", "replace")) if anchors else 0
