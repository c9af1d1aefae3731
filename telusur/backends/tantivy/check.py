"""Checks that the index is intact: checksums of its files, and duplicate documents."""

import json
import mmap
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

from telusur.backends.tantivy.reading import is_unreadable, open_index
from telusur.store.problems import RIGHTS, Problem, Tick

REMAKE = "delete the directory index and run `telusur crawl --to` on the collection: it is rebuilt"
# Length of the footer, and tantivy's mark.
_FOOTER = struct.Struct("<II")
_MARK = 1337
_PIECE_BYTES = 4 * 1024 * 1024


def index_files(directory: Path) -> list[Path]:
    """Return the files of the segments that the last commit names."""
    segments = json.loads((directory / "meta.json").read_text(encoding="utf-8"))["segments"]
    names = [segment["segment_id"].replace("-", "") for segment in segments]
    return sorted(path for name in names for path in directory.glob(f"{name}.*"))


def check_files(directory: Path, tick: Tick) -> Iterator[Problem]:
    """Compare each file with the checksum that tantivy wrote at its end."""
    try:
        files = index_files(directory)
    except (OSError, ValueError, KeyError, TypeError) as error:
        yield Problem(
            "index", f"index/meta.json cannot be read ({error}).", advice_for(error), "meta"
        )
        return
    for path in files:
        try:
            size = path.stat().st_size
            is_whole = _is_whole(path)
        except FileNotFoundError:
            # Merged meanwhile by a running crawl.
            continue
        except (OSError, ValueError, KeyError) as error:
            if advice_for(error) == RIGHTS:
                yield Problem("index", f"index/{path.name} may not be read.", RIGHTS, "rights")
                continue
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


def advice_for(error: BaseException) -> str:
    """Return what to do about an index that cannot be read."""
    return RIGHTS if is_unreadable(error) else REMAKE


class IndexProbe:
    """A view of the last commit that counts the copies of a document."""

    def __init__(self, directory: Path) -> None:
        opened = open_index(directory)
        self._searcher: Any = opened.searcher
        self._schema = opened.index.schema

    def count(self) -> int:
        """Return the number of documents."""
        return int(self._searcher.num_docs)

    def copies(self, url_id: bytes) -> int:
        """Return how many documents have this id."""
        import tantivy

        query = tantivy.Query.term_query(self._schema, "url_id", url_id.hex())
        return int(self._searcher.search(query, 1, count=True).count)
