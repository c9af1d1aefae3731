import io
import struct
import zipfile
import zlib

from telusur.demo.files import archive, pdf, png


def test_a_picture_has_the_size_its_header_promises():
    data = png("navy")
    width, height = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", data[start - 8 : start - 4])
    assert len(zlib.decompress(data[start : start + length])) == height * (1 + 3 * width)


def test_a_document_says_where_its_objects_are():
    data = pdf("Closed on Mondays.")
    place = int(data.split(b"startxref\n")[1].split(b"\n")[0])
    assert data[place : place + 4] == b"xref"
    first = int(data[place:].split(b"\n")[3].split(b" ")[0])
    assert data[first : first + 7] == b"1 0 obj"
    assert b"(Closed on Mondays.)" in data


def test_an_archive_can_be_opened_and_is_always_the_same():
    data = archive("a.txt", "hello")
    assert zipfile.ZipFile(io.BytesIO(data)).read("a.txt") == b"hello"
    assert archive("a.txt", "hello") == data
