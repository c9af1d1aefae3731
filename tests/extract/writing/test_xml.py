import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telusur.errors import UsageError
from telusur.extract.writing.xml import VIEWS, html_to_xml
from tests.extract.test_hostile import LARGE, NESTED

URL = "http://coast.example/a/"
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE_MARKUP = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "</div>", "<svg>", "<math definitionurl=x>", "<foreignObject>", "<mi>",
         "<svg xlink:href=x xlink:é=y xmlns:foo=bar foo:bar=1 xml:lang=en xml:a=2 xmlns='http://x'>",
         "<a:b c:d=e>", '<x"y>', '<p a"b=1 1a=2 =x -b=3 é=4 a:b=5 xmlns=q xmlns:x=y :z=1 @on=2>',
         "<!--a--b-->", "<!-- ->", "<!-->", "<!----->", "<?php x ?>", '<?xml version="1.1"?>',
         "<![CDATA[x]]>]]>", "<!DOCTYPE html>", '<!DOCTYPE x:y "<>" [<!ENTITY a "b">]>', "\x00",
         "\x01", "\x0b", "\ufffe", "\uffff", "\ud800", "&#1;", "&#xD800;", "&nbsp;", "&", "<", ">",
         '"', "<script>a<b&&c]]></script>", "<style>x>y{}", "<textarea>", "<title>", "<plaintext>",
         "<template><p>", "<table><tr><td>", "<select><option>", "<1>", "<é>", "<a b=c B=d>",
         "<annotation-xml encoding=text/html>", "<frameset>", "<body a=1 xmlns:a=2>",
         "<html xmlns='http://x' xml:lang=q>", "words", "</br>", "<image src=x>", "<p ::>",
         "<a:b:c>", "<_x>", "<xmlns:foo>", "<xml>", "\r", "<p title='a\tb\nc\rd'>", "<x\U000e0000>",
         "<noscript>", "<iframe><p></iframe>", "<a href=/x>", "<img src=y alt='<'>", "<p xmlns>"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


def parsed(html: bytes | str, view: str = "document") -> ElementTree.Element:
    return ElementTree.fromstring(html_to_xml(html, URL, view=view).encode("utf-8"))


@settings(deadline=None, max_examples=200)
@given(HOSTILE_MARKUP, st.sampled_from(VIEWS))
def test_any_markup_becomes_xml(html, view):
    parsed(html, view)


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=400), st.sampled_from(VIEWS))
def test_any_bytes_become_xml(data, view):
    parsed(data, view)


@pytest.mark.parametrize("view", VIEWS)
def test_a_page_that_breaks_off_anywhere_becomes_xml(view):
    page = (
        '<!DOCTYPE html><html lang="en"><head><title>T</title></head><body><p class="a b">x &amp; y'
        '<!-- c -- d --><svg viewBox="0 0 1 1"><a xlink:href="#q">s</a></svg><img alt=\'"\'></body>'
    )
    for end in range(len(page) + 1):
        parsed(page[:end], view)


@pytest.mark.parametrize("name", ["divs", "formatting", "svg", "attributes", "comment", "json"])
def test_hostile_pages_become_xml(name):
    html = {**NESTED, **LARGE}[name] + "</p><p>the end of it</p>"
    found = html_to_xml(html)
    ElementTree.fromstring(found)
    assert "the end of it" in found


def test_unclosed_tags_are_closed_and_stray_end_tags_dropped():
    found = html_to_xml("</div><p>one<p>two <b>three</i>")
    assert found == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head>'
        "</head><body><p>one</p><p>two <b>three</b></p></body></html>\n"
    )


def test_foreign_elements_are_in_their_namespaces_and_html_within_them_is_html():
    root = parsed(
        "<svg><foreignObject><p>x<a xlink:href=q></a></p></foreignObject><a xlink:href=r>"
    )
    assert root.find(f".//{SVG}foreignObject/{XHTML}p/{XHTML}a").attrib == {"xlink_href": "q"}
    link = root.find(f".//{SVG}svg/{SVG}a")
    assert link.attrib == {"{http://www.w3.org/1999/xlink}href": "r"}


def test_names_that_xml_forbids_are_rewritten_and_namespaces_the_page_claims_left_out():
    body = parsed("<fb:like @on=1 2x=2 x:y=3 x_y=4 xmlns:fb=http://evil xml:lang=en>w</fb:like>")[1]
    assert body[0].tag == f"{XHTML}fb_like"
    language = "{http://www.w3.org/XML/1998/namespace}lang"
    assert body[0].attrib == {"_on": "1", "_2x": "2", "x_y": "3", language: "en"}


def test_text_attributes_and_comments_say_the_same_as_in_html():
    html = "<p title='a\tb\n\"&lt;'>x\x01\ud800 &amp;lt; ]]></p><!-- a---b- --><!----!>"
    body = parsed(html)[1]
    assert body[0].get("title") == 'a\tb\n"<'
    assert body[0].text == "x &lt; ]]>"
    assert "<!-- a- - -b- -->" in html_to_xml(html)


def test_templates_and_scripts_keep_what_stands_in_them():
    root = parsed("<body><template><p>x</p></template><script>a < b && c</script>")
    assert root.find(f".//{XHTML}template/{XHTML}p").text == "x"
    assert root.find(f".//{XHTML}script").text == "a < b && c"


def test_no_parser_is_sent_to_another_address():
    found = html_to_xml('<!DOCTYPE html PUBLIC "-//W3C//DTD" "http://x.example/dtd"><p>x')
    assert "<!DOCTYPE html>\n<html" in found
    assert "x.example" not in found


def test_the_view_of_the_index_has_links_images_and_text_only():
    html = (
        "<html lang=en><title>The mill</title><nav><a href=/>Home</a></nav><p>A <b>mill</b><br>by "
        "the <a href=sea>sea<img src=/s.png alt='The sea'></a><script>x</script></p>"
        "<p hidden>unseen</p><div onclick=x><img src=m.jpg></div>"
    )
    assert html_to_xml(html, URL, view="index") == (
        '<?xml version="1.0" encoding="UTF-8"?>\n<page url="http://coast.example/a/" language="en">'
        '\n<title>The mill</title>\n<p><a href="http://coast.example/">Home</a></p>\n<p>A mill\nby '
        'the <a href="http://coast.example/a/sea">sea<img src="http://coast.example/s.png" '
        'alt="The sea"/></a></p>\n<p><img src="http://coast.example/a/m.jpg" alt=""/></p>\n</page>'
        "\n"
    )


def test_an_unknown_view_is_a_usage_error():
    with pytest.raises(UsageError, match="'tree' is not one of document, index"):
        html_to_xml("x", view="tree")
