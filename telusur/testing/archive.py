"""What every archive must do: `ArchiveSuite`."""

import base64
import gzip
import hashlib
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from telusur.errors import CollectionError
from telusur.models import Page
from telusur.store.archive import Archive
from telusur.store.records import ArchiveKey
from telusur.testing.cases import StoreCase


class ArchiveSuite(StoreCase):
    """Responses are read back as received."""

    def test_what_was_appended_is_read_back(self) -> None:
        archive = self.open_session().archive
        pages = [make_page(number) for number in range(5)]
        keys = [archive.append(page) for page in pages]
        archive.sync()
        assert len(set(keys)) == 5
        for key, page in zip(keys, pages, strict=True):
            assert_same(archive.read(key, page.url), page)

    def test_bodies_of_any_bytes_and_of_none(self) -> None:
        archive = self.open_session().archive
        bodies = [b"", bytes(range(256)), b"\r\n\r\nHTTP/1.1 200 OK\r\n", b"x" * 200_000]
        pages = [make_page(number, body=body) for number, body in enumerate(bodies)]
        keys = [archive.append(page) for page in pages]
        archive.sync()
        for key, page in zip(keys, pages, strict=True):
            assert_same(archive.read(key, page.url), page)

    def test_equal_bodies_belong_to_pages_of_their_own(self) -> None:
        archive = self.open_session().archive
        pages = [
            make_page(number, body=b"the same " * 200, status=200 + number) for number in (1, 2)
        ]
        keys = [archive.append(page) for page in pages]
        archive.sync()
        for key, page in zip(keys, pages, strict=True):
            assert_same(archive.read(key, page.url), page)

    def test_a_packed_response_is_read_back_like_any_other(self) -> None:
        archive = self.open_session().archive
        packer = archive.packer
        pages = [make_page(number, body=b"page %d " % (number // 2) * 200) for number in range(6)]
        # The function and what it returns go from process to process.
        packed = [
            None if packer is None else pickle.loads(pickle.dumps(packer))(page)  # noqa: S301
            for page in pages
        ]
        keys = [
            archive.append(page, packed=pickle.loads(pickle.dumps(one)))  # noqa: S301
            for page, one in zip(pages, packed, strict=True)
        ]
        keys.append(archive.append(pages[0]))
        archive.sync()
        for key, page in zip(keys, [*pages, pages[0]], strict=True):
            assert_same(archive.read(key, page.url), page)

    def test_what_a_browser_made_of_a_page(self) -> None:
        archive = self.open_session().archive
        drawn = archive.append(make_page(1), "<p>drawn ü".encode())
        plain = archive.append(make_page(2))
        archive.sync()
        assert archive.rendered(drawn) == "<p>drawn ü".encode()
        assert archive.rendered(plain) is None
        assert_same(archive.read(drawn, make_page(1).url), make_page(1))

    def test_what_the_record_of_an_answer_says(self) -> None:
        archive = self.open_session().archive
        page = make_page(1, status=404, body=b"gone " * 50)
        archive.append(make_page(0))
        key = archive.append(page, b"drawn")
        archive.sync()
        record = archive.record(key)
        assert record.status_line == page.status_line
        assert record.headers == page.headers
        fields = {name.lower(): value for name, value in record.fields}
        assert (fields["warc-type"], fields["warc-target-uri"]) == ("response", page.url)
        payload = hashlib.sha1(page.body, usedforsecurity=False).digest()
        assert record.digest == f"sha1:{base64.b32encode(payload).decode()}"
        assert record.length == len(archive.record_bytes(key))

    def test_a_record_by_itself_is_a_small_warc_file(self) -> None:
        archive = self.open_session().archive
        page = make_page(1, body=b"\x00\xff\r\n\r\n owls " * 50)
        keys = [archive.append(make_page(0)), archive.append(page)]
        archive.sync()
        data = gzip.decompress(archive.record_bytes(keys[1]))
        head, _, block = data.partition(b"\r\n\r\n")
        assert head.startswith(b"WARC/1.")
        assert f"WARC-Target-URI: {page.url}".encode() in head
        assert block.startswith(page.status_line.encode())
        assert block.endswith(page.body + b"\r\n\r\n")

    def test_a_key_that_the_archive_did_not_make_is_refused(self) -> None:
        archive = self.open_session().archive
        archive.append(make_page(1))
        archive.sync()
        key = ArchiveKey("no such key")
        with pytest.raises(CollectionError):
            archive.read(key, "http://a.example/")
        for read in (archive.rendered, archive.record, archive.record_bytes):
            with pytest.raises(CollectionError):
                read(key)

    def test_another_session_reads_what_was_committed(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        key = session.archive.append(make_page(1), b"drawn")
        session.commit()
        session.close()
        archive = self.reopened(store).session().archive
        assert_same(archive.read(key, make_page(1).url), make_page(1))
        assert archive.rendered(key) == b"drawn"

    def test_a_kill_loses_nothing_that_was_committed(self) -> None:
        store = self.open_store()
        session = store.session()
        session.begin()
        kept = session.archive.append(make_page(1))
        session.commit()
        session.begin()
        session.archive.append(make_page(2))
        session.archive.sync()
        self.kill(session)
        archive = self.reopened(store).session().archive
        later = archive.append(make_page(3))
        archive.sync()
        assert_same(archive.read(kept, make_page(1).url), make_page(1))
        assert_same(archive.read(later, make_page(3).url), make_page(3))

    def test_an_empty_archive_has_no_mark_and_nothing_to_cut(self) -> None:
        archive = self.open_session().archive
        assert archive.sync() is None
        archive.cut_behind(None)
        self._append(archive, 1)

    def test_what_stands_before_a_mark_is_not_cut(self) -> None:
        archive = self.open_session().archive
        kept = [self._append(archive, number) for number in range(3)]
        mark = archive.sync()
        assert mark is not None
        self._append(archive, 3)
        archive.close()
        archive.cut_behind(mark)
        kept.append(self._append(archive, 4))
        for key, number in zip(kept, (0, 1, 2, 4), strict=True):
            assert_same(archive.read(key, make_page(number).url), make_page(number))

    def test_threads_may_share_it_for_reading(self) -> None:
        archive = self.open_session().archive
        keys = [self._append(archive, number) for number in range(40)]

        def read(number: int) -> Page:
            return archive.read(keys[number], make_page(number).url)

        with ThreadPoolExecutor(8) as threads:
            pages = list(threads.map(read, range(40)))
        for number, page in enumerate(pages):
            assert_same(page, make_page(number))

    def _append(self, archive: Archive, number: int) -> ArchiveKey:
        """Append a page and check that it can be read back."""
        key = archive.append(make_page(number))
        archive.sync()
        assert_same(archive.read(key, make_page(number).url), make_page(number))
        return key


def make_page(number: int, **more: Any) -> Page:
    """Return a response with a body of its own."""
    values = {
        "status": 200,
        "status_line": f"HTTP/1.1 {more.get('status', 200)} Fine",
        "headers": (("Content-Type", "text/html"), ("X-Ö", "é")),
        "body": b"<p>\x00\xff body " + str(number).encode(),
        "fetched_at": 1_790_000_000.0 + number,
        "address": "192.0.2.7",
        "request_headers": (("User-Agent", "T"),),
    }
    return Page(f"http://a.example/{number}?q=ü", **{**values, **more})


def assert_same(read: Page, page: Page) -> None:
    """Fail unless a page is read back as received, apart from its time, which the catalogue has."""
    assert (read.url, read.status, read.body) == (page.url, page.status, page.body)
    assert (read.headers, read.status_line) == (page.headers, page.status_line)
