"""Labels corrected by people, stored with the collection as sheets for training."""

import re
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from telusur.errors import UsageError
from telusur.extract.document import read_page
from telusur.extract.site.record import SiteRecord
from telusur.learn.pages.label_sheets import LABELS, SUFFIX, read_rows, row_of, sheet_text
from telusur.models import Block
from telusur.store.blobs import Blobs

FOLDER = "labels"
_UNSAFE = re.compile(r"[^a-z0-9.]+")
_WRITING = threading.Lock()


@dataclass(slots=True, frozen=True)
class PageBlocks:
    """The blocks of a stored page with their labels, and which were corrected."""

    blocks: tuple[Block, ...]
    corrected: frozenset[int] = frozenset()

    @property
    def labels(self) -> list[str]:
        """Return the label of each block."""
        return [block.label for block in self.blocks]


def read_blocks(blobs: Blobs, html: str, url: str, site: SiteRecord | None = None) -> PageBlocks:
    """Return the blocks of a page; corrected labels override the model's.

    With the record of its site they are labelled as in a crawl, and explained.
    """
    blocks = tuple(read_page(html, url, site=site).document.blocks)
    known = _read_known(blobs.read(_sheet_of(url)), blocks)
    corrected = frozenset(n for n, label in known.items() if label != blocks[n].label)
    return PageBlocks(
        tuple(replace(block, label=known.get(n, block.label)) for n, block in enumerate(blocks)),
        corrected,
    )


def correct_labels(
    blobs: Blobs, html: str, url: str, changes: Mapping[int, str], site: SiteRecord | None = None
) -> str:
    """Correct labels of a page's blocks, by number; return the path of their sheet."""
    with _WRITING:
        current = read_blocks(blobs, html, url, site)
        _check(changes, len(current.blocks))
        labels = [changes.get(n, label) for n, label in enumerate(current.labels)]
        sheet = _sheet_of(url)
        # Store the page first: a sheet is useless without its page.
        blobs.write(f"{sheet.removesuffix(SUFFIX)}.html", html.encode())
        blobs.write(sheet, sheet_text(url, current.blocks, labels).encode())
    return blobs.place_of(sheet)


def _check(changes: Mapping[int, str], count: int) -> None:
    for number, label in changes.items():
        if not 0 <= number < count:
            raise UsageError(f"block {number}: the page has blocks 0 to {count - 1}.")
        if label not in LABELS:
            raise UsageError(f"label: {label[:40]!r} is not one of {', '.join(LABELS)}.")


def sheet_name(url: str) -> str:
    """Return the name of a page's sheet without suffix: readable, and unique for each URL."""
    readable = _UNSAFE.sub("-", url.partition("://")[2].lower())[:60].strip("-.")
    digest = blake2b(url.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{readable}-{digest}"


def _sheet_of(url: str) -> str:
    return f"{FOLDER}/{sheet_name(url)}{SUFFIX}"


def _read_known(sheet: bytes | None, blocks: Sequence[Block]) -> dict[int, str]:
    """Return the corrected label of each block; None if the text of the block changed."""
    try:
        rows = read_rows((sheet or b"").decode())
    except UnicodeDecodeError:
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
