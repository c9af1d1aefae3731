"""What readers must return about the documents of a site."""

from telusur.testing.cases import StoreCase
from telusur.testing.reading.filling import FilledStore, url_of, urls_of


class SiteDocumentTests(StoreCase):
    """Documents that lack something, or share it."""

    def test_documents_are_counted(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/1")
        filled.put_document("a.example/2", not_indexed="noindex")
        filled.put_document("b.example/1")
        assert tuple(filled.store.site("a.example").count_documents()) == (2, 1)
        assert tuple(filled.store.site().count_documents()) == (3, 2)

    def test_documents_that_repeat_another_one(self) -> None:
        filled = FilledStore(self)
        reason = f"duplicate: near {url_of('b.example/')}"
        filled.put_document("a.example/2", not_indexed=reason)
        filled.put_document("a.example/1", not_indexed="duplicate: http://x/")
        filled.put_document("a.example/3", not_indexed="canonical elsewhere: http://x/")
        filled.put_document("b.example/1", not_indexed=reason)
        site = filled.store.site("a.example")
        rows = [("http://a.example/1", "duplicate: http://x/"), ("http://a.example/2", reason)]
        total, found = site.copies(9)
        assert (total, [tuple(row) for row in found]) == (2, rows)
        total, found = site.copies(1)
        assert (total, [tuple(row) for row in found]) == (2, rows[:1])
        assert filled.store.site().copies(0)[0] == 3

    def test_documents_without_a_title_or_a_description(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/2", title="", description="On owls.")
        filled.put_document("a.example/1", title="")
        filled.put_document("a.example/3", title="Owls")
        filled.put_document("a.example/4", title="", not_indexed="noindex")
        filled.put_document("b.example/1", title="")
        site = filled.store.site("a.example")
        total, rows = site.without("title", 9)
        untitled = [("http://a.example/1", ""), ("http://a.example/2", "")]
        assert (total, [tuple(row) for row in rows]) == (2, untitled)
        total, rows = site.without("description", 1)
        assert (total, [tuple(row) for row in rows]) == (2, untitled[:1])

    def test_titles_that_several_documents_have(self) -> None:
        filled = FilledStore(self)
        titles = {"1": "Owls", "2": "Bats", "3": "Owls", "4": "", "5": "", "6": "Ants", "7": "Ants"}
        for name, title in titles.items():
            filled.put_document(f"a.example/{name}", title=title)
        filled.put_document("a.example/8", title="Owls")
        filled.put_document("a.example/9", title="Bats", not_indexed="noindex")
        filled.put_document("b.example/1", title="Bats")
        site = filled.store.site("a.example")
        total, ((first, number, urls), (second, *_)) = site.shared("title", 9)
        assert (total, first, number, second) == (2, "Owls", 3, "Ants")
        assert set(urls.split("\n")) == set(urls_of("a.example/1", "a.example/3", "a.example/8"))
        total, rows = site.shared("title", 1)
        assert (total, [row[0] for row in rows]) == (2, ["Owls"])
        assert filled.store.site().shared("title", 0)[0] == 3
        assert site.shared("description", 9) == (0, [])

    def test_the_documents_in_the_index_in_their_order(self) -> None:
        filled = FilledStore(self)
        filled.put_document("a.example/2", date="2026-01-31")
        filled.put_document("a.example/3", not_indexed="noindex")
        filled.put_document("b.example/1")
        filled.put_document("a.example/1")
        rows = [("http://a.example/2", "2026-01-31"), ("http://a.example/1", None)]
        assert [tuple(row) for row in filled.store.site("a.example").indexed_urls()] == rows
        assert len(list(filled.store.site().indexed_urls())) == 3
