"""How a body is read by its media type: as HTML, as plain text, or not at all."""

HTML_TYPES = ("text/html", "application/xhtml+xml")
# XML is read like HTML: the text between its tags is its text.
_XML_TYPES = ("text/xml", "application/xml")
_PLAIN_TYPES = (
    "application/json", "application/javascript", "application/yaml", "application/toml",
)  # fmt: skip


def is_plain(media_type: str) -> bool:
    """Tell whether a body of this type is read as plain text."""
    if media_type in _PLAIN_TYPES or media_type.endswith("+json"):
        return True
    return media_type.startswith("text/") and media_type not in (*HTML_TYPES, *_XML_TYPES)


def is_file(media_type: str) -> bool:
    """Tell whether a body of this type has no text that we can read: an image, a PDF, an
    archive."""
    if media_type in ("", *HTML_TYPES, *_XML_TYPES) or is_plain(media_type):
        return False
    return media_type.startswith("image/") or not media_type.endswith("+xml")
