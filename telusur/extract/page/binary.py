"""Recognises bodies that are no text."""

_CONTROL_BYTES = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")


def looks_binary(body: bytes, content_type: str) -> bool:
    """Tell whether this is binary data: a known signature, or control bytes near the start.

    UTF-16 text has zero bytes too, but it has a byte order mark or a declared charset.
    """
    head = body[:1024]
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or "utf-16" in content_type.lower():
        return False
    if head.startswith(
        (b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"%PDF-", b"PK\x03\x04", b"\x1f\x8b")
    ):
        return True
    return len(head.translate(None, _CONTROL_BYTES)) < len(head) * 0.9
