"""Plain text as a page, so that everything that reads pages reads it too."""

from telusur.extract.media_types import is_plain
from telusur.extract.page.decode import decode_html
from telusur.extract.writing.escaping import escape
from telusur.models import media_type_of


def as_page(body: bytes, content_type: str) -> bytes | str:
    """Return a body as HTML: plain text as one preformatted block, anything else as it is."""
    if not is_plain(media_type_of(content_type)):
        return body
    return f"<pre>\n{escape(decode_html(body, content_type)[0])}</pre>"
