"""What the archive has of a page's parts: pictures and style sheets, told by their bytes."""

from base64 import b64encode

from telusur.errors import CollectionError
from telusur.extract.content_coding import ContentCodingError, decode_content
from telusur.extract.harmless import Stored
from telusur.web.page_reader import PageReader

LARGEST_PICTURE = 150_000
LARGEST_SHEET = 500_000
MOST_BYTES = 3_000_000
"""Of all pictures of a page together: they travel within it."""

_SIGNS = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
)


def stored_parts(collection: PageReader) -> Stored:
    """Return how a page's pictures and sheets are found in the archive; nothing is fetched."""
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


def _body_of(collection: PageReader, url: str, media_type: str, most: int) -> bytes:
    """Return what was answered, if it is of that type and not too large; else nothing."""
    try:
        page = collection.page(url)
        if page is None or page.status != 200 or not page.content_type.startswith(media_type):
            return b""
        body, _ = decode_content(page.body, page.header("content-encoding"), most + 1)
    except (CollectionError, ContentCodingError):
        return b""
    return body if len(body) <= most else b""


def _kind_of(body: bytes) -> str:
    """Return png, jpeg, gif or webp by the first bytes; a picture that may run is none of them."""
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "webp"
    return next((kind for sign, kind in _SIGNS if body.startswith(sign)), "")
