"""Pages with their fields and parts: chosen by name, in fetch order, one after the other."""

from itertools import islice

import pytest

import telusur
from telusur.document_table import EXPORTED
from telusur.errors import CollectionError, UsageError
from telusur.extract.writing.part_records import PART_TYPES, PageParts
from telusur.models import FacetCount, Link
from telusur.reports.export import PageExport
from tests.sites import page, serving

FAST = {"allow_private": True, "delay": 0, "render": "never", "workers": 1}
HEAD = (
    "<meta name=description content='On owls.'><meta name=keywords content='owl, night'>"
    "<meta property=og:image content=/owl.jpg><link rel=stylesheet href=/s.css><script src=/j.js>"
    "</script>"
)
BODY = (
    "<h1>Owls</h1><ul><li>barn owl<li>eagle owl</ul><table><tr><td>wings<td>two</table>"
    "<form action=/find><input name=q></form><img src=/small.png alt=logo><a href=/gone>more</a>"
)
TEXT = "<p>" + "Owls hunt at night and sleep by day. " * 100
HOME = f"<!doctype html><html lang=en><title>Owls</title>{HEAD}{BODY}{TEXT}"


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """Crawl a page with parts of every kind and a link that leads nowhere, twice."""
    directory = tmp_path_factory.mktemp("export") / "c"
    later = page("Ravens", "Ravens are clever birds. " * 20)
    with (
        serving({"/": HOME, "/later": later}) as site,
        telusur.open(directory) as collection,
    ):
        collection.crawl([site.url()], **FAST)
        collection.crawl([site.url("/later")], **FAST)
        yield collection


def test_every_field_is_there_and_parts_only_on_request(collection):
    home, gone, _ = collection.pages()
    assert tuple(home) == tuple(gone) == EXPORTED
    assert (home["html5"], home["description"], home["keywords"]) == (
        True,
        "On owls.",
        "owl, night",
    )
    assert home["size_bytes"] == len(HOME)
    assert home["download_seconds"] > 0
    assert home["image"] == home["url"] + "owl.jpg"
    assert home["reading_minutes"] == 4
    assert home["headings"] == [{"level": 1, "text": "Owls"}]


def test_a_page_without_document_has_empty_fields(collection):
    _, gone, _ = collection.pages()
    assert (gone["status"], gone["state"], gone["title"], gone["html5"]) == (
        404,
        "failed",
        "",
        False,
    )
    assert (gone["author"], gone["fields"], gone["headings"], gone["reading_minutes"]) == (
        None, {}, [], 0,
    )  # fmt: skip


def test_each_page_names_the_crawl_that_fetched_it(collection):
    assert [page["crawl_id"] for page in collection.pages()] == [1, 1, 2]
    home, _, later = collection.pages()
    documents = [collection.document(page["url"]) for page in (home, later)]
    assert [document.crawl_id for document in documents] == [1, 2]


def test_the_pages_of_a_crawl_are_found_and_counted(collection):
    assert [hit.title for hit in collection.search("crawl:2").hits] == ["Ravens"]
    assert [hit.title for hit in collection.search("owls crawl:1").hits] == ["Owls"]
    assert collection.search("owls crawl:2").total == 0
    counted = collection.search("owls OR ravens", facets=("crawl",)).facets["crawl"]
    assert counted == (FacetCount("1", 1), FacetCount("2", 1))


def test_fields_are_given_in_the_order_they_are_named(collection):
    names = ("title", "url", "crawl_id")
    assert [tuple(page) for page in collection.pages(names)] == [names] * 3


def test_parts_of_every_kind(collection):
    home = next(collection.pages(("title",), tuple(PART_TYPES)))
    assert tuple(home) == ("title", *PART_TYPES)
    base = next(collection.pages(("url",)))["url"]
    assert [form["fields"][0]["name"] for form in home["forms"]] == ["q"]
    assert home["tables"][0]["rows"] == [["wings", "two"]]
    assert home["scripts"][0]["src"] == f"{base}j.js"
    assert [(link["url"], link["anchor"]) for link in home["links"]] == [(f"{base}gone", "more")]
    assert [(image["src"], image["alt"]) for image in home["images"]] == [
        (f"{base}small.png", "logo")
    ]
    assert home["lists"][0]["items"] == ["barn owl", "eagle owl"]
    assert home["styles"][0]["src"] == f"{base}s.css"


def test_a_page_without_content_has_no_parts(collection):
    _, gone, _ = collection.pages((), ("forms", "links"))
    assert (gone["forms"], gone["links"]) == (None, None)


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"fields": ("titel",)}, "field 'titel' is not known; try url, "),
        ({"parts": ("forms", "form")}, "part 'form' is not known; try forms, "),
    ],
)
def test_a_name_that_is_not_known_is_told_of_at_once(collection, chosen, sentence):
    with pytest.raises(UsageError, match=sentence):
        collection.pages(**chosen)


def endless(names):
    """Give pages without end, so that only who takes one after the other comes back."""
    number = 0
    while True:
        number += 1
        page = {"url": f"http://a.example/{number}", "status": 200, "state": "done"}
        yield {name: page.get(name) for name in names}


def test_pages_are_read_one_after_the_other():
    read = []

    def parts_of(url):
        read.append(url)
        return PageParts(url)

    export = PageExport(endless, parts_of, lambda url: [Link(url)])
    first = list(islice(export.walk(("url",), ("forms", "links")), 3))
    assert read == [page["url"] for page in first]
    assert first[0]["forms"] == []
    assert first[0]["links"][0]["url"] == first[0]["url"]


def test_a_stored_page_that_cannot_be_read_does_not_end_the_export():
    def parts_of(url):
        raise CollectionError("damaged")

    export = PageExport(endless, parts_of, lambda url: [])
    page = next(export.walk(("url",), ("forms", "links")))
    assert (page["forms"], page["links"]) == (None, [])
