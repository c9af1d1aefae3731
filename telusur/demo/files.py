"""Files other than pages, made in code: an image, a PDF, an archive."""

import io
import struct
import zipfile
import zlib

_SIDE = 96
_COLOURS = {
    "red": (178, 52, 44),
    "navy": (28, 52, 92),
    "green": (58, 110, 70),
    "yellow": (226, 179, 60),
    "white": (236, 234, 226),
    "black": (34, 34, 38),
    "grey": (128, 132, 138),
    "brass": (181, 148, 74),
}


def png(colour: str) -> bytes:
    """Return an image: a lighter square on a background of the named colour."""
    red, green, blue = _COLOURS[colour]
    ground = bytes((red, green, blue))
    light = bytes(min(255, part + 40) for part in ground)
    edge = ground * (_SIDE // 4)
    plain, middle = b"\0" + ground * _SIDE, b"\0" + edge + light * (_SIDE // 2) + edge
    rows = plain * (_SIDE // 4) + middle * (_SIDE // 2) + plain * (_SIDE // 4)
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def pdf(sentence: str) -> bytes:
    """Return a PDF of one page with one ASCII sentence without brackets."""
    stream = f"BT /F1 14 Tf 40 780 Td ({sentence}) Tj ET".encode("ascii")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    body, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(body))
    return body + head + table + tail


def archive(name: str, text: str) -> bytes:
    """Return a zip archive with one text in it, the same bytes every time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text)
    return buffer.getvalue()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
