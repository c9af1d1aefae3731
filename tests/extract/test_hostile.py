"""Pages built to hang, exhaust or crash a parser; the run's time limit is the judge of hanging."""

import pytest

from telusur.extract.document import extract_document
from telusur.extract.page.dom import MAX_CHARACTERS, MAX_TAGS
from telusur.extract.page.links import MAX_LINKS
from telusur.extract.page.resolve import MAX_URL_LENGTH

NESTED = {
    "divs": "<div>" * 100_000,
    "formatting": "<b><i><a href=x>" * 30_000,
    "tables": "<table><tr><td>" * 20_000,
    "lists": "<ul><li>" * 50_000,
    "forms": "<form><div>" * 50_000,
    "headings": "<h1><h2><div>" * 30_000,
    "coloured": '<div style="color:#fff">' * 20_000,
    "hidden": "<div hidden><a href=/x>y</a>" * 20_000,
    "svg": "<svg><g>" * 50_000,
    "fonts": "<font size=1><p>" * 30_000,
}
LARGE = {
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(100_000)) + ">",
    "attribute": '<p title="' + "A" * 3_000_000 + '">',
    "entities": "&amp;&lt;&#9999999999;&bogus;" * 100_000,
    "word": "<p>" + "x" * 3_000_000,
    "comment": "<!--" * 100_000 + "-->",
    "less-than": "<" * 100_000,
    "selectors": "<style>"
    + "".join(f".a{n},#b{n}{{color:#fff}}" for n in range(10_000))
    + "</style>"
    + "<div class=a1><p>x</p></div>" * 10_000,
    "sheet": "<style>" + "@x " * 30_000 + "{a{}" + "a{}" * 50_000 + "</style>",
    "json": '<script type="application/ld+json">' + "[" * 200_000 + "</script>",
    "cells": "<table><tr>" + "<td>x</td>" * 50_000,
    "uneven columns": "<table><tr><td>" + "x" * 1_000_000 + "<tr><td>a<td>b" * 5_000 + "</table>",
    "breaks": "<p>" + "x<br>" * 100_000,
    "regular expressions": "<title>" + " - " * 300_000 + "</title><p>" + " " * 300_000 + "a@" * 200,
    "refresh": '<meta http-equiv=refresh content="' + "0 " * 500_000 + 'url=x">',
    "links in one block": "<div>" + "word " * 100_000 + "<a href=/1>word</a> " * MAX_LINKS,
}  # fmt: skip


@pytest.mark.parametrize("content", ["article", "text"])
@pytest.mark.parametrize("name", NESTED)
def test_text_below_deep_nesting_is_found(name, content):
    document = extract_document(NESTED[name] + "<p>bottom of the well", content=content)
    is_hidden = name in ("coloured", "hidden")
    assert ("bottom of the well" in document.text) is not is_hidden


@pytest.mark.parametrize("content", ["article", "text"])
@pytest.mark.parametrize("name", LARGE)
def test_text_after_a_large_construct_is_found(name, content):
    document = extract_document(LARGE[name] + "</p><p>the end of it</p>", content=content)
    blocks = [block.text for block in document.blocks]
    assert "the end of it" in (blocks or document.text.splitlines())


def test_links_of_a_page_are_bounded():
    page = "".join(f"<a href=/{number}>x</a>" for number in range(10_000))
    assert len(extract_document(page, "http://coast.example/").links) == MAX_LINKS


def test_too_long_urls_are_dropped():
    page = f"<a href=/{'x' * 1_000_000}>a</a><a href=/{'y' * MAX_URL_LENGTH}>b</a><a href=/z>c</a>"
    assert [link.url for link in extract_document(page, "http://coast.example/").links] == [
        "http://coast.example/z"
    ]


def test_data_uris_and_frames_without_address_are_no_text_and_no_links():
    picture = f'<img src="data:image/png;base64,{"A" * 1_000_000}">'
    page = picture + '<iframe srcdoc="<p>AAAA"></iframe><p>ok'
    document = extract_document(page, "http://coast.example/")
    assert document.text == "ok"
    assert document.links == []


def test_tags_beyond_the_limit_are_not_read():
    document = extract_document("<p>first" + "<p>" * MAX_TAGS + "last", content="text")
    assert document.text == "first"
    assert document.truncated


def test_text_beyond_the_limit_is_not_read():
    document = extract_document("<p>first</p>" + " " * MAX_CHARACTERS + "<p>last</p>")
    assert document.text == "first"
    assert document.truncated


def test_embedded_files_do_not_count_as_text():
    picture = f'<img src="data:image/png;base64,{"A" * MAX_CHARACTERS}">'
    document = extract_document(f"<p>before</p>{picture}<p>after</p>", content="text")
    assert document.text == "before\nafter"


def test_text_without_any_tag_is_a_page():
    assert extract_document("plain words", content="text").text == "plain words"
    assert extract_document("\ufeff<title>T</title>words", content="text").title == "T"
    document = extract_document("early <title>T</title> late", content="text")
    assert (document.title, document.text) == ("T", "early late")


def test_utf7_is_never_decoded():
    page = b"<meta charset=utf-7><p>+ADw-script+AD4-alert(1)+ADw-/script+AD4-</p>"
    assert "<script>" not in extract_document(page, content_type="text/html; charset=utf-7").text
