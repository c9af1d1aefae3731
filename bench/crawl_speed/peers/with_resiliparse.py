"""resiliparse for content, fastwarc for the archive."""

from pathlib import Path

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree

# As zlib itself does. Higher levels cost CPU for hardly a smaller file.
LEVEL = 6


def read(body: bytes, url: str) -> tuple[str, str, list[str]]:
    """Return title, content and references of a page; resiliparse finds no author and no date."""
    tree = HTMLTree.parse_from_bytes(body, detect_encoding(body))
    # A copy: walking over the collection itself takes a hundred times as long.
    links = tree.document.query_selector_all("a[href]")[:]
    references = [link.getattr("href") or "" for link in links]
    text = extract_plain_text(tree, main_content=True, preserve_formatting=False)
    return tree.title or "", text, references


class Archive:
    """Responses in a compressed WARC file."""

    def __init__(self, path: Path) -> None:
        self._writer = GzipWriter(str(path), compression_level=LEVEL)

    def add(self, url: str, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        """Write one response."""
        lines = [f"HTTP/1.1 {status} OK", *(f"{name}: {value}" for name, value in headers)]
        content = "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + body
        record = WarcRecord()
        record.init_headers(WarcRecordType.response, content_length=len(content))
        record.headers["WARC-Target-URI"] = url
        record.headers["Content-Type"] = "application/http; msgtype=response"
        record.set_bytes_content(content)
        record.write(self._writer, checksum_data=True)

    def close(self) -> None:
        """Close the file."""
        self._writer.close()
