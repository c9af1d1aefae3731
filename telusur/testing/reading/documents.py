"""What a reader must return about documents: their fields, sites, copies and marks."""

import json
from typing import Any

from telusur.models import Document, Heading, MarkedPage
from telusur.store.views import CopyView
from telusur.testing.cases import StoreCase
from telusur.testing.reading.filling import (
    NOBODY,
    FilledStore,
    found_url,
    id_of,
    ids_of,
    url_of,
    urls_of,
)


class DocumentReadingTests(StoreCase):
    """Current documents, of crawls and others."""

    def test_a_document_is_read_back_as_it_was_stored(self) -> None:
        filled = FilledStore(self)
        told: dict[str, Any] = {
            "title": "Owls", "author": "A. Owl", "date": "2026-01-31", "description": "On owls.",
            "keywords": "owl", "text": "Owls hunt\nat night 🙂.", "language": "en", "html5": True,
            "page_type": "article", "headings": [Heading(2, "How owls hunt")],
            "fields": {"price": 3.5, "ü": ["a", None]}, "topic_score": 0.5, "topic": "owls",
            "crawl_id": 2, "reading_minutes": 4, "image": "http://a.example/owl.png",
        }  # fmt: skip
        filled.put_document("a.example/1", **told)
        filled.put_document("a.example/2")
        reader = filled.store.reader()
        assert reader.document(id_of("a.example/1")) == Document(url="http://a.example/1", **told)
        plain = Document(url="http://a.example/2", title="a.example/2")
        assert reader.document(id_of("a.example/2")) == plain
        assert reader.document(id_of(NOBODY)) is None

    def test_a_document_belongs_to_whoever_reads_it(self) -> None:
        filled = FilledStore(self)
        url_id = filled.put_document("a.example/1", fields={"price": 3})
        reader = filled.store.reader()
        first = reader.document(url_id)
        assert first is not None
        first.title = first.fields["price"] = "changed"
        second = reader.document(url_id)
        assert second is not None
        assert (second.title, second.fields) == ("a.example/1", {"price": 3})

    def test_a_document_that_is_not_in_the_index_is_read_too(self) -> None:
        filled = FilledStore(self)
        url_id = filled.put_document("a.example/1", not_indexed="noindex")
        assert filled.store.reader().document(url_id) is not None

    # Sites

    def test_sites_by_their_documents_in_the_index(self) -> None:
        filled = FilledStore(self)
        for path in ("b.example/1", "a.example/1", "c.example/1", "c.example/2"):
            filled.put_document(path)
        filled.put_document("a.example/2", not_indexed="noindex")
        filled.put_document("hidden.example/", not_indexed="noindex")
        reader = filled.store.reader()
        counted = [("c.example", 2), ("a.example", 1), ("b.example", 1)]
        assert [tuple(row) for row in reader.sites(9)] == counted
        assert [tuple(row) for row in reader.sites(2)] == counted[:2]

    def test_sites_come_in_the_order_in_which_they_were_found(self) -> None:
        filled = FilledStore(self)
        filled.find("z.example/1", "b.example/1", "empty.example/1")
        for path in ("added.example/", "b.example/1", "another.example/", "z.example/1"):
            filled.put_document(path)
        filled.put_document("hidden.example/", not_indexed="noindex")
        order = ("z.example", "b.example", "added.example", "another.example", "hidden.example")
        assert filled.store.reader().site_order() == order

    # Columns

    def test_columns_of_the_documents_in_the_index(self) -> None:
        filled = FilledStore(self)
        filled.put_document("b.example/1", text="Owls.", page_type="article", date="2026-01-31")
        filled.put_document("a.example/1", language="en", author="A. Owl", fields={"ü": 1})
        filled.put_document("a.example/2", not_indexed="noindex")
        first, second = filled.store.reader().columns(("text", "type", "site", "author", "fields"))
        assert (first["url"], first["title"]) == ("http://b.example/1", "b.example/1")
        assert (first["date"], first["language"]) == ("2026-01-31", "")
        assert (first["text"], first["type"], first["site"]) == ("Owls.", "article", "b.example")
        assert (first["author"], first["fields"]) == (None, "")
        assert (second["date"], second["language"]) == (None, "en")
        assert (second["author"], json.loads(second["fields"])) == ("A. Owl", {"ü": 1})

    def test_columns_come_in_the_order_of_the_documents(self) -> None:
        filled = FilledStore(self)
        for path in ("b.example/1", "a.example/1", "c.example/1", "b.example/1"):
            filled.put_document(path)
        rows = filled.store.reader().columns(())
        assert [row["title"] for row in rows] == ["a.example/1", "c.example/1", "b.example/1"]

    # Copies

    def test_copies_of_pages_in_a_list(self) -> None:
        filled = FilledStore(self)
        original, other = urls_of("a.example/1", "a.example/2")
        filled.put_document("a.example/1")
        filled.put_document("a.example/2")
        filled.put_document("c.example/", not_indexed=f"duplicate: {original}")
        filled.put_document("b.example/", not_indexed=f"duplicate: near {original}")
        filled.put_document("d.example/", not_indexed=f"canonical elsewhere: {original}")
        reader = filled.store.reader()
        found = reader.copies([original, other, url_of(NOBODY)])
        assert found == {original: ("http://b.example/", "http://c.example/")}
        assert reader.copies([]) == {}

    def test_few_copies_of_many_are_named(self) -> None:
        filled = FilledStore(self)
        original = url_of("a.example/1")
        for number in range(10, 35):
            filled.put_document(f"b.example/{number}", not_indexed=f"duplicate: {original}")
        named = filled.store.reader().copies([original])[original]
        assert named == tuple(urls_of(*(f"b.example/{number}" for number in range(10, 20))))

    def test_a_document_without_copies_has_none(self) -> None:
        filled = FilledStore(self)
        url_id = filled.put_document("a.example/1")
        filled.put_document("a.example/2")
        reader = filled.store.reader()
        assert reader.copies_of(url_id) == []
        assert reader.copies_of(id_of(NOBODY)) == []

    def test_the_copies_of_an_original(self) -> None:
        filled = FilledStore(self)
        original = url_of("a.example/1")
        url_id = filled.put_document("a.example/1", digest=b"same")
        filled.put_document("a.example/twin", digest=b"same")
        filled.put_document("a.example/near", not_indexed=f"duplicate: near {original}")
        filled.put_document("a.example/same", not_indexed=f"duplicate: {original}")
        filled.put_document("a.example/elsewhere", not_indexed=f"canonical elsewhere: {original}")
        kinds = [("twin", "same"), ("near", "near"), ("same", "same"), ("elsewhere", "canonical")]
        assert filled.store.reader().copies_of(url_id) == [
            CopyView(url_of(f"a.example/{name}"), f"a.example/{name}", how) for name, how in kinds
        ]

    def test_a_copy_names_its_original_first_and_each_page_once(self) -> None:
        filled = FilledStore(self)
        reason = f"duplicate: {url_of('a.example/1')}"
        filled.put_document("a.example/1", digest=b"same", title="Owls")
        filled.put_document("a.example/2", digest=b"same", not_indexed=reason)
        url_id = filled.put_document("a.example/3", digest=b"same", not_indexed=reason)
        assert filled.store.reader().copies_of(url_id) == [
            CopyView(url_of("a.example/1"), "Owls", "original"),
            CopyView(url_of("a.example/2"), "a.example/2", "same"),
        ]

    def test_an_original_that_is_gone_has_no_title(self) -> None:
        filled = FilledStore(self)
        reason = f"duplicate: near {url_of(NOBODY)}"
        url_id = filled.put_document("a.example/1", not_indexed=reason)
        assert filled.store.reader().copies_of(url_id) == [CopyView(url_of(NOBODY), "", "original")]

    # Marks

    def test_pages_that_were_called_good_or_bad(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1")
        one, other, third = ids_of("a.example/1", "added.example/", "c.example/")
        marks = {
            one: MarkedPage("", is_good=True, marked_at=3.0),
            other: MarkedPage("http://added.example/#x", is_good=False, marked_at=2.0),
            third: MarkedPage("", is_good=True, marked_at=1.0),
        }
        for url_id, mark in marks.items():
            filled.session.begin()
            filled.session.catalogue.put_mark(url_id, mark)
            filled.session.commit()
        reader = filled.store.reader()
        assert reader.marks() == sorted((url_id, mark.is_good) for url_id, mark in marks.items())
        found = MarkedPage("http://a.example/1", is_good=True, marked_at=3.0)
        assert reader.list_marks() == [marks[third], marks[other], found]
        assert [reader.find_mark(url_id) for url_id in marks] == [True, False, True]
        assert reader.find_mark(id_of(NOBODY)) is None

    def test_a_mark_is_changed_and_forgotten(self) -> None:
        filled = FilledStore(self)
        filled.write(lambda session: session.frontier.add([found_url("a.example/1")]))
        url_id, other = ids_of("a.example/1", NOBODY)
        good, bad = MarkedPage("x", is_good=True), MarkedPage("x", is_good=False, marked_at=9.0)
        filled.write(lambda session: session.catalogue.put_mark(url_id, good))
        filled.write(lambda session: session.catalogue.put_mark(url_id, bad))
        reader = filled.store.reader()
        assert reader.list_marks() == [bad]
        filled.write(lambda session: session.catalogue.forget_mark(url_id))
        filled.write(lambda session: session.catalogue.forget_mark(other))
        assert (reader.list_marks(), reader.marks(), reader.find_mark(url_id)) == ([], [], None)
