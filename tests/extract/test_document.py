"""A case is a page `cases/NAME.html` and what must come out of it, `cases/NAME.json`.

`document` holds exact fields; `text_has` and `text_lacks` are checked against all visible text and,
where the page has an article, against its text.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import telusur
from telusur.extract.document import extract_document
from telusur.models import Document

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.stem for path in CASES.glob("*.html"))
HTML_PIECES = [
    "<p>", "</p>", "<a href=", "'/x'", '"', ">", "<", "<!--", "-->", "<table><tr><td>", "<svg>",
    "</svg>", "<style>.a{display:none}", "</style>", "<script type='application/ld+json'>",
    '{"@type":"Article"}', "</script>", "<base href=", "<meta name=robots content=none>", "<title>",
    "&#0;", "&amp", "\x00", "\ud800", "<div class=a style='color:#fff'>", "<template>",
    "<noscript>", "<select><option>", "<frameset>", "text ",
    "<math><mi>", "</body>", "<br>", "<pre>\n", "\xad", "<![CDATA[", "<plaintext>", "<h1>",
]  # fmt: skip


def load(name: str, **options: str) -> tuple[Document, dict]:
    expected = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    return extract_document(
        (CASES / f"{name}.html").read_bytes(), expected["url"], **options
    ), expected


@pytest.mark.parametrize("name", NAMES)
def test_case(name):
    document, expected = load(name)
    for field, value in expected.get("document", {}).items():
        assert getattr(document, field) == value, field
    for words in expected.get("text_has", ()):
        assert words in document.text + "\n"
    for words in expected.get("text_lacks", ()):
        assert words not in document.text
    labels = {block.text: block.label for block in document.blocks}
    for text, label in expected.get("labels", {}).items():
        assert labels[text] == label
    for field, attribute in (("links", "url"), ("anchors", "anchor")):
        if field in expected:
            assert [getattr(link, attribute) for link in document.links] == expected[field]
    for field in ("around", "rel"):
        values = expected.get(field, [])
        assert [getattr(link, field) for link in document.links[: len(values)]] == values


@pytest.mark.parametrize("name", [name for name in NAMES if name != "article"])
def test_all_visible_text_and_the_same_links_without_article_extraction(name):
    document, expected = load(name, content="text")
    for words in expected.get("text_has", ()):
        assert words in document.text + "\n"
    for words in expected.get("text_lacks", ()):
        assert words not in document.text
    assert document.blocks == []
    links = load(name)[0].links  # but for the words around them, each as its own text has them
    assert [link._replace(around="") for link in document.links] == [
        link._replace(around="") for link in links
    ]


def test_text_mode_keeps_what_the_article_leaves_out():
    document, _ = load("article", content="text")
    assert "Fog signals" in document.text
    assert document.title == "How lighthouses work"


def test_text_and_bytes_give_the_same():
    page = "<title>Küste</title><p>Der Leuchtturm über der Küste.</p>"
    assert extract_document(page) == extract_document(page.encode("utf-8"))


def test_no_url_and_no_type_may_be_none():
    html = "<title>Tides</title><h1>Tides</h1><p><a href=/moon>The moon</a> pulls the sea."
    assert extract_document(html, None, content_type=None) == extract_document(html)
    assert telusur.extract(html, url=None).url == ""


def test_header_charset_is_used():
    page = "<title>Съешь ещё</title><p>этих мягких французских булок</p>".encode("windows-1251")
    assert (
        extract_document(page, content_type="text/html; charset=windows-1251").title == "Съешь ещё"
    )


def test_a_page_without_language_mark_is_recognised():
    page = (
        "<p>Der Leuchtturm steht auf einer kleinen Insel und leuchtet jede Nacht weit hinaus.</p>"
    )
    assert extract_document(page).language == "de"


def test_declared_language_counts_where_there_is_hardly_any_text():
    assert extract_document("<html lang='tr-TR'><p>ok</p>").language == "tr"


def test_control_and_direction_characters_do_not_reach_the_title():
    assert (
        extract_document("<title>\x1b[31mred\u202e  line1\r\nline2</title>").title
        == "[31mred line1 line2"
    )


def test_a_listing_falls_back_to_all_its_text():
    page = "<h1>All towers</h1><ul>" + "".join(
        f"<li><a href='/{number}'>Tower {number}</a></li>" for number in range(60)
    )
    assert "Tower 59" in extract_document(page, "http://coast.example/").text


@pytest.mark.parametrize("content", ["article", "text"])
@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=2000))
def test_any_bytes(content, data):
    document = extract_document(data, "http://coast.example/", content=content)
    assert "\x00" not in document.text


@settings(max_examples=200, deadline=None)
@given(pieces=st.lists(st.sampled_from(HTML_PIECES) | st.text(max_size=8), max_size=60))
def test_any_markup(pieces):
    document = extract_document("".join(pieces), "http://coast.example/")
    assert all(link.url.startswith(("http://", "https://")) for link in document.links)
    assert "\x00" not in document.text


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(NAMES), share=st.floats(0, 1))
def test_any_truncation(name, share):
    data = (CASES / f"{name}.html").read_bytes()
    document = extract_document(data[: int(len(data) * share)], "http://coast.example/")
    assert isinstance(document, Document)


@pytest.mark.parametrize("url", ["", "not a url", "about:blank", "http://[bad", "ftp://x/"])
def test_any_page_url(url):
    document = extract_document(
        "<base href='/b/'><a href='/x'>x</a><a href='http://a.example/'>y</a>", url
    )
    assert document.links[-1].url == "http://a.example/"


def test_a_list_has_no_day_that_is_only_shown():
    wares = "".join(
        f"<li class=product-card><a href=/products/bell-{n}><img src=/{n}.png>Bell {n}</a>"
        f"<span class=price>${n}.00</span><button>Add to cart</button></li>"
        for n in range(40)
    )
    html = (
        '<script type="application/ld+json">{"@type":"CollectionPage"}</script>'
        f"<title>Bells</title><h1>Bells</h1><p>Sale until 17 May 2024</p><ul>{wares}</ul>"
    )
    url = "http://coast.example/collections/bells"
    document = extract_document(html, url)
    assert document.page_type == "collection"
    assert document.date is None
    stated = "<meta property=article:published_time content=2024-05-17>"
    assert extract_document(stated + html, url).date == "2024-05-17"


def test_what_the_head_says_is_in_the_document_under_the_same_name():
    page = (
        "<!doctype html><title>Owls</title><meta name=author content='Ada Finch'>"
        "<meta name=description content='On owls.'><meta name=keywords content='owl, night'>"
        "<meta property=og:image content=/owl.png><link rel=canonical href=/owls>"
        "<meta property=article:published_time content=2026-01-31><p>An owl hunts at night."
    )
    document = extract_document(page, "https://a.example/1")
    assert (document.title, document.author, document.date) == ("Owls", "Ada Finch", "2026-01-31")
    assert (document.description, document.keywords) == ("On owls.", "owl, night")
    assert document.image == "https://a.example/owl.png"
    assert document.canonical == "https://a.example/owls"
    assert document.url == "https://a.example/1"
