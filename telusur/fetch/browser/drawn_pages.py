"""The blocks of stored pages in a browser: rendered once without a network, then cached."""

import gzip
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import blake2b
from pathlib import Path
from typing import Any

from telusur.closing import Closes
from telusur.crawl.urls.identity import parse_url
from telusur.errors import UsageError
from telusur.extract.rendered import BOX_PROPERTIES, TEXT_PROPERTIES, RenderLimits
from telusur.fetch.browser.renderer import NOWHERE, BrowserDesk
from telusur.models import Block, Bounds

_COLLECT = Path(__file__).with_name("collect.js")
_SUFFIX = ".json.gz"


class DrawnPages(Closes):
    """A directory with a file for each rendered page; use it in a `with` block.

    A browser is started for the first missing page. Pages rendered by another version of the script
    that reads pages are rendered again. With `renders=False` missing pages have no blocks, and
    nothing is written.
    """

    def __init__(
        self, directory: Path, *, limits: RenderLimits | None = None, renders: bool = True
    ) -> None:
        try:
            if renders:
                directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{directory}: cannot be used for rendered pages: {error.strerror}."
            ) from None
        self._directory = directory
        self._renders = renders
        self._limits = limits
        self._desk: BrowserDesk | None = None
        self._version = blake2b(
            _COLLECT.read_bytes() + repr((TEXT_PROPERTIES, BOX_PROPERTIES)).encode()
        ).digest()
        # Pages that a browser had to render.
        self.drawn = 0
        # Pages without blocks: they are empty, or could not be rendered.
        self.failed = 0

    def close(self) -> None:
        """End the browser, if there was one."""
        if self._desk is not None:
            self._desk.close()

    def blocks_of(self, html: str, url: str = "") -> list[Block]:
        """Return the blocks of a page, including hidden ones; none if it could not be rendered."""
        address = parse_url(url) or NOWHERE
        path = self._path_of(html, address)
        blocks = _read(path)
        if blocks is None and not self._renders:
            return []
        if blocks is None:
            self._desk = self._desk or BrowserDesk(limits=self._limits)
            rendered = self._desk.html(html, address)
            blocks = rendered.blocks
            self.drawn += 1
            if rendered.html:  # a failure may be temporary, so it is not cached
                self._write(path, blocks)
        self.failed += not blocks
        return blocks

    def _path_of(self, html: str, url: str) -> Path:
        text = f"{url}\0{html}".encode("utf-8", "replace")
        return self._directory / (
            blake2b(text, digest_size=16, key=self._version).hexdigest() + _SUFFIX
        )

    def _write(self, path: Path, blocks: Sequence[Block]) -> None:
        data = gzip.compress(json.dumps([asdict(block) for block in blocks]).encode(), 6)
        unfinished = path.with_suffix(f".{os.getpid()}")
        try:
            unfinished.write_bytes(data)
            unfinished.replace(path)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from None


def _read(path: Path) -> list[Block] | None:
    """Return the cached blocks; None if there are none, or the file is damaged."""
    try:
        return [_block_of(record) for record in json.loads(gzip.decompress(path.read_bytes()))]
    except (OSError, EOFError, ValueError, TypeError):
        return None


def _block_of(record: dict[str, Any]) -> Block:
    bounds = record.pop("bounds")
    return Block(**record, bounds=Bounds(*bounds) if bounds is not None else None)
