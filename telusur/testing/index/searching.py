"""What every index must do: `IndexSuite`."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from telusur.document_table import HIT_FIELDS, VALUE_FACETS
from telusur.documents import SITE, DocumentField
from telusur.index.contract import Anchor, number_of
from telusur.index.query import PLACES, Fuzzy, Match, Prefix, Query, Range
from telusur.index.weights import PLACE_WEIGHTS
from telusur.models import Explanation
from telusur.testing.index.cases import fill, make_item, names_of, word
from telusur.testing.index.writing import IndexWritingSuite


class IndexSuite(IndexWritingSuite):
    """What a search finds, in which order, and what it counts."""

    def test_the_empty_index_and_the_empty_query(self) -> None:
        index = self.make_index()
        assert index.count() == 0
        assert dict(index.languages()) == {}
        assert index.search(Query(wanted=(word("cat"),))).total == 0
        fill(index, make_item("a", "cat"))
        assert index.search(Query()).total == 0
        assert index.search(Query(excluded=(word("dog"),))).total == 0

    def test_a_document_comes_back_as_it_was_given(self) -> None:
        index = self.make_index()
        more = {"title": "Cats", "description": "On cats.", "date": "2024-01-31", "language": "de"}
        item = make_item("a", "Eine Katze\nliegt 🙂.", **more)
        fill(index, item)
        entry = index.search(Query(wanted=(word("katz"),))).entries[0]
        assert (entry.url_id, entry.url, entry.site) == (item.url_id, item.url, "example.org")
        assert (entry.title, entry.description) == ("Cats", "On cats.")
        assert (entry.text, entry.language) == ("Eine Katze\nliegt 🙂.", "de")
        assert (entry.shown["date"], entry.fetched_at) == ("2024-01-31", 1_700_000_000.5)
        assert entry.score > 0

    def test_an_entry_has_every_field_that_hits_have(self) -> None:
        index = self.make_index()
        values = {field.name: _sample(field) for field in HIT_FIELDS}
        fill(index, make_item("a", "cat", **values), make_item("b", "dog", **values))
        (entry,) = index.search(Query(wanted=(word("cat"),))).entries
        assert dict(entry.shown) == values
        assert entry.language == values["language"]

    def test_wanted_words_find_any_and_add_up(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat cow"), make_item("b", "cat dog"), make_item("c", "hen"))
        found = index.search(Query(wanted=(word("cat"), word("dog"))))
        assert found.total == 2
        assert [entry.url[-1] for entry in found.entries] == ["b", "a"]

    def test_required_words(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat cow"), make_item("b", "cat dog"), make_item("c", "cow"))
        assert names_of(index, Query(required=(word("cat"), word("cow")))) == ["a"]
        assert names_of(index, Query(wanted=(word("hen"),), required=(word("cat"),))) == []

    def test_excluded_words(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat cow"), make_item("b", "cat dog"))
        assert names_of(index, Query(wanted=(word("cat"),), excluded=(word("dog"),))) == ["a"]

    def test_a_bonus_ranks_but_finds_nothing(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat hen"), make_item("b", "cat dog"), make_item("c", "dog"))
        query = Query(wanted=(word("cat"),), bonus=(word("dog"),))
        assert names_of(index, query) == ["b", "a"]

    def test_nested_queries_are_alternatives(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat cow"), make_item("b", "cat dog"), make_item("c", "dog hen"))
        either = Query(wanted=(word("cow"), word("hen")))
        assert names_of(index, Query(required=(word("cat"), either))) == ["a"]
        assert sorted(names_of(index, Query(required=(either,)))) == ["a", "c"]

    def test_a_phrase_is_words_side_by_side(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "black cat sat"), make_item("b", "cat black sat"))
        assert names_of(index, Query(wanted=(word("black cat"),))) == ["a"]
        fill(index, make_item("c", "cat", description="black"))
        assert names_of(index, Query(wanted=(word("black cat"),))) == ["a"]

    def test_of_the_variants_of_a_word_the_best_counts(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "hous"), make_item("b", "hous hous haus"), make_item("c", "hen"))
        one = index.search(Query(wanted=(word("hous"),))).entries[0]
        both = index.search(Query(wanted=(word("haus", "hous"),)))
        assert both.total == 2
        assert both.entries[0].score == pytest.approx(one.score)

    def test_a_rare_variant_counts_no_more_than_the_frequent_one(self) -> None:
        """A stray page in another language has the word in a form that is rare by accident."""
        index = self.make_index()
        own = [make_item(name, "rumah") for name in "abcd"]
        fill(index, *own, make_item("e", "perumahan"), *(make_item(name, "x") for name in "fghi"))
        found = index.search(Query(wanted=(word("rumah", "perumahan"),)))
        assert found.total == 5
        assert [entry.score for entry in found.entries] == [
            pytest.approx(found.entries[0].score)
        ] * 5

    def test_a_weight_changes_the_order(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat"), make_item("b", "dog"))
        assert names_of(index, Query(wanted=(word("cat", weight=2.0), word("dog")))) == ["a", "b"]
        assert names_of(index, Query(wanted=(word("cat"), word("dog", weight=2.0)))) == ["b", "a"]

    def test_a_title_weighs_more_than_the_body(self) -> None:
        index = self.make_index()
        fill(
            index,
            make_item("a", "grass and milk", title="cow"),
            make_item("b", "cow and milk", title="grass"),
        )
        assert names_of(index, Query(wanted=(word("cow"),))) == ["a", "b"]
        assert names_of(index, Query(wanted=(word("cow", place="title"),))) == ["a"]

    def test_a_field_that_must_match(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat"), make_item("b", "cat", language="id"))
        for site in ("example.org", "docs.example.org", "org"):
            assert len(names_of(index, Query(required=(Match("site", (site,)),)))) == 2
        assert names_of(index, Query(required=(Match("site", ("ample.org",)),))) == []
        either = Match("language", ("id", "tr"))
        assert names_of(index, Query(wanted=(word("cat"),), required=(either,))) == ["b"]
        assert names_of(index, Query(wanted=(word("cat"),), excluded=(either,))) == ["a"]

    def test_languages_are_counted(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "x"), make_item("b", "x"), make_item("c", "x", language=""))
        assert dict(index.languages()) == {"en": 2, "": 1}

    def test_pages_of_hits_join_without_gaps(self) -> None:
        index = self.make_index()
        fill(index, *(make_item(f"p{number}", "cat " * (number + 1)) for number in range(25)))
        query = Query(wanted=(word("cat"),))
        whole = names_of(index, query, limit=100)
        assert len(set(whole)) == 25
        pages = [names_of(index, query, offset=offset, limit=10) for offset in (0, 10, 20, 30)]
        assert [name for page in pages for name in page] == whole
        assert index.search(query, offset=30).total == 25
        assert index.search(query, limit=0).entries == ()

    def test_what_links_say_finds_the_page(self) -> None:
        index = self.make_index()
        item = make_item("a", "grass")
        fill(index, replace(item, anchors=(Anchor("cows", 3),)), make_item("b", "a cow", title="x"))
        assert names_of(index, Query(wanted=(word("cow"),))) == ["a", "b"]

    def test_words_as_written_and_words_of_the_url(self) -> None:
        index = self.make_index()
        fill(index, make_item("running-shoes", "he ran"), make_item("b", "running"))
        assert names_of(index, Query(wanted=(word("running", place="exact"),))) == ["b"]
        assert names_of(index, Query(wanted=(word("ran", place="exact"),))) == ["running-shoes"]
        assert names_of(index, Query(wanted=(word("shoe", place="url"),))) == ["running-shoes"]

    def test_every_place_can_be_asked(self) -> None:
        index = self.make_index()
        names = {place: f"in-{place}" for place in PLACES}
        fill(
            index,
            make_item("in-everywhere", "hens"),
            make_item("in-exact", "hens and a cockerel"),
            make_item("in-title", title="Geese"),
            make_item("in-url"),
            make_item("in-topic", topic="black swans"),
        )
        asked = {
            "everywhere": word("hen"), "exact": word("cockerel", place="exact"),
            "title": word("gees", place="title"), "url": word("url", place="url"),
            "topic": word("black swan", place="topic"),
        }  # fmt: skip
        found = {place: names_of(index, Query(wanted=(asked[place],))) for place in PLACES}
        assert found == {place: [name] for place, name in names.items()} | {
            "everywhere": ["in-everywhere", "in-exact"]
        }
        assert index.view().frequency("swan", "topic") == 1
        assert index.view().frequency("swan") == 0, (
            "the topic is what the crawl looked for, no text"
        )

    def test_a_document_can_be_matched_by_its_id(self) -> None:
        index = self.make_index()
        item = make_item("a", "cat")
        fill(index, item, make_item("b", "cat"))
        assert names_of(index, Query(required=(Match("id", (item.url_id.hex(),)),))) == ["a"]

    def test_words_near_each_other(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "black and white cat"), make_item("b", "black or any other cat"))
        assert names_of(index, Query(wanted=(word("black cat", slop=2),))) == ["a"]

    def test_words_near_each_other_in_any_order(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat black"), make_item("b", "cat or black"))
        found = [names_of(index, Query(wanted=(word("black cat", slop=n),))) for n in range(4)]
        assert found == [[], [], ["a"], ["a", "b"]]

    def test_a_prefix_and_a_near_miss(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "category"), make_item("b", "cat"), make_item("c", "dog"))
        assert sorted(names_of(index, Query(wanted=(Prefix("cat"),)))) == ["a", "b"]
        assert names_of(index, Query(wanted=(Prefix("hen"),))) == []
        assert names_of(index, Query(wanted=(Fuzzy("categori"),))) == ["a"]
        assert names_of(index, Query(wanted=(Fuzzy("bat"),))) == ["b"]

    def test_a_date_in_a_range(self) -> None:
        index = self.make_index()
        days = {"a": "2023-12-31", "b": "2024-01-01", "c": "2024-02-01"}
        fill(index, *(make_item(name, "cat", date=day) for name, day in days.items()))
        fill(index, make_item("d", "cat"))

        def between(low: int | None, high: int | None) -> list[str]:
            return sorted(names_of(index, Query(required=(Range(low, high),))))

        assert between(20240101, None) == ["b", "c"]
        assert between(None, 20240101) == ["a", "b"]
        assert between(20240101, 20240131) == ["b"]
        assert between(20240131, 20240101) == []

    def test_facets_count_what_matches(self) -> None:
        index = self.make_index()
        fill(
            index,
            make_item("a", "cat", date="2023-05-01", page_type="article", crawl_id=2),
            make_item("b", "cat", date="2024-01-01", page_type="forum", language="id", crawl_id=10),
            make_item("c", "cat", date="2024-01-31", page_type="article", crawl_id=2, topic="pets"),
            make_item("d", "cat"),
            make_item("e", "dog", date="2020-01-31"),
        )
        expected = {
            "site": [("example.org", 4)],
            "language": [("en", 3), ("id", 1)],
            "type": [("article", 2), ("forum", 1)],
            "topic": [("pets", 1)],
            "crawl": [("2", 2), ("10", 1)],
            "year": [("2023", 1), ("2024", 2)],
            "month": [("2023-05", 1), ("2024-01", 2)],
        }
        counted = index.view().facets(Query(wanted=(word("cat"),)), tuple(expected))
        plain = {
            name: [(each.value, each.count) for each in found] for name, found in counted.items()
        }
        assert plain == expected
        assert index.view().facets(Query(), ("site",)) == {"site": ()}

    def test_every_facet_matches_by_value(self) -> None:
        for name in VALUE_FACETS:
            index = self.make_index()
            field, _ = VALUE_FACETS[name]
            if field is SITE:
                ours, other = (
                    make_item("a", "cat"),
                    replace(make_item("b", "cat"), site="other.example"),
                )
                other = replace(other, url="https://other.example/b")
                value = "example.org"
            else:
                values = (2, 10) if field.plain_type is int else ("one", "two")
                ours, other = (
                    make_item(each, "cat", **{field.name: value})
                    for each, value in zip("ab", values, strict=True)
                )
                value = str(values[0])
            fill(index, ours, other)
            assert names_of(index, Query(required=(Match(name, (value,)),))) == ["a"], name

    def test_a_candidate_is_known_by_its_number_and_explained(self) -> None:
        index = self.make_index()
        item = make_item("a", "cat", date="2024-01-31")
        fill(index, item, make_item("b", "dog"))
        view, query = index.view(), Query(wanted=(word("cat"),))
        ranking = view.rank(query, 10)
        assert ranking.total == 1
        (candidate,) = ranking.candidates
        assert candidate.number == number_of(item.url_id)
        assert candidate.site > 0
        tree = view.explain(query, candidate)
        assert tree is not None
        assert tree.value == pytest.approx(candidate.score)
        assert tree.details
        assert view.explain(Query(wanted=(word("dog"),)), candidate) is None

    def test_the_explanation_of_a_word_names_its_numbers(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cat cat", title="cat"), make_item("b", "dog"))
        view, query = index.view(), Query(wanted=(word("cat", "haus", weight=2.0),))
        tree = view.explain(query, view.rank(query, 1).candidates[0])
        nodes = list(_walk(tree))
        assert [node.description for node in nodes if node.description.endswith('"')] == [
            'word, product of "cat"'
        ]
        numbers = {node.description.split(",")[0]: node.value for node in nodes}
        assert numbers["freq"] == 2 + PLACE_WEIGHTS["title"]
        assert numbers["dl"] > numbers["freq"]

    def test_terms_and_their_frequency(self) -> None:
        index = self.make_index()
        fill(index, make_item("a", "cats"), make_item("b", "cats cats category"))
        view = index.view()
        assert view.frequency("cat") == 2
        assert view.frequency("cats", "exact") == 2
        assert view.terms("cat", 10) == [("cats", 2), ("category", 1)]
        assert view.terms("cat", 1) == [("cats", 2)]


def _sample(field: DocumentField) -> Any:
    """Return a value that a field may have."""
    samples = {str: f"some {field.name}", int: 7, float: 0.5, bool: True, dict: {"a": 1}}
    return samples[field.plain_type]


def _walk(tree: Explanation | None) -> Iterator[Explanation]:
    """Yield all nodes of a tree."""
    if tree is not None:
        yield tree
        for child in tree.details:
            yield from _walk(child)
