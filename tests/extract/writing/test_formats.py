import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import turbohtml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from telusur.errors import UsageError
from telusur.extract.document import extract_document
from telusur.extract.writing.escaping import escape
from telusur.extract.writing.formats import (
    FORMATS,
    extract_content,
    read_content,
    structure_of,
)
from telusur.extract.writing.markdown import markdown_of
from telusur.extract.writing.mathml import _LEAVES, _ROWS
from tests.extract.page.test_runs import MARKUP
from tests.extract.writing.test_xml import HOSTILE_MARKUP

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
CASES = Path(__file__).parents[1] / "cases_formats"
SUFFIXES = {".md": "markdown", ".xml": "xml", ".txt": "text"}
EXPECTED = sorted(path for path in CASES.iterdir() if path.suffix in SUFFIXES)
URL = "http://coast.example/a/"
SENTENCE = "The tide comes in twice a day and turns the wheel of the mill behind the harbour. "
ARTICLE = (
    "<html lang=en><head><title>The tide mill | Coast</title><meta name=author content='Ana Bay'>"
    "<meta name=date content=2026-05-04></head><body><nav><ul><li><a href=/>Home</a>"
    "<li><a href=/shop>Shop</a></ul></nav><main><article><h1>The tide mill</h1>"
    f"<p>{SENTENCE * 3}</p><h2>Its wheel</h2><p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p>"
    "</article></main><footer><a href=/imprint>Imprint</a></footer></body></html>"
)
MAY_STAND = {
    "html", "head", "meta", "style", "title", "link", "body", "h1", "h2", "h3", "h4", "h5", "h6",
    "p", "a", "strong", "em", "code", "br", "pre", "ul", "ol", "li", "dl", "dt", "dd", "table",
    "thead", "tbody", "caption", "tr", "td", "th", "blockquote", "figure", "figcaption",
    "sub", "sup", "del", "s", "math", "semantics", "annotation", *_LEAVES, *_ROWS,
}  # fmt: skip


WRITING_MARKUP = st.lists(
    st.sampled_from([
        "<math>", "</math>", "<math alttext='a|b$'>", "<mi>", "</mi>", "<msup>", "<mfrac>", "x",
        "<annotation encoding=application/x-tex>", "</annotation>", "<semantics>", "<sup>",
        "</sup>",
        "<script type=math/tex>", "</script>", "<a href=#n>", "</a>", "[1]", "$5", r"\(a\)",
        "<sub>",
        "<li id=n>", "<ol start=7>", "<ol>", "</ol>", "<p id=n>", "<del>", "</del>", "<figure>",
        "<figcaption>", "<img src=i.png alt='a]b'>", "<img class=latex alt='<i>[a](//b)' src=i>",
        "<pre>",
        "</pre>", "<table>", "<tr>", "<td rowspan=3>", "<th colspan=2>", "<caption>", "<dt>",
        "<dd>",
        "<dl>", "<blockquote>", "<span class=katex>", "</span>", "<br>", " ", "ebb"
    ]),
    max_size=40,
).map("".join)  # fmt: skip


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.name)
def test_case(path):
    page = path.with_suffix(".html").read_bytes()
    found = extract_content(page, URL, format=SUFFIXES[path.suffix], content="text")
    assert found + "\n" == path.read_text("utf-8")


def test_every_case_has_an_expectation():
    pages = {path.stem for path in CASES.glob("*.html")}
    assert pages == {path.stem for path in EXPECTED}


def test_text_is_the_text_of_the_document():
    assert extract_content(ARTICLE, URL, format="text") == extract_document(ARTICLE, URL).text


def test_markdown_has_the_title_once_and_no_menu():
    found = extract_content(ARTICLE, URL)
    assert found.startswith("# The tide mill\n\nThe tide comes in")
    assert found.count("The tide mill") == 1
    assert "\n## Its wheel\n" in found
    assert "Shop" not in found


def test_all_visible_text_has_the_menu():
    assert "- [Shop](http://coast.example/shop)" in extract_content(ARTICLE, URL, content="text")


def test_json_is_the_document():
    found = json.loads(extract_content(ARTICLE, URL, format="json"))
    assert found["type"] == "document"
    assert (found["title"], found["author"], found["date"]) == (
        "The tide mill",
        "Ana Bay",
        "2026-05-04",
    )
    assert {"url": "http://coast.example/shop", "anchor": "Shop"}.items() <= found["links"][
        1
    ].items()
    assert "blocks" not in found


def test_blocks_are_part_of_json_and_xml_when_asked_for():
    found = json.loads(extract_content(ARTICLE, URL, format="json", with_blocks=True))
    labels = {block["label"] for block in found["blocks"]}
    assert {"content", "other"} <= labels
    root = ElementTree.fromstring(extract_content(ARTICLE, URL, format="xml", with_blocks=True))
    assert {block.get("label") for block in root.iter("block")} == labels


def test_xml_has_the_facts_and_the_content():
    root = ElementTree.fromstring(extract_content(ARTICLE, URL, format="xml").encode())
    assert root.attrib == {"url": URL, "language": "en"}
    assert [child.tag for child in root] == ["title", "author", "date", "content"]
    assert [child.tag for child in root[-1]] == ["p", "h2", "p", "p"]


def test_an_unknown_format_is_a_usage_error():
    with pytest.raises(UsageError, match=r"'pdf' is not one of text, markdown, json, xml, html\."):
        extract_content("x", format="pdf")


def assert_harmless(html: str, *, with_images: bool = False) -> None:
    """Nothing but what we write ourselves, and no attribute that could do anything."""
    for element in turbohtml.parse(html).iter_elements():
        assert element.tag in MAY_STAND or (with_images and element.tag == "img")
        for name in element.attrs:
            value = element.attr(name) or ""
            assert name in ("href", "class", "lang", "charset", "name", "content", "http-equiv",
                            "rel", "start", "value", "colspan", "rowspan", "id", "src", "alt",
                            "xmlns", "display", "encoding")  # fmt: skip
            assert name != "id" or re.fullmatch(r"note-\w+", value)
            assert name != "href" or re.match("https?://|#note-", value)
            assert name != "src" or re.match("https?://", value)
            assert name != "class" or re.fullmatch(r"language-[a-z0-9+#.-]+", value)


@settings(deadline=None, max_examples=60)
@given(st.one_of(MARKUP, HOSTILE_MARKUP, WRITING_MARKUP))
def test_no_page_breaks_out_of_its_format(html):
    assert_harmless(extract_content(html, URL, format="html"))
    ElementTree.fromstring(extract_content(html, URL, format="xml", with_blocks=True).encode())
    json.loads(extract_content(html, URL, format="json", with_blocks=True))
    assert_harmless(MARKDOWN.render(extract_content(html, URL)), with_images=True)


WORDS = st.sampled_from([
    "ebb", " ", "*", "_", "**", "`", "```", "# ", "1. ", "- ", "+ ", "> ", "---", "===", "|",
    "[a](b)", "![", "<b>", "&amp;", "\\", "~~", "<br>", "\n", "http://x.example/",
    "    ", ":", "!", "]]>",
])  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(st.lists(st.one_of(WORDS.map(escape), MARKUP), max_size=12).map("".join))
def test_markdown_says_what_the_page_says(html):
    """A reader of Markdown sees the text of the page, whatever signs are in it."""
    body = structure_of(read_content(html, URL, content="text"))
    shown = turbohtml.parse(MARKDOWN.render(markdown_of(body))).select_one("body").text
    said = "".join(leaf.text for leaf in body.leaves())
    assert letters(shown) == letters(said)


def letters(text: str) -> str:
    """Return a text without blanks, and without stars: such mark the items of a list in a cell."""
    return re.sub(r"[\s*]", "", text)


@settings(deadline=None, max_examples=30)
@given(st.binary(max_size=300), st.sampled_from(sorted(FORMATS)))
def test_any_bytes_give_something_that_can_be_written(data, form):
    extract_content(data, URL, format=form).encode("utf-8")
