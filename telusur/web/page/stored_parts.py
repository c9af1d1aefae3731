"""The images and style sheets of a page, from the archive; types are checked by their bytes."""

from base64 import b64encode

from telusur.errors import CollectionError
from telusur.extract.page.content_coding import ContentCodingError, decode_content
from telusur.extract.writing.sanitize import Stored
from telusur.web.page.reader import StoredPageReader

LARGEST_PICTURE = 150_000
LARGEST_SHEET = 500_000
# For all images of a page together, since they are embedded in it.
MOST_BYTES = 3_000_000

_SIGNS = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
)


def stored_parts(collection: StoredPageReader) -> Stored:
    """Return functions that find images and style sheets in the archive; nothing is fetched."""
    left = MOST_BYTES

    def picture_of(url: str) -> str | None:
        nonlocal left
        body = _body_of(collection, url, "image/", min(LARGEST_PICTURE, left))
        kind = _kind_of(body)
        if not kind:
            return None
        left -= len(body)
        return f"data:image/{kind};base64,{b64encode(body).decode()}"

    def sheet_of(url: str) -> str | None:
        return _body_of(collection, url, "text/css", LARGEST_SHEET).decode("utf-8", "replace")

    return Stored(sheet_of, picture_of)


def _body_of(collection: StoredPageReader, url: str, media_type: str, most: int) -> bytes:
    """Return the body of a response, if it has that type and is not too large; otherwise
    nothing."""
    try:
        page = collection.page(url)
        if page is None or page.status != 200 or not page.content_type.startswith(media_type):
            return b""
        body, _ = decode_content(page.body, page.header("content-encoding"), most + 1)
    except (CollectionError, ContentCodingError):
        return b""
    return body if len(body) <= most else b""


def _kind_of(body: bytes) -> str:
    """Return png, jpeg, gif or webp by the first bytes; SVG is excluded because it can run
    scripts."""
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "webp"
    return next((kind for sign, kind in _SIGNS if body.startswith(sign)), "")
