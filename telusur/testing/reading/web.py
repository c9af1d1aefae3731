"""What readers of a whole collection must return: `WholeWebSuite`."""

import numpy as np

from telusur.crawl.urls.link_record import unpack_links
from telusur.graph.pages import NOWHERE, Pages
from telusur.index.contract import number_of
from telusur.index.standing import UNKNOWN_DEPTH
from telusur.store.session import Session
from telusur.store.web import WholeWeb
from telusur.testing.cases import StoreCase
from telusur.testing.reading.filling import NOBODY, FilledStore, id_of, put_document, url_of


class WholeWebSuite(StoreCase):
    """All documents of the index as arrays, and the links between them."""

    def test_a_store_without_documents(self) -> None:
        web = self.open_store().web()
        pages = read_pages(web)
        assert len(pages) == 0
        assert (edges_of(web, pages), records_of(web, pages)) == (set(), {})
        web.close()

    def test_documents_of_the_index_sorted_by_number(self) -> None:
        filled = FilledStore(self)
        filled.find("a.example/1", depth=3)
        for number in range(1, 6):
            filled.put_document(f"a.example/{number}", date=f"2026-01-0{number}")
        filled.put_document("a.example/hidden", not_indexed="noindex")
        filled.put_document("added.example/")
        pages = read_pages(filled.store.web())
        paths = [*(f"a.example/{number}" for number in range(1, 6)), "added.example/"]
        ids = sorted(id_of(path) for path in paths)
        assert [bytes(one) for one in pages.ids] == ids
        assert pages.numbers.tolist() == [number_of(url_id) for url_id in ids]
        first, added = ids.index(id_of("a.example/1")), ids.index(id_of("added.example/"))
        assert (pages.days[first], pages.depths[first]) == (20260101, 3)
        assert (pages.days[added], pages.depths[added]) == (0, UNKNOWN_DEPTH)
        arrays = (pages.numbers, pages.seqs, pages.days, pages.depths)
        assert [array.dtype.name for array in arrays] == ["uint64", "int64", "uint32", "uint16"]

    def test_a_changed_document_has_another_number_of_its_version(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/1")
        filled.put_document("a.example/2")
        before = read_pages(filled.store.web())
        filled.put_document("a.example/1", text="Later")
        after = read_pages(filled.store.web())
        assert before.numbers.tolist() == after.numbers.tolist()
        changed = [number_of(id_of("a.example/1"))]
        assert before.numbers[before.seqs != after.seqs].tolist() == changed

    def test_a_copy_stands_at_the_place_of_its_original(self) -> None:
        filled = FilledStore(self)
        original = url_of("a.example/1")
        filled.put_document("a.example/1")
        filled.put_document("a.example/same", not_indexed=f"duplicate: {original}")
        filled.put_document("a.example/near", not_indexed=f"duplicate: near {original}")
        filled.put_document("a.example/elsewhere", not_indexed=f"canonical elsewhere: {original}")
        filled.put_document("a.example/hidden", not_indexed="noindex")
        filled.put_document("a.example/lost", not_indexed=f"duplicate: {url_of(NOBODY)}")
        pages = read_pages(filled.store.web())
        names = ("1", "same", "near", "elsewhere", "hidden", "lost")
        places = place_of(pages, *(f"a.example/{name}" for name in names))
        assert places == [0, 0, 0, 0, NOWHERE, NOWHERE]

    def test_links_between_documents(self) -> None:
        filled = FilledStore(self)
        for path in ("a.example/1", "a.example/2", "a.example/3"):
            filled.put_document(path)
        filled.put_document("a.example/hidden", not_indexed="noindex")
        many = ("a.example/2", "a.example/2", "a.example/1", "a.example/hidden", NOBODY)
        filled.put_links("a.example/1", *many)
        filled.put_links("a.example/2", "a.example/1", "a.example/3")
        filled.put_links("a.example/hidden", "a.example/3")
        web = filled.store.web()
        pages = read_pages(web)
        one, two, three = place_of(pages, "a.example/1", "a.example/2", "a.example/3")
        rows = [pair for piece in web.edges(pages) for pair in zip(*piece, strict=True)]
        assert len(rows) == 3
        assert edges_of(web, pages) == {(one, two), (two, one), (two, three)}
        assert all(part.dtype == np.uint32 for piece in web.edges(pages) for part in piece)

    def test_links_to_and_from_copies_belong_to_the_original(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/1")
        filled.put_document("a.example/2")
        reason = f"duplicate: {url_of('a.example/1')}"
        filled.put_document("a.example/copy", not_indexed=reason)
        filled.put_links("a.example/2", "a.example/copy")
        filled.put_links("a.example/copy", "a.example/2", "a.example/1")
        web = filled.store.web()
        pages = read_pages(web)
        one, two = place_of(pages, "a.example/1", "a.example/2")
        assert edges_of(web, pages) == {(two, one), (one, two)}

    def test_a_link_that_copies_share_comes_once(self) -> None:
        filled = FilledStore(self)
        copies = [f"a.example/copy{number}" for number in range(1_200)]

        def write(session: Session) -> None:
            for path in ("a.example/1", "a.example/2"):
                put_document(session, path)
            for path in copies:
                put_document(session, path, not_indexed=f"duplicate: {url_of('a.example/1')}")
            for path in ("a.example/1", *copies):
                session.catalogue.put_links(id_of(path), id_of("a.example/2"), b"x")
            to_copies = b"".join(id_of(path) for path in copies)
            session.catalogue.put_links(id_of("a.example/2"), to_copies, b"x")

        filled.write(write)
        web = filled.store.web()
        pages = read_pages(web)
        one, two = place_of(pages, "a.example/1", "a.example/2")
        rows = [(int(a), int(b)) for part in web.edges(pages) for a, b in zip(*part, strict=True)]
        assert sorted(rows) == sorted([(one, two), (two, one)])

    def test_link_records_have_a_place_for_every_link(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/1")
        filled.put_document("a.example/2")
        filled.put_links("a.example/1", "a.example/2", NOBODY, "a.example/1", "a.example/2")
        filled.put_links(NOBODY, "a.example/1")
        web = filled.store.web()
        pages = read_pages(web)
        one, two = place_of(pages, "a.example/1", "a.example/2")
        ((source, (targets, record)),) = records_of(web, pages).items()
        assert (source, targets) == (one, [two, int(NOWHERE), one, two])
        assert [link.anchor for link in unpack_links(record)][1] == f"to {NOBODY}"

    def test_a_web_of_many_pages_is_whole(self) -> None:
        filled = FilledStore(self)
        paths = [f"a.example/{number}" for number in range(1_300)]

        def write(session: Session) -> None:
            for path, target in zip(paths, [*paths[1:], paths[0]], strict=True):
                put_document(session, path)
                session.catalogue.put_links(id_of(path), id_of(target), path.encode())

        filled.write(write)
        web = filled.store.web()
        pages = read_pages(web)
        assert len(pages) == 1_300
        assert (np.diff(pages.numbers.astype(object)) > 0).all()
        places = place_of(pages, *paths)
        ring = set(zip(places, [*places[1:], places[0]], strict=True))
        assert edges_of(web, pages) == ring
        records = records_of(web, pages)
        assert {source: record for source, (_, record) in records.items()} == {
            place: path.encode() for place, path in zip(places, paths, strict=True)
        }

    def test_a_web_has_nothing_that_is_not_committed(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/1")
        filled.session.begin()
        put_document(filled.session, "a.example/2")
        assert len(read_pages(filled.store.web())) == 1
        filled.session.rollback()


def read_pages(web: WholeWeb) -> Pages:
    """Read all pages, ignoring the pauses."""
    reading = web.pages()
    while True:
        try:
            next(reading)
        except StopIteration as end:
            pages: Pages = end.value
            return pages


def place_of(pages: Pages, *paths: str) -> list[int]:
    """Return the places of pages."""
    numbers = np.array([number_of(id_of(path)) for path in paths], np.uint64)
    return [int(place) for place in pages.places_of(numbers)]


def edges_of(web: WholeWeb, pages: Pages) -> set[tuple[int, int]]:
    """Return all links as pairs of places."""
    pieces = list(web.edges(pages))
    return {(int(a), int(b)) for piece in pieces for a, b in zip(*piece, strict=True)}


def records_of(web: WholeWeb, pages: Pages) -> dict[int, tuple[list[int], bytes]]:
    """Return the places of targets and the packed links of each page that links."""
    rows = [row for piece in web.link_records(pages) for row in piece]
    return {place: (targets.tolist(), record) for place, targets, record in rows}
