"""Find the encoding a page declares in its own bytes, by the HTML standard's prescan."""

import re
from functools import lru_cache

import webencodings

_INTERESTING = re.compile(rb"<(?:!--|meta[\t\n\x0c\r /]|/?[a-z]|[!/?])", re.IGNORECASE)
_CHARSET = re.compile(rb"charset", re.IGNORECASE)
_CONTENT_CHARSET = re.compile(
    r"charset[\t\n\x0c\r ]*=[\t\n\x0c\r ]*"
    r"(?:\"([^\"]*)\"|'([^']*)'|([^\"'\t\n\x0c\r ;][^\t\n\x0c\r ;]*))",
    re.IGNORECASE,
)


# How nearly all pages begin. What it matches, the loop below would read in the same way.
_USUAL = re.compile(
    rb"\s*(?:<\?[^>]*>\s*)?(?:<![a-z][^>]*>\s*)?(?:<html(?:\s+[a-z:-]+=\"[^\"<>]*\")*\s*>\s*)?"
    rb"<head>\s*(?:<title>[^<>&]*</title>\s*)?(?:<meta\s+name=\"[^\"<>]*\"\s+content=\"[^\"<>]*\""
    rb"\s*/?>\s*)*<meta\s+(?:charset=\"?([a-z0-9-]+)\"?|http-equiv=\"content-type\"\s+"
    rb"content=\"[a-z/+]+;\s*charset=([a-z0-9-]+)\")\s*/?>",
    re.IGNORECASE,
)


def find_meta_encoding(data: bytes) -> str | None:
    """Return the WHATWG name of the encoding declared by a meta element within `data`."""
    if not _CHARSET.search(data):  # nothing is declared without this word
        return None
    usual = _USUAL.match(data)
    if usual is not None and (name := _name_of((usual[1] or usual[2]).decode())) is not None:
        return name
    position = 0
    while match := _INTERESTING.search(data, position):
        start, opening = match.start(), match[0].lower()
        if opening == b"<!--":
            end = data.find(b"-->", start + 2)
            position = end + 3
        elif opening.startswith(b"<meta"):
            encoding, position = _read_meta(data, start + 5)
            if encoding:
                return encoding
            end = position
        elif opening[-1:].isalpha():
            end = position = _skip_tag(data, start + 1)
        else:
            end = data.find(b">", start)
            position = end + 1
        if end < 0:
            return None
    return None


def _read_meta(data: bytes, position: int) -> tuple[str | None, int]:
    """Return the encoding one meta element declares, if any, and where it ends (-1: cut off)."""
    seen: dict[bytes, bytes] = {}
    while True:
        attribute, position = _read_attribute(data, position)
        if position < 0:
            return None, -1
        if attribute is None:
            return _encoding_of(seen), position
        name, value = attribute
        seen.setdefault(name, value)


def _encoding_of(attributes: dict[bytes, bytes]) -> str | None:
    if b"charset" in attributes:
        label: str | None = attributes[b"charset"].decode("latin-1")
    elif attributes.get(b"http-equiv") == b"content-type" and b"content" in attributes:
        label = _charset_in(attributes[b"content"].decode("latin-1"))
    else:
        label = None
    return _name_of(label) if label else None


@lru_cache(maxsize=256)
def _name_of(label: str) -> str | None:
    encoding = webencodings.lookup(label)
    if encoding is None:
        return None
    if encoding.name in ("utf-16le", "utf-16be"):
        return "utf-8"  # a page whose ASCII we could read is not UTF-16
    return "windows-1252" if encoding.name == "x-user-defined" else str(encoding.name)


def _charset_in(content: str) -> str | None:
    match = _CONTENT_CHARSET.search(content)
    return next((group for group in match.groups() if group), None) if match else None


def _skip_tag(data: bytes, position: int) -> int:
    """Return the position after a tag whose name begins at `position`, or -1 when it is cut off."""
    while position < len(data) and data[position] not in b"\t\n\x0c\r />":
        position += 1
    attribute: tuple[bytes, bytes] | None = (b"", b"")
    while attribute is not None and position >= 0:
        attribute, position = _read_attribute(data, position)
    return position


_NAME = re.compile(rb"[\t\n\x0c\r /]*(?:>|(=?[^\t\n\x0c\r /=>]*))[\t\n\x0c\r ]*")
_VALUE = re.compile(
    rb"=[\t\n\x0c\r ]*(?:\"([^\"]*)\"|'([^']*)'|([^\"'\t\n\x0c\r >][^\t\n\x0c\r >]*)|(?=>))"
)


def _read_attribute(data: bytes, position: int) -> tuple[tuple[bytes, bytes] | None, int]:
    """Return the next attribute, or None at the end of the tag; the position is -1 when cut off."""
    match = _NAME.match(data, position)
    if match is None or (match.end() >= len(data) and match[1] is not None):
        return None, -1
    if match[1] is None:
        return None, data.index(b">", match.start()) + 1
    name = match[1].lower()
    if data[match.end() : match.end() + 1] != b"=":
        return (name, b""), match.end()
    value = _VALUE.match(data, match.end())
    if value is None or value.end() >= len(data):
        return None, -1
    text = next((group for group in value.groups() if group is not None), b"")
    return (name, text.lower()), value.end()
