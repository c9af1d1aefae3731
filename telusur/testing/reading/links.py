"""What a reader must return about the links of a page, and the links to it."""

import pytest

from telusur.errors import UsageError
from telusur.models import Link, State
from telusur.store.reader import CatalogueReader
from telusur.store.records import BEGINNING, Cursor, StoredLink
from telusur.store.views import LinkPage, LinkView
from telusur.testing.cases import StoreCase
from telusur.testing.reading.filling import NOBODY, FilledStore, id_of, paths_in, url_of


class LinkReadingTests(StoreCase):
    """Links from a page and to it."""

    def test_links_in_reading_order(self) -> None:
        filled = FilledStore(self)
        told = Link("http://b.example/1", "Owls", "On owls at night", "nofollow", 12)
        url_id = filled.put_links("a.example/", told, "a.example/2", "a.example/1")
        reader = filled.store.reader()
        first, *others = reader.links(url_id)
        assert first == StoredLink(id_of("b.example/1"), told)
        assert [one.url_id for one in others] == [id_of("a.example/2"), id_of("a.example/1")]
        assert reader.links(id_of(NOBODY)) == []

    def test_what_became_of_the_links_of_a_page(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1", status=404, state=State.FAILED, reason="http 404")
        filled.find("a.example/2")
        told = Link("http://a.example/1", "Owls", "On owls", "nofollow")
        url_id = filled.put_links("a.example/", told, "a.example/2", NOBODY)
        page = filled.store.reader().links_from(url_id, 1, 9)
        assert (page.total, page.is_whole) == (3, True)
        assert page.links == (
            LinkView(
                "http://a.example/1", "Owls", "On owls", "nofollow", "failed", "http 404", 404
            ),
            LinkView("http://a.example/2", "to a.example/2", state="waiting"),
            LinkView(url_of(NOBODY), f"to {NOBODY}"),
        )

    def test_links_from_a_page_by_parts(self) -> None:
        filled = FilledStore(self)
        targets = [f"a.example/{number}" for number in range(5)]
        url_id = filled.put_links("a.example/", *targets)
        reader = filled.store.reader()
        parts = [reader.links_from(url_id, page, 2) for page in (1, 2, 3, 4)]
        assert [part.total for part in parts] == [5] * 4
        assert [paths_in(part.links) for part in parts] == [
            targets[:2], targets[2:4], targets[4:], [],
        ]  # fmt: skip
        assert reader.links_from(id_of(NOBODY), 1, 9).total == 0

    def test_who_links_to_a_page(self) -> None:
        filled = FilledStore(self)
        filled.fetch("a.example/1")
        filled.find("a.example/2", skip_reason="scope: other")
        target = "b.example/"
        said = Link(url_of(target), "Owls", "On owls", "nofollow")
        filled.put_links("a.example/1", "c.example/", said, Link(url_of(target), "again"))
        filled.put_links("a.example/2", target)
        filled.put_links("a.example/3", "c.example/")
        filled.put_links(target, target)
        page = filled.store.reader().links_to(id_of(target), 1, 9)
        assert (page.total, page.is_whole) == (2, True)
        assert set(page.links) == {
            LinkView("http://a.example/1", "Owls", "On owls", "nofollow", "done", "", 200),
            LinkView("http://a.example/2", f"to {target}", state="skipped", reason="scope: other"),
        }

    def test_pages_that_no_crawl_found_are_not_among_the_links_to_a_page(self) -> None:
        filled = FilledStore(self)
        known = [f"a.example/{number}" for number in range(6)]
        filled.find(*known)
        for source in (*known, *(f"added.example/{number}" for number in range(6))):
            filled.put_document(source)
            filled.put_links(source, "b.example/")
        reader, target = filled.store.reader(), id_of("b.example/")
        pages = [reader.links_to(target, page, 2) for page in (1, 2, 3, 4)]
        assert [(page.total, len(page.links)) for page in pages] == [(6, 2), (6, 2), (6, 2), (6, 0)]
        assert sorted(path for page in pages for path in paths_in(page.links)) == known
        found = walk_links_to(reader, target, 2)
        assert sorted(path for page in found for path in paths_in(page.links)) == known
        assert all(page.total == len(page.links) for page in found)

    def test_links_to_a_page_by_parts(self) -> None:
        filled = FilledStore(self)
        sources = [f"a.example/{number}" for number in range(5)]
        filled.find(*sources)
        for source in sources:
            filled.put_links(source, "b.example/")
        reader = filled.store.reader()
        parts = [reader.links_to(id_of("b.example/"), page, 2) for page in (1, 2, 3, 4)]
        assert [(part.total, len(part.links)) for part in parts] == [(5, 2), (5, 2), (5, 1), (5, 0)]
        found = [path for part in parts for path in paths_in(part.links)]
        assert sorted(found) == sources

    def test_links_to_a_page_over_the_pages_of_a_cursor(self) -> None:
        filled = FilledStore(self)
        sources = [f"a.example/{number}" for number in range(7)]
        filled.find(*sources, "a.example/other")
        for source in sources:
            filled.put_links(source, "b.example/")
        filled.put_links("a.example/other", "c.example/")
        for most in (1, 2, 3, 7, 8):
            found = walk_links_to(filled.store.reader(), id_of("b.example/"), most)
            assert sorted(path for page in found for path in paths_in(page.links)) == sources
            assert all(page.total == len(page.links) <= most for page in found)
            searched = [page.searched for page in found]
            assert searched == sorted(searched)
            assert (searched[0] >= 0.0, searched[-1]) == (True, 1.0)
            assert [page.is_whole for page in found] == [len(found) == 1] * len(found)

    def test_a_list_of_links_behind_a_cursor_has_pages(self) -> None:
        filled = FilledStore(self)
        sources = [f"a.example/{number}" for number in range(5)]
        filled.find(*sources)
        for source in sources:
            filled.put_links(source, "b.example/")
        reader, target = filled.store.reader(), id_of("b.example/")
        first = reader.links_to(target, 1, 9, most=2)
        assert first.after
        pages = [reader.links_to(target, page, 2, first.after) for page in (1, 2, 3)]
        assert [(page.total, len(page.links)) for page in pages] == [(3, 2), (3, 1), (3, 0)]
        assert all(page.first == first.after and not page.is_whole for page in pages)
        found = [path for page in (first, *pages) for path in paths_in(page.links)]
        assert sorted(found) == sources

    def test_links_that_come_later_move_no_cursor(self) -> None:
        filled = FilledStore(self)
        sources = [f"a.example/{number}" for number in range(4)]
        filled.find(*sources, "a.example/late")
        for source in sources:
            filled.put_links(source, "b.example/")
        reader, target = filled.store.reader(), id_of("b.example/")
        first = reader.links_to(target, 1, 9, most=2)
        filled.put_links("a.example/late", "b.example/")
        assert first.after
        rest = reader.links_to(target, 1, 9, first.after)
        found = paths_in((*first.links, *rest.links))
        assert sorted(set(found) - {"a.example/late"}) == sources
        assert len(found) == len(set(found))

    def test_a_cursor_of_links_that_somebody_made_up_is_refused(self) -> None:
        reader = FilledStore(self).store.reader()
        for made_up in ("the end", "512", "-1", "\u0661", "0" * 1_000):
            with pytest.raises(UsageError):
                reader.links_to(id_of(NOBODY), 1, 9, Cursor(made_up))


def walk_links_to(reader: CatalogueReader, url_id: bytes, most: int) -> list[LinkPage]:
    """Return all links to a page, by `most` at a time."""
    found = [reader.links_to(url_id, 1, most, BEGINNING, most)]
    while (after := found[-1].after) is not None:
        assert after not in {page.first for page in found}, "the cursor goes round in circles"
        found.append(reader.links_to(url_id, 1, most, after, most))
    return found
