"""What a reader must return about fetches; `ReaderSuite` checks a whole reader."""

import gzip
from concurrent.futures import ThreadPoolExecutor

from telusur.document_table import EXPORTED
from telusur.models import Heading, State
from telusur.testing.cases import StoreCase
from telusur.testing.reading.documents import DocumentReadingTests
from telusur.testing.reading.filling import NOBODY, FilledStore, id_of, url_of
from telusur.testing.reading.links import LinkReadingTests
from telusur.testing.reading.urls import UrlReadingTests


class FetchReadingTests(StoreCase):
    """Pages for an export, the fetches of one URL, and what the archive has."""

    def test_pages_come_in_the_order_they_were_fetched(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", "a.example/2", "a.example/3", "a.example/4")
        filled.fetch("a.example/3")
        filled.fetch("a.example/1", status=404, state=State.FAILED, reason="http 404")
        filled.fetch("a.example/2", status=503, state=State.WAITING, reason="http 503")
        filled.fetch("a.example/3", fetched_at=200.0)
        rows = list(filled.store.reader().pages(("url", "status", "state", "reason", "fetched_at")))
        assert rows == [
            {"url": "http://a.example/1", "status": 404, "state": "failed", "reason": "http 404",
             "fetched_at": 100.0},
            {"url": "http://a.example/3", "status": 200, "state": "done", "reason": "",
             "fetched_at": 200.0},
        ]  # fmt: skip

    def test_a_page_is_exported_with_its_document(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/", depth=0)
        filled.find("a.example/1", depth=3, parent=id_of("a.example/"))
        filled.fetch(
            "a.example/1", seconds=0.5, size_bytes=99, content_type="text/plain", crawl_id=4
        )
        told = {
            "title": "Owls",
            "html5": True,
            "fields": {"a": [1]},
            "headings": [Heading(1, "Go")],
        }
        filled.put_document("a.example/1", **told)
        (row,) = filled.store.reader().pages()
        assert list(row) == list(EXPORTED)
        fetched = {"url": "http://a.example/1", "depth": 3, "parent": "http://a.example/",
                   "download_seconds": 0.5, "content_type": "text/plain", "size_bytes": 99,
                   "crawl_id": 4}  # fmt: skip
        assert {name: row[name] for name in fetched} == fetched
        stored = told | {"headings": [{"level": 1, "text": "Go"}]}
        assert {name: row[name] for name in stored} == stored
        assert row["html5"] is True

    def test_a_page_without_a_document_is_exported_with_empty_fields(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", status=None, state=State.FAILED, reason="timeout")
        names = ("title", "date", "fields", "headings", "html5", "parent", "status", "crawl_id")
        (row,) = filled.store.reader().pages(names)
        assert list(row.values()) == ["", None, {}, [], False, None, None, None]

    def test_what_did_not_come_from_a_crawl_is_no_page(self) -> None:
        filled = FilledStore(self)
        filled.put_document("added.example/")
        assert list(filled.store.reader().pages()) == []

    def test_the_fetches_of_a_url(self) -> None:
        filled = FilledStore(self)
        again = {"status": 503, "state": State.WAITING, "reason": "http 503"}
        filled.fetch("a.example/1", fetched_at=1.0, **again)
        filled.fetch(
            "a.example/1", fetched_at=2.0, status=None, state=State.FAILED, reason="timeout"
        )
        operations = {"extract": 0.5, "links": 0.25}
        filled.fetch("a.example/1", fetched_at=3.0, is_archived=True, operations=operations)
        filled.fetch("a.example/2")
        reader = filled.store.reader()
        newest, *older = reader.fetches(id_of("a.example/1"), 9)
        assert (newest.fetched_at, newest.status, newest.seconds) == (3.0, 200, 0.25)
        assert (newest.content_type, newest.size_bytes) == ("text/html", 7)
        assert (newest.operations, newest.key is None) == (operations, False)
        assert [(one.status, one.reason, one.key) for one in older] == [
            (None, "timeout", None), (503, "http 503", None),
        ]  # fmt: skip
        assert reader.fetches(id_of("a.example/1"), 2) == [newest, older[0]]
        assert reader.fetches(id_of(NOBODY), 9) == []

    def test_pages_that_were_fetched_again(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", fetched_at=10.0)
        filled.fetch("a.example/2", fetched_at=10.0, status=404, state=State.FAILED)
        filled.fetch("a.example/3", fetched_at=10.0)
        for path in ("a.example/1", "a.example/1", "a.example/2", "a.example/4"):
            filled.fetch(path, fetched_at=30.0)
        reader = filled.store.reader()
        assert reader.fetched_again(20.0) == [id_of("a.example/1")]
        assert reader.fetched_again(30.0) == []
        assert reader.fetched_again(5.0) == []

    def test_the_newest_answer_is_read_from_the_archive(self) -> None:
        filled = FilledStore(self)
        url_id = filled.fetch("a.example/1", is_archived=True, body=b"old")
        filled.fetch("a.example/1", is_archived=True, body=b"new \xff", rendered=b"<p>drawn")
        filled.fetch("a.example/1", status=None, state=State.FAILED, reason="timeout")
        reader = filled.store.reader()
        page = reader.page(url_id, "http://a.example/1")
        assert page is not None
        assert (page.url, page.status, page.body) == ("http://a.example/1", 200, b"new \xff")
        assert (reader.has_page(url_id), reader.rendered(url_id)) == (True, b"<p>drawn")
        record, data = reader.record(url_id), reader.record_bytes(url_id)
        assert record is not None
        assert data is not None
        assert record.status_line == "HTTP/1.1 200 Fine"
        assert b"new \xff" in gzip.decompress(data)

    def test_what_was_not_archived_cannot_be_read(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", status=None, state=State.FAILED, reason="timeout")
        filled.put_document("added.example/")
        reader = filled.store.reader()
        for path in ("a.example/1", "added.example/", NOBODY):
            url_id = id_of(path)
            assert (reader.has_page(url_id), reader.page(url_id, url_of(path))) == (False, None)
            assert (reader.rendered(url_id), reader.record(url_id)) == (None, None)
            assert reader.record_bytes(url_id) is None

    def test_threads_may_share_a_reader(self) -> None:
        filled = FilledStore(self)
        paths = [f"a.example/{number}" for number in range(20)]
        for path in paths:
            filled.fetch(path, is_archived=True, body=path.encode())
            filled.put_document(path)
        reader = filled.store.reader()

        def read(path: str) -> tuple[str, bytes, int, int]:
            document, page = reader.document(id_of(path)), reader.page(id_of(path), url_of(path))
            assert document is not None
            assert page is not None
            return document.title, page.body, reader.counts().pages, len(list(reader.pages()))

        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(read, paths))
        assert found == [(path, path.encode(), 20, 20) for path in paths]


class ReaderSuite(UrlReadingTests, DocumentReadingTests, FetchReadingTests, LinkReadingTests):
    """A reader returns what is committed, and nothing else."""
