"""Whatever the bytes: `telusur.extract` gives a document that can be stored, and the same again.

Pages are made of a vocabulary of hostile pieces, of nested elements, and of the case files, cut and
spliced. Examples are few, so that the suite stays fast; raise `max_examples` to dig deeper.
"""

from dataclasses import fields
from pathlib import Path

import pytest
import turbohtml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import telusur
from telusur.extract.document import open_page
from telusur.models import Block, Document

LABELS = {"content", "title", "author", "date", "other"}
CASES = [path.read_bytes() for path in sorted((Path(__file__).parent / "cases").glob("*.html"))]
URL = "http://coast.example/a/b?c=d"

quick = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# What a page can be made of

TAGS = (
    "html", "head", "body", "title", "meta", "base", "link", "style", "script", "noscript",
    "template", "div", "p", "span", "b", "i", "a", "br", "hr", "h1", "h2", "ul", "ol", "li", "dl",
    "dt", "dd", "table", "caption", "tbody", "tr", "td", "th", "form", "input", "button", "select",
    "option", "textarea", "iframe", "object", "img", "svg", "math", "foreignObject", "mi", "pre",
    "plaintext", "xmp", "article", "main", "nav", "footer", "time", "address", "blockquote",
    "frameset", "frame", "nobr", "marquee", "font", "details", "dialog", "x-own", "a:b", "p\x00",
)  # fmt: skip
ATTRIBUTES = (
    "id=main", "class='article-body'", "class=\"", "hidden", "style='display:none'",
    "style=color:#fff;background:#fff", "style='x:url(", "href=/x", "href='http://[::1'",
    "href=javascript:1", "content='0;url=x'", "http-equiv=refresh", "name=author", "lang=\ud800",
    "name=robots", "property=article:published_time", "content=2025-99-99", "content='\x00'",
    "datetime=2025-02-30", "itemprop=datePublished", "rel=author", "=", "\"", "<", "a=b=c", "/",
    "title='&#xD800;&#0;&bogus;'", "itemscope", "itemtype=x", "colspan=99999999999", "a" * 2_000,
    "value=" + "9" * 2_000, "onclick='<p>'", "charset=utf-7", "charset=\xff", "bgcolor=red",
)  # fmt: skip
JSON_LD = '<script type="application/ld+json">'
ODD = (
    "<!--", "-->", "--!>", "<!doctype html>", "<!DOCTYPE", "<![CDATA[", "]]>", "<?xml version=1 ?>",
    "<?", "</", "</>", "<", "<3", "&", "&#", "&#x", "&#xD800;", "&#0;", "&#x110000;", "&notit;",
    "\x00", "\ud800", "\udfff", "\ufeff", "\ufffe", "\xad", "\u202e", "\u2028", "\x0b", "\x85",
    "\r", "</p>", "</br>", "</body>", "</html>", "</table>", "</template>", "<plaintext>",
    "<svg><p>", "<math><mi><p>", "<script>", "<script><!--<script>", "</script>", "<style>p{",
    "<style>@media{", "<style>.article-body{display:none", "</style>", "<title>", "<textarea>",
    "<noscript>", "<template><div>", "<table><tr><td><table>", "<table>x<p>y",
    "<select><option><p>", "<ul><li>", "<form><form>", "<div " * 30, "<b><i>" * 30, "<table>" * 30,
    "</div>" * 30, "🌊", "e\u0301", "<base href='http://[x'>", "<a href='//[::1'>link</a>",
    "<link rel=canonical href='http://[x'>",
    JSON_LD + '{"@type":"Article","headline":"\\ud800","author":',
    JSON_LD + '{"@type":"Article","author":{"name":"\\u0000x"},"datePublished":1e999}</script>',
    JSON_LD + '{"@type":"Article","headline":"Tide \\ud800 \\u0000","description":"\\ud800",'
    '"author":{"name":"Ana \\udc00 \\u0000"},"keywords":"\\ud800","inLanguage":"\\ud800"}</script>',
    JSON_LD + '[[[[1,NaN,{"@graph":[{"author":[null,3]}]}]]]]</script>',
)  # fmt: skip
WORDS = ("tide", "The harbour, at night,", "Ferry", "潮が引く", "By Ana Roe", "2 May 2025", "")

text = st.text(max_size=200)
attributes = st.lists(st.sampled_from(ATTRIBUTES), max_size=3).map(" ".join)
words = st.sampled_from(WORDS) | st.sampled_from(WORDS).map(lambda one: f"{one} " * 20)
pieces = st.one_of(
    words,
    st.sampled_from(ODD),
    st.builds("<{} {}>".format, st.sampled_from(TAGS), attributes),
    st.builds("</{}>".format, st.sampled_from(TAGS)),
    text,
)
soup = st.lists(pieces, max_size=40).map("".join)
trees = st.recursive(
    words,
    lambda inner: st.builds(
        "<{0} {1}>{2}</{0}>".format,
        st.sampled_from(TAGS),
        attributes,
        st.lists(inner, max_size=4).map("".join),
    ),
    max_leaves=25,
)
repeated = st.builds(
    lambda piece, times, end: piece * times + end, pieces, st.sampled_from([10, 300, 2_000]), words
)
ENCODINGS = ("utf-8", "utf-16", "utf-16-be", "utf-32", "shift_jis", "windows-1251", "gb18030")
encoded = st.builds(
    lambda page, name: page.encode(name, "ignore"), soup, st.sampled_from(ENCODINGS)
)
content_types = st.sampled_from(
    [
        "",
        "text/html",
        "text/html; charset=utf-16",
        "text/html; charset=klingon",
        "image/png",
        ";;=\x00",
    ]
)


# What must be true of every document


def texts_of(document: Document) -> list[str]:
    """Return every text of a document, its links and its blocks; its URL is the caller's own."""
    values = [getattr(document, field.name) for field in fields(Document) if field.name != "url"]
    for block in document.blocks:
        values += [getattr(block, field.name) for field in fields(Block)]
    for link in document.links:
        values += link
    return [value for value in values if isinstance(value, str)]


def squeeze(words: str) -> str:
    """Return a text without its white space, soft hyphens and NULs."""
    return "".join(words.replace("\xad", "").replace("\x00", "").split())


def is_within(part: str, whole: str) -> bool:
    """Tell whether the characters of a part come in this order in the whole."""
    rest = iter(whole)
    return all(sign in rest for sign in part)


def is_made_of(whole: str, parts: list[str]) -> bool:
    """Tell whether a text is some of the parts in their order, one after the other."""
    reached = {0}
    for part in parts:
        reached |= {place + len(part) for place in reached if whole.startswith(part, place)}
    return len(whole) in reached


def check(page: bytes | str, url: str = URL, content_type: str = "") -> Document:
    """Extract twice, and hold the document to what is promised."""
    document = telusur.extract(page, url, content_type=content_type)
    assert document == telusur.extract(page, url, content_type=content_type)
    for one in texts_of(document):
        assert "\x00" not in one
        one.encode("utf-8")
    assert {block.label for block in document.blocks} <= LABELS
    assert all(isinstance(block, Block) and block.text.strip() for block in document.blocks)
    parts = [squeeze(block.text) for block in document.blocks]
    stated = open_page(page, url, content_type=content_type).metadata.stated_text
    assert is_made_of(squeeze(document.text), parts) or document.text == stated
    return document


def check_text(page: str) -> None:
    """Check a page that needs no decoding: its blocks say only what the page says."""
    document = check(page)
    readable = page.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    whole = squeeze(turbohtml.parse(readable.replace("\x00", "")).text)
    for block in document.blocks:
        assert is_within(squeeze(block.text), whole)


# Pages


@quick
@given(st.binary(max_size=2_000), content_types)
def test_any_bytes_are_a_page(page, content_type):
    check(page, content_type=content_type)


@quick
@given(st.text(max_size=2_000, alphabet=st.characters()), st.text(max_size=60))
def test_any_text_is_a_page_and_any_text_its_url(page, url):
    check(page, url)


@pytest.mark.parametrize("piece", ODD)
def test_every_odd_piece_alone_is_a_page(piece):
    check_text(f"<title>Tide</title><p>{'The harbour at night. ' * 9}{piece} and more")


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_every_odd_attribute_is_part_of_a_page(attribute):
    tags = ("meta", "html", "a", "p", "time", "table", "td", "script type=application/ld+json")
    check_text("".join(f"<{tag} {attribute}>tide " for tag in tags))


@quick
@given(soup)
def test_broken_tags_are_a_page(page):
    check_text(page)


@quick
@given(trees)
def test_nested_elements_are_a_page(page):
    check_text(page)


@quick
@given(repeated)
def test_the_same_thing_many_times_is_a_page(page):
    check(page)


@quick
@given(encoded, content_types)
def test_pages_in_odd_encodings_are_pages(page, content_type):
    check(page, content_type=content_type)


@quick
@given(st.sampled_from(CASES), st.integers(0, 5_000))
def test_the_beginning_of_a_page_is_a_page(page, length):
    check(page[:length])


@quick
@given(st.sampled_from(CASES), st.sampled_from(CASES), st.integers(0, 3_000), st.integers(0, 3_000))
def test_two_pages_spliced_are_a_page(first, second, end, start):
    check(first[:end] + second[start:])


@quick
@given(st.sampled_from(CASES), st.integers(0, 3_000), pieces | st.sampled_from(ODD))
def test_a_page_with_something_in_the_middle_is_a_page(page, place, piece):
    whole = page.decode()
    check(whole[:place] + piece + whole[place:])


# The checks themselves


def test_the_checks_can_fail():
    assert is_within("ace", "abcde")
    assert not is_within("aec", "abcde")
    assert is_made_of("abc", ["a", "x", "bc"])
    assert not is_made_of("abd", ["a", "x", "bc"])
    assert squeeze("a\xad b\n") == "ab"
