"""The parts of a page: what a form asks for, what a table says, what a page is made of."""

import pytest

from telusur.extract.writing.part_records import Field, Form, Image, ItemList, Script, Style, Table
from telusur.extract.writing.parts import MOST_OF_A_KIND, read_images, read_parts

URL = "http://a.example/d/page"


def parts_of(body, head=""):
    return read_parts(f"<!doctype html><html lang=en><head>{head}</head><body>{body}", URL)


def test_forms_with_their_fields():
    parts = parts_of(
        "<form action=/go method=POST name=f><input name=q required value=x><input type=checkbox"
        " name=c><select name=s><option value=1>one<option>two <b>more</b></select>"
        "<textarea name=t>hi\n there</textarea><button>Send <b>it</b></button></form><form></form>"
    )
    assert parts.forms == [
        Form("http://a.example/go", "post", "f", [
            Field("q", "text", "x", is_required=True),
            Field("c", "checkbox"),
            Field("s", "select", options=["one", "two more"]),
            Field("t", "textarea", "hi there"),
            Field("", "submit", "Send it"),
        ]),
        Form(URL),
    ]  # fmt: skip


def test_a_form_between_the_rows_of_a_table_keeps_its_fields():
    parts = parts_of("<table><form action=x><tr><td><input name=z></td></tr></form></table>")
    assert parts.forms == [Form("http://a.example/d/x", fields=[Field("z", "text")])]


def test_a_field_outside_of_any_form_belongs_to_none():
    parts = parts_of("<form><input name=a></form><input name=b>")
    assert [field.name for form in parts.forms for field in form.fields] == ["a"]


def test_tables_as_rows_of_text():
    parts = parts_of(
        "<table><caption>Tides</caption><thead><tr><th>Port<th>High <br>water</thead>"
        "<tr><td>A <i>b</i><td>1<table><tr><td>in</table>2<tr><td colspan=2></table>"
    )
    assert parts.tables == [
        Table("Tides", [["Port", "High water"], ["A b", "12"], [""]]),
        Table("", [["in"]]),
    ]


def test_what_one_may_choose_is_no_text_of_a_cell():
    parts = parts_of("<table><tr><td>Size <select name=s><option>large</select></table>")
    assert parts.tables == [Table("", [["Size"]])]


def test_lists_within_lists():
    parts = parts_of("<ul><li>one<ol><li>inner</ol></li><li>two</ul><dl><dt>sea<dd>water</dl>")
    assert parts.lists == [
        ItemList("ul", ["one", "two"]),
        ItemList("ol", ["inner"]),
        ItemList("dl", ["sea", "water"]),
    ]


def test_scripts_styles_and_images():
    parts = parts_of(
        '<img src=a.png alt="A  boat" width=30 height=20%><img data-src=b.png>'
        "<img src='data:image/gif;base64,R0lG'><img><script src=x.js type=module></script>"
        "<script>1+1</script>",
        "<link rel='preload stylesheet' href=/s.css media=print><style>p{}</style>"
        "<link rel=icon href=i.png>",
    )
    assert parts.images == [
        Image("http://a.example/d/a.png", "A boat", "30", "20%"),
        Image("http://a.example/d/b.png"),
        Image("data:image/gif;base64"),
        Image(None),
    ]
    assert parts.scripts == [Script("http://a.example/d/x.js", "module"), Script(None, "", 3)]
    assert parts.styles == [Style("http://a.example/s.css", "print"), Style(None, "", 3)]


def test_code_is_no_text_of_an_item():
    parts = parts_of("<ul><li>seen<script>hidden()</script><style>x{}</style></ul>")
    assert parts.lists == [ItemList("ul", ["seen"])]


def test_all_metadata():
    said = parts_of(
        "<h1>Tides</h1><script type=application/ld+json>{'no json</script>",
        "<title>Tides</title><meta name=Description content='About the sea'>"
        "<meta property=og:image content=/1.png><meta property=og:image content=/2.png>"
        "<meta http-equiv=X-UA-Compatible content=IE=edge><link rel=canonical href=/tides>"
        '<script type=application/ld+json>{"@type": "Article", "n": [1]}</script>',
    ).metadata
    assert (said.title, said.description, said.language) == ("Tides", "About the sea", "en")
    assert said.canonical == "http://a.example/tides"
    assert said.html5 is True
    assert said.meta == {
        "description": ["About the sea"],
        "og:image": ["/1.png", "/2.png"],
        "x-ua-compatible": ["IE=edge"],
    }
    assert said.structured == [{"@type": "Article", "n": [1]}]


def test_addresses_start_from_the_base():
    parts = parts_of("<img src=a.png><form action=go>", "<base href=/other/>")
    assert parts.images == [Image("http://a.example/other/a.png")]
    assert parts.forms == [Form("http://a.example/other/go")]


def test_bytes_are_decoded():
    page = "<ul><li>Grüße</ul>".encode("windows-1252")
    parts = read_parts(page, URL, content_type="text/html; charset=windows-1252")
    assert parts.lists == [ItemList("ul", ["Grüße"])]


HOSTILE = {
    "nested tables": "<table><tr><td>x" * 20_000,
    "many cells": "<table><tr>" + "<td>x" * 60_000,
    "nested lists": "<ul><li>x" * 20_000,
    "many fields": "<form>" + "<input name=a>" * 60_000,
    "many choices": "<form><select name=a>" + "<option>a" * 60_000,
    "torn forms": "<table><form><tr><td><input>" * 10_000,
    "deep json": "<script type=application/ld+json>" + "[" * 100_000 + "</script>",
    "many attributes": "<form " + " ".join(f"a{n}=1" for n in range(20_000)) + "><input>",
    "many names": "".join(f"<meta name=n{n} content=c>" for n in range(20_000)),
    "nothing": "",
    "rubbish": "\x00<\ud800" * 1000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_give_no_more_than_a_bounded_number_of_parts(name):
    parts = read_parts(HOSTILE[name], URL)
    fields = [form.fields for form in parts.forms]
    options = [field.options for found in fields for field in found]
    rows = [table.rows for table in parts.tables]
    cells = [row for found in rows for row in found]
    items = [found.items for found in parts.lists]
    for things in (parts.forms, parts.tables, parts.lists, parts.metadata.meta,
                   *fields, *options, *rows, *cells, *items):  # fmt: skip
        assert len(things) <= MOST_OF_A_KIND


@pytest.mark.parametrize(
    "body",
    ["<p>none", "<IMG SRC=a.png alt='A  b'><p><img data-src=/b.png width=3><img>",
     "<base href=//b.example/x/><table><tr><td><img src=c.png></table>",
     "<noscript><img src=d.png></noscript><img src=e.png>" * 3, "<img src=f.png>" * 6000],
)  # fmt: skip
def test_pictures_alone_are_those_of_all_parts(body):
    assert read_images(body, URL) == read_parts(body, URL).images
