from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telusur.index.contract import Anchor, IndexItem
from telusur.index.fields import BORDER, STORED_CHARACTERS, day_of, hosts_of, make_fields
from telusur.index.places import INDEXED_CHARACTERS, places_of, split_url, url_words
from telusur.index.weights import HEADING_WEIGHTS, MOST_ANCHOR_WEIGHT, PLACE_WEIGHTS
from telusur.models import Document, Heading


def make_item(url: str = "https://a.example/x", **fields: str) -> IndexItem:
    return IndexItem(b"1" * 16, url, Document(**{"language": "en", **fields}), "a.example")


def test_the_kind_of_page_is_handed_on():
    assert make_fields(make_item(page_type="forum")).shown["page_type"] == "forum"


def test_a_facet_that_is_matched_as_a_whole_is_in_lower_case():
    facets = dict(make_fields(make_item(page_type="Forum", topic="Night Owls")).facets)
    assert (facets["page_type"], facets["topic"], facets["crawl_id"]) == ("forum", "Night Owls", "")


def test_every_place_is_in_with_its_weight():
    item = IndexItem(
        b"1" * 16,
        "https://birds.example/guides/flying.html",
        Document(
            title="Owls",
            description="Hunters",
            keywords="night",
            text="Wings",
            language="en",
            headings=[Heading(1, "Feathers"), Heading(3, "Claws")],
        ),
        anchors=(Anchor("Silent birds"), Anchor("Raptors", 1_000)),
    )
    terms = make_fields(item).everywhere.split()
    assert terms.count("owl") == PLACE_WEIGHTS["title"]
    assert terms.count("feather") == HEADING_WEIGHTS[1]
    assert terms.count("claw") == HEADING_WEIGHTS[3]
    assert terms.count("silent") == 1
    assert terms.count("raptor") == MOST_ANCHOR_WEIGHT
    assert {"bird", "guid", "fli", "hunter", "night", "wing"} <= set(terms)
    assert terms.count("owl") > terms.count("guid") > terms.count("wing")


def test_places_have_names():
    item = IndexItem(
        b"1" * 16,
        "https://birds.example/",
        Document(title="Owls", text="Wings", headings=[Heading(2, "Feathers")]),
        anchors=(Anchor("Raptors"),),
    )
    names = [place.name for place in places_of(item)]
    assert names == ["title", "h2", "anchor", "url", "body"]


def test_a_thousand_link_texts_find_room_by_how_many_say_them():
    anchors = tuple(Anchor(f"text number {n}", n) for n in range(1, 1_001))
    item = IndexItem(b"1" * 16, "", Document(), anchors=anchors)
    said = "\n".join(place.text for place in places_of(item))
    assert "text number 1000" in said
    assert "text number 1\n" not in said


def test_words_as_written_are_kept_beside_their_stems():
    fields = make_fields(make_item(title="Running", text="Owls RAN"))
    assert fields.exact == f"running {BORDER} owls ran"
    assert "run" in fields.everywhere.split()


def test_places_do_not_touch():
    terms = make_fields(make_item(title="black", text="cat")).everywhere.split()
    assert terms[terms.index("cat") - 1] == BORDER


def test_stop_words_stay_in_so_that_phrases_and_changed_lists_work():
    assert make_fields(make_item(text="to be or not to be")).everywhere.endswith(
        "to be or not to be"
    )


def test_a_huge_text_is_cut():
    fields = make_fields(make_item(text="word " * INDEXED_CHARACTERS))
    assert len(fields.text) == STORED_CHARACTERS
    assert len(fields.everywhere) < INDEXED_CHARACTERS + 100


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://www.example.org/index.html", ["example"]),
        ("https://docs.example.org/my_first%20page", ["docs", "example", "my", "first", "page"]),
        ("https://example.org/%D0%BC%D0%B8%D1%80", ["example", "мир"]),
        ("http://[broken", []),
    ],
)
def test_words_of_a_url(url, words):
    assert url_words(url).replace(".", " ").replace("/", " ").split() == words


@pytest.mark.parametrize(
    ("url", "site", "hosts"),
    [
        (
            "https://docs.example.co.uk/x",
            "example.co.uk",
            ("example.co.uk", "docs.example.co.uk", "co.uk", "uk"),
        ),
        ("http://127.0.0.1:8001/", "127.0.0.1:8001", ("127.0.0.1:8001", "127.0.0.1")),
        ("http://[::1]:80/", "[::1]:80", ("[::1]:80", "::1:80", "::1")),
        ("http://[broken", "broken", ("broken",)),
        ("note", "", ()),
    ],
)
def test_names_by_which_a_site_is_found(url, site, hosts):
    assert hosts_of(url, site) == hosts


@pytest.mark.parametrize(
    ("date", "day"),
    [("2024-01-31", 20240131), ("2024-01-31T10:00:00Z", 20240131), ("2024", 0), ("", 0), (None, 0)],
)
def test_the_day_of_a_date(date, day):
    assert day_of(date) == day


@given(st.text(), st.text(), st.text(), st.sampled_from(["en", "tr", "ja", ""]))
def test_any_document_has_fields(url, title, text, language):
    fields = make_fields(make_item(url, title=title, text=text, language=language))
    assert fields == make_fields(make_item(url, title=title, text=text, language=language))


@given(
    st.sampled_from(["http://", "https://", "https://x.example:80", "http://a.b/c", "ftp://", ""]),
    st.text("abz.-:/?#@[]%;=&~|\\<>\"' é\t\nA09", max_size=14),
)
def test_a_url_is_split_as_the_library_splits_it(start, rest):
    url = start + rest
    try:
        parts = urlsplit(url)
        expected = (parts.hostname or "").strip("[]"), parts.port, parts.path
    except ValueError:
        expected = None
    assert split_url(url) == expected
