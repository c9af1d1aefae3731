"""Collects the texts of links by target page, in bounded memory.

Link texts are first distributed to files by target page; then one file is read at a time.
"""

import io
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise
from typing import IO
from zlib import crc32

import numpy as np

from telusur.crawl.urls.link_record import unpack_links
from telusur.graph.pages import Pages
from telusur.index.contract import Anchor
from telusur.store.blobs import Blobs
from telusur.store.web import WholeWeb

PAGES_A_FILE = 20_000
MOST_FILES = 200
MOST_ANCHORS = 50
_LONGEST = 120
# A text that links to this many pages ("next", "read more") describes none of them.
DULL_FROM = 20
_SLOTS = 1 << 20


class AnchorFiles:
    """The link texts of a collection in files, one for each range of pages."""

    def __init__(self, blobs: Blobs, pages: Pages) -> None:
        self._pages = pages
        self._stack = ExitStack()
        count = min(MOST_FILES, len(pages) // PAGES_A_FILE + 1)
        self._width = -(-len(pages) // count) or 1
        self._files = [self._open(blobs) for _ in range(count)]
        self._targets_of_text = np.zeros(_SLOTS, np.uint16)

    def _open(self, blobs: Blobs) -> IO[str]:
        file = self._stack.enter_context(blobs.scratch())
        text = io.TextIOWrapper(file, encoding="utf-8", errors="replace")
        return self._stack.enter_context(text)

    def close(self) -> None:
        """Close the files."""
        self._stack.close()

    def fill(self, web: WholeWeb) -> Iterator[None]:
        """Distribute the texts of all links; yields between two steps."""
        for records in web.link_records(self._pages):
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
        """Yield the anchors of each range of pages, by position."""
        for file in self._files:
            yield {
                place: anchors
                for place, texts in _grouped(file).items()
                if (anchors := self._choose(texts))
            }

    def stretches(self) -> list[range]:
        """Return the ranges of positions, one for each part of `read`."""
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


def _grouped(file: IO[str]) -> dict[int, Counter[str]]:
    """Return for each page how many pages use each text; case is ignored."""
    found: dict[int, Counter[str]] = {}
    file.seek(0)
    for line in file:
        place, _, text = line.rstrip("\n").partition("\t")
        found.setdefault(int(place), Counter())[text.casefold()] += 1
    return found


def _slot_of(text: str) -> int:
    return crc32(text.encode("utf-8", "replace")) % _SLOTS


def digest_of(anchors: tuple[Anchor, ...]) -> int:
    """Return a hash of a set of anchors; 0 for none."""
    return crc32(repr(anchors).encode("utf-8", "replace")) if anchors else 0
