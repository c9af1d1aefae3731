import pytest

from telusur.extract.facts.metadata import Metadata
from telusur.extract.late_facts import settle_facts
from telusur.models import Document

URL = "http://coast.example/news/fog"


def settle(lines=(), labels=None, metadata=None, **fields) -> Document:
    document = Document(**({"url": URL, "page_type": "article", "language": "en"} | fields))
    settle_facts(document, metadata or Metadata(), lines, labels or ["other"] * len(lines))
    return document


@pytest.mark.parametrize(
    ("url", "page_type", "expected"),
    [
        ("http://coast.example/news/", "listing", None),
        ("http://coast.example/best-horns-2024", "listing", None),
        ("http://coast.example/311510-fog.html", "listing", "2024-05-17"),
        ("http://coast.example/article?oid=8976", "collection", "2024-05-17"),
        ("http://coast.example/311510-horn.html", "product", None),
        ("http://coast.example/news/", "article", "2024-05-17"),
    ],
)
def test_a_date_that_only_a_list_shows_is_that_of_a_teaser(url, page_type, expected):
    shown = Metadata(is_date_shown=True)
    assert settle(metadata=shown, url=url, page_type=page_type, date="2024-05-17").date == expected
    stated = settle(metadata=Metadata(), url=url, page_type=page_type, date="2024-05-17")
    assert stated.date == "2024-05-17"


FOG = "The fog came in at night, and the bell on the pier rang until the morning came."


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["17 May 2024", *[FOG] * 5], "2024-05-17"),
        (["17 May 2024", "By Ada, 2 May 2024", *[FOG] * 5], "2024-05-17"),
        (["17 May 2024", "2 May 2024", "1 May 2024", *[FOG] * 5], None),
        (["17 May 2024", "Seahawks", "Lions"], None),
        (["2 hours ago", *[FOG] * 5], None),
    ],
)
def test_a_page_with_a_text_and_no_other_day_is_no_list(lines, expected):
    shown = Metadata(is_date_shown=True)
    found = settle(lines, metadata=shown, page_type="listing", date="2024-05-17")
    assert found.date == expected


def test_a_page_without_a_title_is_named_by_its_line():
    assert settle(["Menu", "Fog on the pier"], ["other", "title"]).title == "Fog on the pier"
    assert settle(["Menu", "Fog"], ["other", "title"], title="Bells").title == "Bells"


def test_date_and_author_that_lines_announce():
    lines = ["Fog came in.", "Posted by Ada Lind", "Published on 17 May 2024"]
    found = settle(lines)
    assert (found.author, found.date) == ("Ada Lind", "2024-05-17")
    found = settle(lines, author="Bo Ek", date="2024-01-01")
    assert (found.author, found.date) == ("Bo Ek", "2024-01-01")
    found = settle(lines, page_type="documentation")
    assert (found.author, found.date) == (None, "2024-05-17")
    for metadata in (Metadata(is_front_page=True), Metadata(has_wares=True)):
        found = settle(lines, metadata=metadata)
        assert (found.author, found.date) == (None, None)


def test_the_first_line_labelled_as_a_date():
    lines = ["12 May 2024", "17/5/2024", "18 May 2024"]
    assert settle(lines, ["other", "date", "date"]).date == "2024-05-17"
    assert settle(lines).date is None
    assert settle(lines, ["date"] * 3, page_type="documentation").date is None
    assert settle(["17 May 2999"], ["date"]).date is None


def test_a_line_that_announces_the_author_is_a_byline():
    labels = ["content", "other"]
    settle(["It was night.", "Posted by Ada Lind"], labels)
    assert labels == ["content", "author"]
    labels = ["content", "content"]
    settle(["It was night.", "Posted by Ada Lind"], labels)
    assert labels == ["content", "content"]


def test_a_declared_organisation_counts_if_nobody_is_named():
    agency = Metadata(author_group="Antara")
    assert settle(["It was night."], metadata=agency).author == "Antara"
    assert settle(["Posted by Ada Lind"], metadata=agency).author == "Ada Lind"
    assert settle([], metadata=agency, author="Bo Ek").author == "Bo Ek"


@pytest.mark.parametrize("page_type", ["collection", "listing", "product", "service"])
def test_a_name_that_only_a_list_shows_is_no_author(page_type):
    shown, stated = Metadata(is_author_shown=True), Metadata(is_author_shown=False)
    assert settle(metadata=shown, page_type=page_type, author="Ada Lind").author is None
    assert settle(metadata=stated, page_type=page_type, author="Ada Lind").author == "Ada Lind"
    assert settle(metadata=shown, author="Ada Lind").author == "Ada Lind"


def test_a_byline_may_have_the_day_of_the_page():
    document = settle(["By Ada Lind on 17 May 2024 in Coast"], ["author"])
    assert document.date == "2024-05-17"


def test_the_person_beside_the_day():
    lines = ["Fog signals", "17 May 2024 - Ada Lind"]
    assert settle(lines, ["title", "date"]).author == "Ada Lind"
    assert settle(lines, ["title", "date"], page_type="documentation").author is None
