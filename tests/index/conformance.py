"""What every `Index` must do; a test module of an index has a fixture `index` and imports all."""

from dataclasses import replace

import pytest

from telusur.index.contract import Anchor, Index, IndexItem, number_of
from telusur.index.query import Fuzzy, Match, Prefix, Query, Range, Words
from telusur.models import Document, url_id_of

__all__ = [
    "test_a_bonus_ranks_but_finds_nothing",
    "test_a_candidate_is_known_by_its_number_and_explained",
    "test_a_date_in_a_range",
    "test_a_document_comes_back_as_it_was_given",
    "test_a_field_that_must_match",
    "test_a_phrase_is_words_side_by_side",
    "test_a_prefix_and_a_near_miss",
    "test_a_title_weighs_more_than_the_body",
    "test_a_weight_changes_the_order",
    "test_deleted_documents_are_gone",
    "test_excluded_words",
    "test_facets_count_what_matches",
    "test_languages_are_counted",
    "test_nested_queries_are_alternatives",
    "test_nothing_is_seen_before_the_commit",
    "test_of_the_variants_of_a_word_the_best_counts",
    "test_pages_of_hits_join_without_gaps",
    "test_required_words",
    "test_terms_and_their_frequency",
    "test_the_empty_index_and_the_empty_query",
    "test_the_same_url_id_takes_the_place_of_the_old_document",
    "test_wanted_words_find_any_and_add_up",
    "test_what_links_say_finds_the_page",
    "test_words_as_written_and_words_of_the_url",
    "test_words_near_each_other",
]


def make_item(name: str, text: str = "", **more: str) -> IndexItem:
    """Return a document at https://docs.example.org/<name>."""
    url = f"https://docs.example.org/{name}"
    document = Document(**{"text": text, "language": "en", **more})
    return IndexItem(url_id_of(url), url, document, "example.org", 1_700_000_000.5)


def word(*variants: str, **more: object) -> Words:
    """Return a word by its forms; a form with spaces is a phrase."""
    return Words(tuple(tuple(variant.split()) for variant in variants), **more)  # type: ignore[arg-type]


def names_of(index: Index, query: Query, **more: int) -> list[str]:
    return [entry.url.rsplit("/", 1)[1] for entry in index.search(query, **more).entries]


def fill(index: Index, *items: IndexItem) -> None:
    index.replace(items)
    index.commit()


def test_the_empty_index_and_the_empty_query(index):
    assert index.count() == 0
    assert dict(index.languages()) == {}
    assert index.search(Query(wanted=(word("cat"),))).total == 0
    fill(index, make_item("a", "cat"))
    assert index.search(Query()).total == 0
    assert index.search(Query(excluded=(word("dog"),))).total == 0


def test_a_document_comes_back_as_it_was_given(index):
    more = {"title": "Cats", "description": "On cats.", "date": "2024-01-31", "language": "de"}
    item = make_item("a", "Eine Katze\nliegt 🙂.", **more)
    fill(index, item)
    entry = index.search(Query(wanted=(word("katz"),))).entries[0]
    assert (entry.url_id, entry.url, entry.site) == (item.url_id, item.url, "example.org")
    assert (entry.title, entry.description) == ("Cats", "On cats.")
    assert (entry.text, entry.language) == ("Eine Katze\nliegt 🙂.", "de")
    assert (entry.date, entry.fetched_at) == ("2024-01-31", 1_700_000_000.5)
    assert entry.score > 0


def test_nothing_is_seen_before_the_commit(index):
    index.replace([make_item("a", "cat")])
    assert index.count() == 0
    index.commit()
    assert index.count() == 1


def test_the_same_url_id_takes_the_place_of_the_old_document(index):
    fill(index, make_item("a", "cat"), make_item("b", "cow"))
    fill(index, make_item("a", "dog"), make_item("a", "bird"))
    assert index.count() == 2
    assert names_of(index, Query(wanted=(word("cat"), word("dog")))) == []
    assert names_of(index, Query(wanted=(word("bird"),))) == ["a"]


def test_deleted_documents_are_gone(index):
    first, second = make_item("a", "cat"), make_item("b", "cat")
    fill(index, first, second)
    index.delete([first.url_id, url_id_of("never seen")])
    index.commit()
    assert index.count() == 1
    assert names_of(index, Query(wanted=(word("cat"),))) == ["b"]


def test_wanted_words_find_any_and_add_up(index):
    fill(index, make_item("a", "cat cow"), make_item("b", "cat dog"), make_item("c", "hen"))
    found = index.search(Query(wanted=(word("cat"), word("dog"))))
    assert found.total == 2
    assert [entry.url[-1] for entry in found.entries] == ["b", "a"]


def test_required_words(index):
    fill(index, make_item("a", "cat cow"), make_item("b", "cat dog"), make_item("c", "cow"))
    assert names_of(index, Query(required=(word("cat"), word("cow")))) == ["a"]
    assert names_of(index, Query(wanted=(word("hen"),), required=(word("cat"),))) == []


def test_excluded_words(index):
    fill(index, make_item("a", "cat cow"), make_item("b", "cat dog"))
    assert names_of(index, Query(wanted=(word("cat"),), excluded=(word("dog"),))) == ["a"]


def test_a_bonus_ranks_but_finds_nothing(index):
    fill(index, make_item("a", "cat hen"), make_item("b", "cat dog"), make_item("c", "dog"))
    query = Query(wanted=(word("cat"),), bonus=(word("dog"),))
    assert names_of(index, query) == ["b", "a"]


def test_nested_queries_are_alternatives(index):
    fill(index, make_item("a", "cat cow"), make_item("b", "cat dog"), make_item("c", "dog hen"))
    either = Query(wanted=(word("cow"), word("hen")))
    assert names_of(index, Query(required=(word("cat"), either))) == ["a"]
    assert sorted(names_of(index, Query(required=(either,)))) == ["a", "c"]


def test_a_phrase_is_words_side_by_side(index):
    fill(index, make_item("a", "black cat sat"), make_item("b", "cat black sat"))
    assert names_of(index, Query(wanted=(word("black cat"),))) == ["a"]
    fill(index, make_item("c", "cat", description="black"))
    assert names_of(index, Query(wanted=(word("black cat"),))) == ["a"]


def test_of_the_variants_of_a_word_the_best_counts(index):
    fill(index, make_item("a", "hous"), make_item("b", "hous hous haus"), make_item("c", "hen"))
    one = index.search(Query(wanted=(word("hous"),))).entries[0]
    both = index.search(Query(wanted=(word("haus", "hous"),)))
    assert both.total == 2
    assert both.entries[0].score == pytest.approx(one.score)


def test_a_rare_variant_counts_no_more_than_the_frequent_one(index):
    """A stray page in another language has the word in a form that is rare by accident."""
    own = [make_item(name, "rumah") for name in "abcd"]
    fill(index, *own, make_item("e", "perumahan"), *(make_item(name, "x") for name in "fghi"))
    found = index.search(Query(wanted=(word("rumah", "perumahan"),)))
    assert found.total == 5
    assert {entry.score for entry in found.entries} == {pytest.approx(found.entries[0].score)}


def test_a_weight_changes_the_order(index):
    fill(index, make_item("a", "cat"), make_item("b", "dog"))
    assert names_of(index, Query(wanted=(word("cat", weight=2.0), word("dog")))) == ["a", "b"]
    assert names_of(index, Query(wanted=(word("cat"), word("dog", weight=2.0)))) == ["b", "a"]


def test_a_title_weighs_more_than_the_body(index):
    fill(
        index,
        make_item("a", "grass and milk", title="cow"),
        make_item("b", "cow and milk", title="grass"),
    )
    assert names_of(index, Query(wanted=(word("cow"),))) == ["a", "b"]
    assert names_of(index, Query(wanted=(word("cow", place="title"),))) == ["a"]


def test_a_field_that_must_match(index):
    fill(index, make_item("a", "cat"), make_item("b", "cat", language="id"))
    for site in ("example.org", "docs.example.org", "org"):
        assert len(names_of(index, Query(required=(Match("site", (site,)),)))) == 2
    assert names_of(index, Query(required=(Match("site", ("ample.org",)),))) == []
    either = Match("language", ("id", "tr"))
    assert names_of(index, Query(wanted=(word("cat"),), required=(either,))) == ["b"]
    assert names_of(index, Query(wanted=(word("cat"),), excluded=(either,))) == ["a"]


def test_languages_are_counted(index):
    fill(index, make_item("a", "x"), make_item("b", "x"), make_item("c", "x", language=""))
    assert dict(index.languages()) == {"en": 2, "": 1}


def test_pages_of_hits_join_without_gaps(index):
    fill(index, *(make_item(f"p{number}", "cat " * (number + 1)) for number in range(25)))
    query = Query(wanted=(word("cat"),))
    whole = names_of(index, query, limit=100)
    assert len(set(whole)) == 25
    pages = [names_of(index, query, offset=offset, limit=10) for offset in (0, 10, 20, 30)]
    assert [name for page in pages for name in page] == whole
    assert index.search(query, offset=30).total == 25
    assert index.search(query, limit=0).entries == ()


def test_what_links_say_finds_the_page(index):
    item = make_item("a", "grass")
    fill(index, replace(item, anchors=(Anchor("cows", 3),)), make_item("b", "a cow", title="x"))
    assert names_of(index, Query(wanted=(word("cow"),))) == ["a", "b"]


def test_words_as_written_and_words_of_the_url(index):
    fill(index, make_item("running-shoes", "he ran"), make_item("b", "running"))
    assert names_of(index, Query(wanted=(word("running", place="exact"),))) == ["b"]
    assert names_of(index, Query(wanted=(word("ran", place="exact"),))) == ["running-shoes"]
    assert names_of(index, Query(wanted=(word("shoe", place="url"),))) == ["running-shoes"]


def test_words_near_each_other(index):
    fill(index, make_item("a", "black and white cat"), make_item("b", "black or any other cat"))
    assert names_of(index, Query(wanted=(word("black cat", slop=2),))) == ["a"]


def test_a_prefix_and_a_near_miss(index):
    fill(index, make_item("a", "category"), make_item("b", "cat"), make_item("c", "dog"))
    assert sorted(names_of(index, Query(wanted=(Prefix("cat"),)))) == ["a", "b"]
    assert names_of(index, Query(wanted=(Prefix("hen"),))) == []
    assert names_of(index, Query(wanted=(Fuzzy("categori"),))) == ["a"]
    assert names_of(index, Query(wanted=(Fuzzy("bat"),))) == ["b"]


def test_a_date_in_a_range(index):
    days = {"a": "2023-12-31", "b": "2024-01-01", "c": "2024-02-01"}
    fill(index, *(make_item(name, "cat", date=day) for name, day in days.items()))
    fill(index, make_item("d", "cat"))

    def between(low: int | None, high: int | None) -> list[str]:
        return sorted(names_of(index, Query(required=(Range(low, high),))))

    assert between(20240101, None) == ["b", "c"]
    assert between(None, 20240101) == ["a", "b"]
    assert between(20240101, 20240131) == ["b"]
    assert between(20240131, 20240101) == []


def test_facets_count_what_matches(index):
    fill(
        index,
        make_item("a", "cat", date="2023-05-01", page_type="article"),
        make_item("b", "cat", date="2024-01-01", page_type="forum", language="id"),
        make_item("c", "cat", date="2024-01-31", page_type="article"),
        make_item("d", "cat"),
        make_item("e", "dog", date="2020-01-31"),
    )
    names = ("site", "language", "type", "year", "month")
    counted = index.view().facets(Query(wanted=(word("cat"),)), names)
    plain = {name: [(facet.value, facet.count) for facet in counted[name]] for name in names}
    assert plain == {
        "site": [("example.org", 4)],
        "language": [("en", 3), ("id", 1)],
        "type": [("article", 2), ("forum", 1)],
        "year": [("2023", 1), ("2024", 2)],
        "month": [("2023-05", 1), ("2024-01", 2)],
    }
    assert index.view().facets(Query(), ("site",)) == {"site": ()}


def test_a_candidate_is_known_by_its_number_and_explained(index):
    item = make_item("a", "cat", date="2024-01-31")
    fill(index, item, make_item("b", "dog"))
    view, query = index.view(), Query(wanted=(word("cat"),))
    ranking = view.rank(query, 10)
    assert ranking.total == 1
    (candidate,) = ranking.candidates
    assert candidate.number == number_of(item.url_id)
    assert candidate.site > 0
    tree = view.explain(query, candidate)
    assert tree.value == pytest.approx(candidate.score)
    assert tree.details
    assert view.explain(Query(wanted=(word("dog"),)), candidate) is None


def test_terms_and_their_frequency(index):
    fill(index, make_item("a", "cats"), make_item("b", "cats category"), make_item("c", "dog"))
    view = index.view()
    assert view.frequency("cat") == 2
    assert view.frequency("cats", "exact") == 2
    assert view.terms("cat", 10) == [("cats", 2), ("category", 1)]
    assert view.terms("cat", 1) == [("cats", 2)]
