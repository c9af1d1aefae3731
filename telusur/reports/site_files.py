"""The files of a kind that a site has: those fetched, those linked to, and pictures it shows."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from telusur.adapters.sqlite_audit import SqliteAudit
from telusur.adapters.sqlite_schema import connect
from telusur.crawl.link_record import unpack_links
from telusur.errors import CollectionError, UsageError
from telusur.extract.part_records import PageParts

# fmt: off
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "image": (("image/",), ("png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "bmp", "ico",
                            "tif", "tiff")),
    "pdf": (("application/pdf",), ("pdf",)),
    "audio": (("audio/",), ("mp3", "ogg", "oga", "wav", "flac", "m4a", "opus")),
    "video": (("video/",), ("mp4", "webm", "ogv", "mov", "avi", "mkv", "m4v")),
    "document": (("application/msword", "application/vnd.", "application/rtf"),
                 ("doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "ppt", "pptx", "odp", "epub")),
    "archive": (("application/zip", "application/gzip", "application/x-tar"),
                ("zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar")),
    "feed": (("application/rss+xml", "application/atom+xml"), ("rss", "atom")),
}
# fmt: on
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]*")


class FoundFile(NamedTuple):
    """A file, how it was found, and the first page that leads to it."""

    url: str
    how: str
    """fetched, linked or shown."""
    page: str = ""
    text: str = ""
    content_type: str = ""
    size_bytes: int | None = None
    status: int | None = None


PartsOf = Callable[[str], PageParts | None]


def find_files(
    directory: Path, kind: str, site: str = "", parts_of: PartsOf | None = None
) -> Iterator[FoundFile]:
    """Yield the files of a kind, each once: image, pdf ..., or a media type such as `text/css`.

    1. What was fetched and had this type. 2. What links lead to, by the end of its name. 3. With
    `parts_of`, pictures that pages show, which takes reading them all.
    """
    types, endings = _read_kind(kind)
    seen: set[str] = set()

    def is_new(url: str) -> bool:
        if url in seen:
            return False
        seen.add(url)
        return True

    with closing(connect(directory, read_only=True)) as connection:
        rows = SqliteAudit(connection, site)
        for like in types:  # 1
            for url, content_type, size, status in rows.files_fetched(like):
                if is_new(url):
                    yield FoundFile(url, "fetched", "", "", content_type, size, status)
        if not endings:
            return
        for page, record in rows.link_records():  # 2
            for link in unpack_links(record):
                if _ending_of(link.url) in endings and is_new(link.url):
                    yield FoundFile(link.url, "linked", page, link.anchor)
        if kind != "image" or parts_of is None:
            return
        for page, _ in rows.indexed_urls():  # 3
            for url, alt in _pictures_of(page, parts_of):
                if is_new(url):
                    yield FoundFile(url, "shown", page, alt)


def _pictures_of(page: str, parts_of: PartsOf) -> Iterator[tuple[str, str]]:
    try:
        parts = parts_of(page)
    except CollectionError:  # damaged there; `telusur verify` tells
        return
    for image in parts.images if parts is not None else ():
        if image.src:
            yield image.src, image.alt


def _read_kind(kind: str) -> tuple[tuple[str, ...], frozenset[str]]:
    if kind in KINDS:
        types, endings = KINDS[kind]
        return types, frozenset(endings)
    if _MEDIA_TYPE.fullmatch(kind):
        return (kind,), frozenset()
    raise UsageError(
        f"type: {kind[:60]!r} is none of {', '.join(KINDS)}, and no media type like image/png."
    )


def _ending_of(url: str) -> str:
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
