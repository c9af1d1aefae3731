"""Turns the bytes of a page into text like a browser, and better where the page is wrong."""

import codecs
import re
from collections.abc import Iterator
from functools import partial

import webencodings
from turbohtml.detect import detect

from telusur.extract.compiled import native
from telusur.extract.page.prescan import find_meta_encoding

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_HTTP_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s;\"']+)", re.IGNORECASE)
_HIGH_BYTE = re.compile(rb"[\x80-\xff]")
_MOST_BEFORE = 200
_RUN_WITH_HIGH_BYTES = re.compile(rb"[^<>]{0,%d}[\x80-\xff][^<>]{0,400}" % _MOST_BEFORE)
_HEAD_BYTES = 65_536  # a meta element further down than this is not in the head
_DETECTOR_BYTES = 40_000


def decode_html(data: bytes, content_type: str = "") -> tuple[str, str]:
    """Return the text and the WHATWG name of its encoding.

    1. A byte order mark. 2. The charset of the HTTP header. 3. The page's own meta element.
    4. A guess from the bytes. A label that the bytes contradict is ignored.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _decode(data[len(mark) :], name), name
    for find in (partial(_http_encoding, content_type), partial(_meta_encoding, data)):
        label = find()
        if label is not None and (text := _decode_as_labelled(data, label)) is not None:
            return text, label
    name = detect_encoding(data)
    return _decode(data, name), name


def clean_text(text: str) -> str:
    """Return a text that can be stored: no NULs, and U+FFFD for lone surrogates."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    if _has_halves(text):
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _has_halves(text: str) -> bool:
    if native is not None:
        return bool(native.has_surrogates(text))
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def detect_encoding(data: bytes) -> str:
    """Guess the encoding of unlabelled bytes; windows-1252 without other evidence."""
    if not data.isascii() and _is_utf8(data):
        return "utf-8"
    sample = b" ".join(_runs_with_high_bytes(data[: 8 * _DETECTOR_BYTES]))
    found = detect(sample[:_DETECTOR_BYTES]).encoding or ""
    encoding = webencodings.lookup(found)
    is_possible = encoding is not None and not encoding.name.startswith("utf-")
    return encoding.name if is_possible else "windows-1252"


def _runs_with_high_bytes(data: bytes) -> Iterator[bytes]:
    """Yield the text around bytes outside ASCII, in time that is linear in the length of the page.

    A search by the pattern alone tries 200 lengths at every byte before it.
    """
    end = 0
    while high := _HIGH_BYTE.search(data, end):
        at = high.start()
        least = max(end, at - _MOST_BEFORE)
        tag = max(data.rfind(b"<", least, at), data.rfind(b">", least, at))
        run = _RUN_WITH_HIGH_BYTES.match(data, max(least, tag + 1))
        assert run is not None
        yield run[0]
        end = run.end()


def _http_encoding(content_type: str) -> str | None:
    match = _HTTP_CHARSET.search(content_type)
    return _name_of(match[1]) if match else None


def _meta_encoding(data: bytes) -> str | None:
    """Look where browsers look first, then in the rest of the head."""
    label = find_meta_encoding(data[:1024])
    if label is None and len(data) > 1024:
        label = find_meta_encoding(data[:_HEAD_BYTES])
    return label


def _name_of(label: str) -> str | None:
    encoding = webencodings.lookup(label)
    return encoding.name if encoding else None


def _decode_as_labelled(data: bytes, name: str) -> str | None:
    """Return the text, or None when the bytes contradict a label that servers send by default."""
    if name == "utf-8":
        text = _decode(data, name)
        return None if "\ufffd" in text and _is_mostly_not_utf8(data) else text
    if name == "windows-1252" and _is_utf8(data) and _count_sequences(data) >= 3:
        return None
    return _decode(data, name)


def _is_utf8(data: bytes) -> bool:
    """Tell whether `data` is UTF-8, perhaps cut off within its last character."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        return False
    return True


def _is_mostly_not_utf8(data: bytes) -> bool:
    """Tell whether broken characters are more than a tenth of those outside ASCII."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    return broken > 0.1 * (broken + _count_sequences(data))


def _count_sequences(data: bytes) -> int:
    """Count the well-formed UTF-8 sequences of two and more bytes."""
    return sum(1 for character in data.decode("utf-8", "ignore") if character > "\x7f")


def _decode(data: bytes, name: str) -> str:
    if name == "utf-8":
        text = data.decode("utf-8", "replace")
    else:
        text = webencodings.lookup(name).codec_info.decode(data, "replace")[0]
    return text.replace("\x00", "") if "\x00" in text else text
