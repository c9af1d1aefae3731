import pytest

from telusur.extract.dom import TagIndex, parse_html
from telusur.extract.metadata import Metadata, read_metadata, strip_site_name


def read(html: str) -> Metadata:
    tree = parse_html(html)
    url = "http://coast.example/a"
    return read_metadata(tree, TagIndex(tree), url, url)


@pytest.mark.parametrize(
    ("title", "site", "expected"),
    [
        ("Fog signals | Coast Herald", "", "Fog signals | Coast Herald"),
        ("How fog signals work | Coast Herald", "", "How fog signals work"),
        ("Fog - Coast Herald", "Coast Herald", "Fog"),
        ("Coast Herald: Fog", "coast herald", "Fog"),
        ("Fog: a history of horns", "", "Fog: a history of horns"),
        ("Twenty-one lights", "", "Twenty-one lights"),
        ("", "", ""),
    ],
)
def test_site_names_are_cut_off(title, site, expected):
    assert strip_site_name(title, site) == expected


def test_the_heading_that_the_head_confirms_is_the_title():
    assert read("<title>Bells: Coast</title><h1>Menu</h1><h1>Bells</h1>").title == "Bells"
    assert read("<title>Bells and horns</title><h1>Welcome</h1>").title == "Bells and horns"
    assert read("<h1>Only a heading</h1>").title == "Only a heading"


@pytest.mark.parametrize("value", ["admin", "https://facebook.com/x", "a@b.example", "x", ""])
def test_what_is_no_author(value):
    assert read(f'<meta name="author" content="{value}">').author is None


def test_microdata_author_and_date():
    found = read(
        '<div itemprop="author" itemscope><span itemprop="name">Ada Lindqvist</span>, editor</div>'
        '<span itemprop="datePublished" content="2024-05-17">last week</span>'
    )
    assert (found.author, found.date) == ("Ada Lindqvist", "2024-05-17")


def test_dublin_core():
    found = read(
        '<meta name="DC.title" content="Bells"><meta name="DC.creator" content="Ada Lindqvist">'
        '<meta name="DC.date" content="2020-01-02"><meta name="DC.description" content="d">'
    )
    assert (found.title, found.author, found.date) == ("Bells", "Ada Lindqvist", "2020-01-02")
    assert found.description == "d"


@pytest.mark.parametrize(
    "data",
    [
        "[]",
        "null",
        '{"@type": 5}',
        '{"@type": "Article", "author": [[[]]]}',
        "{",
        '"x"',
        "[" * 9999,
    ],
)
def test_odd_json_ld(data):
    assert read(f'<script type="application/ld+json">{data}</script>').author is None
