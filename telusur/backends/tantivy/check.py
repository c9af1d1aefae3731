"""Is the index whole? The checksums of its files, and how often it has a document."""

import json
import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import tantivy

from telusur.adapters.problems import Problem, Tick

REMAKE = (
    "delete the directory index and run `telusur crawl --to` on the collection: it is made anew"
)
_FOOTER = struct.Struct("<II")  # length of the footer, and tantivy's mark
_MARK = 1337
_PIECE_BYTES = 4 * 1024 * 1024


def index_files(directory: Path) -> list[Path]:
    """Return the files of the segments that the last commit names."""
    segments = json.loads((directory / "meta.json").read_text(encoding="utf-8"))["segments"]
    names = [segment["segment_id"].replace("-", "") for segment in segments]
    return sorted(path for name in names for path in directory.glob(f"{name}.*"))


def check_files(directory: Path, tick: Tick) -> Iterator[Problem]:
    """Compare the bytes of each file with the checksum that tantivy wrote behind them."""
    try:
        files = index_files(directory)
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield Problem("index", f"index/meta.json cannot be read ({error}).", REMAKE, "meta")
        return
    for path in files:
        try:
            size = path.stat().st_size
            is_whole = _is_whole(path)
        except FileNotFoundError:
            continue  # merged meanwhile by a crawl that runs
        except (OSError, ValueError, KeyError):
            is_whole = False
        if not is_whole:
            yield Problem("index", f"index/{path.name} is damaged.", REMAKE, "file")
        tick(size)


def _is_whole(path: Path) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        length, mark = _FOOTER.unpack(data[-_FOOTER.size :])
        end = len(data) - _FOOTER.size - length
        if mark != _MARK or end < 0:
            return False
        stated = json.loads(data[end : len(data) - _FOOTER.size])["crc"]
        checksum = 0
        for start in range(0, end, _PIECE_BYTES):
            checksum = crc32(data[start : min(end, start + _PIECE_BYTES)], checksum)
    return bool(checksum == stated)


class IndexProbe:
    """A view of the index as of the last commit that tells how often a document is in it."""

    def __init__(self, directory: Path) -> None:
        self._index: Any = tantivy.Index.open(str(directory))
        self._index.config_reader("manual")
        self._index.reload()
        self._searcher: Any = self._index.searcher()
        self._schema = self._index.schema

    def count(self) -> int:
        """Return the number of documents."""
        return int(self._searcher.num_docs)

    def copies(self, url_id: bytes) -> int:
        """Return how many documents have this id."""
        query = tantivy.Query.term_query(self._schema, "url_id", url_id.hex())
        return int(self._searcher.search(query, 1, count=True).count)
