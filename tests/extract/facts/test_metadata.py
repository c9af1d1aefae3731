import pytest

from telusur.extract.facts.metadata import Metadata, read_metadata
from telusur.extract.page.dom import TagIndex, parse_html


def read(html: str) -> Metadata:
    tree = parse_html(html)
    url = "http://coast.example/a"
    return read_metadata(tree, TagIndex(tree), url, url)


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


def test_what_the_page_is_and_what_else_it_may_be_called():
    found = read(
        '<meta property="og:type" content="Article"><meta property="og:site_name" content="Herald">'
        '<script type="application/ld+json">{"@type":["NewsArticle","Report"],"headline":"Bells!"}'
        "</script><title>Bells - Herald</title><h1>Bells</h1>"
    )
    assert found.schema_types == ["newsarticle", "report", "article"]
    assert found.site_name == "Herald"
    assert found.titles == ["Bells", "Bells!"]


@pytest.mark.parametrize(
    "html",
    [
        "<h1>" * 2000,
        "<h1>" + "- " * 50_000,
        "<title>" + " | a" * 20_000,
        "<h1>x</h1>" + "<p>by</p>" * 5000,
        "<h1>x</h1>" + "<b>1.1.</b>" * 5000,
        "<h1>x</h1><p>" + "1/1/" * 50_000,
        "<h1>x</h1>" + "<div class=author>" * 5000 + "Ada",
        "<meta name=author content='" + "by, and " * 20_000 + "'>",
        "<meta name=date content='" + "2024 " * 20_000 + "'>",
        '<script type="application/ld+json">' + '{"@graph":[' * 5000 + "</script>",
        '<script type="application/ld+json">[' + '{"@type":"Article"},' * 20_000 + "]</script>",
    ],
)
def test_hostile_pages_are_read(html):
    assert len(read(html).title) <= 1000
