"""Finds the files of a kind on a site: fetched, linked to, or shown as images."""

import mimetypes
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from telusur.crawl.urls.link_record import find_links
from telusur.errors import CollectionError, UsageError
from telusur.extract.writing.part_records import Image
from telusur.store.store import CatalogueStore

# fmt: off
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "image": (("image/",), ("png", "jpg", "jpeg", "gif", "webp", "svg", "avif", "bmp", "ico",
                            "tif", "tiff", "heic", "jfif", "jpe", "psd", "svgz")),
    "pdf": (("application/pdf",), ("pdf",)),
    "audio": (("audio/",), ("mp3", "ogg", "oga", "wav", "flac", "m4a", "opus", "aac", "aif", "aiff",
                            "mid", "weba", "wma")),
    "video": (("video/",), ("mp4", "webm", "ogv", "mov", "avi", "mkv", "m4v", "mpeg", "mpg", "3gp",
                            "flv", "wmv")),
    "document": (("application/msword", "application/vnd.", "application/rtf"),
                 ("doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "ppt", "pptx", "odp", "epub")),
    "archive": (("application/zip", "application/gzip", "application/x-tar"),
                ("zip", "gz", "tgz", "tar", "bz2", "xz", "7z", "rar")),
    "feed": (("application/rss+xml", "application/atom+xml"), ("rss", "atom")),
}
# fmt: on
# Links to pages do not count as files.
_PAGES = ("text/html", "application/xhtml+xml")
# Ignore the machine's own tables, so that every machine finds the same files.
_KNOWN = mimetypes.MimeTypes()
_MEDIA_TYPE = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]*")


class FoundFile(NamedTuple):
    """A file, its source, and the first page that refers to it."""

    url: str
    # fetched, linked or shown.
    how: str
    page: str = ""
    text: str = ""
    content_type: str = ""
    size_bytes: int | None = None
    status: int | None = None


class Looked(NamedTuple):
    """The progress of a search for files: pages read, and their total, over both passes."""

    at: int
    of: int


ImagesOf = Callable[[str], Sequence[Image] | None]


def find_files(
    store: CatalogueStore, kind: str, site: str = "", images_of: ImagesOf | None = None
) -> Iterator[FoundFile]:
    """Yield the files of a kind once each: image, pdf ..., or a media type such as `text/css`."""
    steps = walk_files(store, kind, site, images_of)
    return (step for step in steps if isinstance(step, FoundFile))


def walk_files(
    store: CatalogueStore, kind: str, site: str = "", images_of: ImagesOf | None = None
) -> Generator[FoundFile | Looked, None, None]:
    """Yield the files of a kind once each, and the progress after each page.

    (1) Fetched files of this type. (2) Links, by file extension. (3) With `images_of`, images on
    pages; this reads all pages.
    """
    types, endings = _read_kind(kind)
    seen: set[str] = set()

    def is_new(url: str) -> bool:
        if url in seen:
            return False
        seen.add(url)
        return True

    with closing(store.site(site)) as rows:
        for like in types:  # 1
            for url, content_type, size, status in rows.files_fetched(like):
                if is_new(url):
                    yield FoundFile(url, "fetched", "", "", content_type, size, status)
        if not endings:
            return
        documents, indexed = rows.count_documents()
        reads_pages = kind == "image" and images_of is not None
        looked = Looked(0, documents + (indexed if reads_pages else 0))
        # A row of a record begins with the URL, which ends at a tab.
        likely = re.compile(
            rf"\.(?:{'|'.join(map(re.escape, sorted(endings)))})[\t?#]", re.IGNORECASE
        )
        for number, (page, record) in enumerate(rows.link_records(), 1):  # 2
            for link in find_links(record, likely):
                if _ending_of(link.url) in endings and is_new(link.url):
                    yield FoundFile(link.url, "linked", page, link.anchor)
            yield looked._replace(at=number)
        if images_of is None or not reads_pages:
            return
        for number, (page, _) in enumerate(rows.indexed_urls(), 1):  # 3
            for url, alt in _pictures_of(page, images_of):
                if is_new(url):
                    yield FoundFile(url, "shown", page, alt)
            yield looked._replace(at=documents + number)


def _pictures_of(page: str, images_of: ImagesOf) -> Iterator[tuple[str, str]]:
    try:
        images = images_of(page)
    except CollectionError:
        # The archive is damaged; `telusur verify` reports it.
        return
    for image in images or ():
        if image.src:
            yield image.src, image.alt


def check_kind(kind: str) -> None:
    """Raise UsageError for an unknown kind of file."""
    _read_kind(kind)


def _read_kind(kind: str) -> tuple[tuple[str, ...], frozenset[str]]:
    if kind in KINDS:
        types, endings = KINDS[kind]
        return types, frozenset(endings)
    if _MEDIA_TYPE.fullmatch(kind):
        return (kind,), _endings_of(kind)
    raise UsageError(
        f"type: {kind[:60]!r} is not one of {', '.join(KINDS)}, nor a media type like image/png."
    )


def _endings_of(media_type: str) -> frozenset[str]:
    """Return the file extensions of a type; `audio/x-wav` equals `audio/wav`."""
    if media_type in _PAGES:
        return frozenset()
    wanted = media_type.replace("/x-", "/")
    known = _KNOWN.types_map[0] | _KNOWN.types_map[1]
    return frozenset(
        ending[1:]
        for ending, found in known.items()
        if (plain := found.replace("/x-", "/")) == wanted
        or (wanted.endswith("/") and plain.startswith(wanted))
    )


def _ending_of(url: str) -> str:
    path = url.partition("://")[2].partition("/")[2].partition("?")[0].partition("#")[0]
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""
