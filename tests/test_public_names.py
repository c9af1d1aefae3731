"""What a program that imports Telusur may rely on."""

import importlib
import inspect
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import telusur

PROMISED = {
    "open",
    "extract",
    "normalize_url",
    "parse_feed",
    "parse_sitemap",
    "file_name_of",
    "url_of",
    "Robots",
    "Collection",
    "Document",
    "Block",
    "Link",
    "Post",
    "Hit",
    "SearchResults",
    "TelusurError",
    "UsageError",
    "CollectionError",
    "CollectionBusy",
    "StorageError",
    "__version__",
}
LIBRARY_PAGE = Path(__file__).parent.parent / "docs" / "library.md"

IMPORTS = [
    "import telusur",
    "import telusur; telusur.extract; import telusur.collection",
    "from telusur import extract",
]
FURTHER_IMPORTS = [
    "import telusur.extract",
    "import telusur.extract.document",
    "import telusur.collection",
    "import telusur.pipeline.parsing.page_parser, telusur.models",
    "import telusur; telusur.normalize_url; import telusur.extract.page.links",
    "from telusur import *",
    "from telusur.extract.document import extract_document as extract",
]


def test_the_public_names_are_those_promised():
    assert set(telusur.__all__) == PROMISED
    assert len(telusur.__all__) == len(PROMISED)
    assert set(dir(telusur)) >= PROMISED


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_each_name_is_there_and_documented(name):
    assert getattr(telusur, name) is not None
    assert name in LIBRARY_PAGE.read_text("utf-8")


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'telusur' has no attribute 'crawl_it'"):
        telusur.crawl_it  # noqa: B018


@pytest.mark.parametrize(
    "first",
    [*IMPORTS, *(pytest.param(one, marks=pytest.mark.slow) for one in FURTHER_IMPORTS)],
)
def test_extract_can_be_called_after_imports_in_any_order(first):
    program = (
        f"{first}\nimport sys, telusur\n"
        "assert telusur.extract(b'<title>Tides</title>').title == 'Tides'\n"
        "assert telusur.extract('<p>x', 'http://a.example/').url == 'http://a.example/'\n"
        "import telusur.extract.content.blocks\n"
        "from telusur import extract, open, normalize_url, Robots, Document\n"
        "assert extract(b'<title>Tides</title>').title == 'Tides'\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_importing_telusur_loads_nothing_heavy():
    program = "import sys, telusur; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    heavy = {"tantivy", "pycurl", "turbohtml", "py3langid", "starlette", "click", "rich", "sqlite3"}
    assert not heavy & set(loaded)


def parameters(function: object) -> list[str]:
    return [str(one) for one in inspect.signature(function).parameters]  # type: ignore[arg-type]


def test_functions_take_what_is_promised():
    assert parameters(telusur.extract)[:2] == ["html", "url"]
    assert parameters(telusur.normalize_url) == ["url", "base"]
    assert parameters(telusur.file_name_of) == ["url"]
    assert parameters(telusur.url_of) == ["file_name"]
    assert parameters(telusur.open)[0] == "address"
    assert parameters(telusur.Robots.parse)[0] == "data"
    assert parameters(telusur.Robots.allows) == ["self", "url", "agent"]
    assert parameters(telusur.Robots.crawl_delay) == ["self", "agent"]
    assert parameters(telusur.Collection.crawl) == ["self", "urls", "settings"]
    assert parameters(telusur.Collection.add) == ["self", "documents"]
    assert parameters(telusur.Collection.search)[:4] == ["self", "query", "page", "limit"]
    assert telusur.Robots.parse(b"Sitemap: http://a.example/s.xml").sitemaps == [
        "http://a.example/s.xml"
    ]


@pytest.mark.parametrize(
    ("record", "names"),
    [
        ("Document", {"url", "title", "author", "date", "text", "language", "links", "blocks"}),
        ("Block", {"text", "label"}),
        ("Hit", {"url", "title", "snippet", "score"}),
        ("SearchResults", {"total", "hits"}),
    ],
)
def test_records_have_what_is_promised(record, names):
    assert {one.name for one in fields(getattr(telusur, record))} >= names


def test_one_exception_catches_all():
    errors = importlib.import_module("telusur.errors")
    raised = [one for _, one in inspect.getmembers(errors, inspect.isclass)]
    assert len(raised) == 6
    assert all(issubclass(one, telusur.TelusurError) for one in raised)


def test_a_parser_does_without_what_only_its_owner_needs():
    """Each parser would take ten megabytes for them."""
    program = "import sys, telusur.pipeline.parsing.parser; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", program], text=True).split()
    assert not {"asyncio", "ssl", "sqlite3", "importlib.metadata"} & set(loaded)
