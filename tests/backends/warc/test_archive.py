import gzip

import pytest
from warcio.archiveiterator import ArchiveIterator

from telusur.backends.warc import archive as warc
from telusur.backends.warc.archive import WarcArchive, WarcPlace, end_of, place_of
from telusur.backends.warc.record import pack_exchange
from telusur.errors import CollectionError
from telusur.models import Page


def make_page(number: int = 1, **more) -> Page:
    values = {
        "url": f"http://example.org/{number}?q=ü",
        "status": 200,
        "headers": (("Content-Type", "text/html"), ("Transfer-Encoding", "chunked"), ("X-Ö", "é")),
        "body": b"<p>\x00\xff body " + str(number).encode(),
        "fetched_at": 1_790_000_000.125 + number,
        "status_line": "HTTP/1.1 200 Fine",
        "address": "192.0.2.7",
        "request_headers": (("User-Agent", "T"),),
    }
    return Page(**{**values, **more})


def test_what_was_written_is_read_back(tmp_path):
    archive = WarcArchive(tmp_path)
    places = [archive.append(make_page(number)) for number in range(5)]
    archive.sync()
    for number, place in enumerate(places):
        page = archive.read(place, make_page(number).url)
        assert page.body == make_page(number).body
        assert page.status == 200
        assert page.status_line == "HTTP/1.1 200 Fine"
        assert page.header("x-ö") == "é"
    archive.close()


def test_other_tools_read_it(tmp_path):
    archive = WarcArchive(tmp_path)
    archive.append(make_page(1))
    archive.append(make_page(2, truncated=True, body=b""))
    archive.sync()
    archive.close()
    with (tmp_path / "telusur-00001.warc.gz").open("rb") as file:
        records = []
        for record in ArchiveIterator(file, check_digests="raise"):
            body = record.content_stream().read()
            records.append((record.rec_type, record.rec_headers, record.http_headers, body))
    kinds = [kind for kind, *_ in records]
    assert kinds == ["warcinfo", "response", "request", "response", "request"]
    _, headers, http, body = records[1]
    assert headers.get_header("WARC-Target-URI") == make_page(1).url
    assert headers.get_header("WARC-IP-Address") == "192.0.2.7"
    assert http.get_statuscode() == "200"
    assert body == make_page(1).body
    assert records[3][1].get_header("WARC-Truncated") == "length"


def test_each_record_is_a_gzip_member(tmp_path):
    archive = WarcArchive(tmp_path)
    place = place_of(archive.append(make_page()))
    archive.sync()
    data = (tmp_path / place.file).read_bytes()[place.offset : place.offset + place.length]
    assert gzip.decompress(data).startswith(b"WARC/1.1\r\nWARC-Type: response")
    archive.close()


def test_a_tail_behind_the_last_commit_is_cut(tmp_path):
    archive = WarcArchive(tmp_path)
    kept = archive.append(make_page(1))
    end = archive.sync()
    archive.append(make_page(2))
    archive.sync()
    archive.close()
    archive.cut_behind(end)
    assert (tmp_path / place_of(kept).file).stat().st_size == end_of(end)[1]
    again = archive.append(make_page(3))
    archive.sync()
    assert place_of(again).offset == end_of(end)[1]
    assert archive.read(kept, "u").body == make_page(1).body
    assert archive.read(again, "u").body == make_page(3).body
    archive.close()


def test_an_archive_that_no_commit_names_is_removed(tmp_path):
    archive = WarcArchive(tmp_path)
    archive.append(make_page())
    archive.close()
    archive.cut_behind(None)
    assert list(tmp_path.iterdir()) == []


def test_a_full_file_is_followed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(warc, "LARGEST_FILE_BYTES", 1000)
    archive = WarcArchive(tmp_path)
    places = [archive.append(make_page(number)) for number in range(4)]
    archive.sync()
    archive.close()
    assert len({place_of(key).file for key in places}) > 1
    reopened = WarcArchive(tmp_path)
    places.append(reopened.append(make_page(4)))
    reopened.sync()
    assert place_of(places[-1]).file >= place_of(places[-2]).file
    for number, place in enumerate(places):
        assert reopened.read(place, "u").body == make_page(number).body
    reopened.close()


def test_a_damaged_archive_is_named(tmp_path):
    with pytest.raises(CollectionError, match=r"telusur-00009\.warc\.gz"):
        WarcArchive(tmp_path).read(WarcPlace("telusur-00009.warc.gz", 0, 10).key, "http://e.org/")


def test_a_payload_that_comes_again_is_not_stored_again(tmp_path):
    body = b"the same words again and again " * 1000
    archive = WarcArchive(tmp_path)
    first = archive.append(make_page(1, body=body))
    second = archive.append(make_page(2, body=body, status_line="HTTP/1.1 200 Again"))
    archive.sync()
    again = archive.read(second, make_page(2).url)
    assert (again.url, again.body, again.status_line) == (
        make_page(2).url, body, "HTTP/1.1 200 Again"
    )  # fmt: skip
    assert archive.read(first, make_page(1).url).body == body
    archive.close()
    with (tmp_path / "telusur-00001.warc.gz").open("rb") as file:
        records = list(ArchiveIterator(file, check_digests="raise"))
    assert [record.rec_type for record in records] == [
        "warcinfo", "response", "request", "revisit", "request"
    ]  # fmt: skip
    headers = records[3].rec_headers
    assert headers.get_header("WARC-Profile").endswith("/revisit/identical-payload-digest")
    assert headers.get_header("WARC-Refers-To-Target-URI") == make_page(1).url
    assert headers.get_header("WARC-Refers-To") == records[1].rec_headers.get_header(
        "WARC-Record-ID"
    )
    assert headers.get_header("WARC-Payload-Digest") == records[1].rec_headers.get_header(
        "WARC-Payload-Digest"
    )


def test_payloads_are_remembered_in_a_bounded_number(tmp_path, monkeypatch):
    monkeypatch.setattr(warc, "REMEMBERED_PAYLOADS", 2)
    archive = WarcArchive(tmp_path)
    bodies = [str(number).encode() * 1000 for number in range(4)]
    for number in (0, 1, 2, 3, 0):
        archive.append(make_page(number, body=bodies[number]))
    archive.sync()
    archive.close()
    with (tmp_path / "telusur-00001.warc.gz").open("rb") as file:
        kinds = [record.rec_type for record in ArchiveIterator(file)]
    assert kinds.count("response") == 5


def test_packed_elsewhere_the_records_are_the_same_byte_for_byte(tmp_path):
    pages = [make_page(1), make_page(2, body=b"long " * 500), make_page(3, body=b"long " * 500)]
    kept = []
    for name, pack in (("here", lambda page: None), ("there", pack_exchange)):
        archive = WarcArchive(tmp_path / name)
        keys = [archive.append(page, b"<p>drawn", pack(page)) for page in pages]
        archive.sync()
        archive.close()
        records = gzip.decompress((tmp_path / name / "telusur-00001.warc.gz").read_bytes())
        assert records.count(b"WARC-Type: revisit") == 1
        kept.append([archive.record_bytes(key) for key in keys[:2]])
        kept[-1].append([archive.rendered(key) for key in keys])
    assert kept[0] == kept[1]
