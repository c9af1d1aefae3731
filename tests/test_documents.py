"""The table of a document's fields, and that everything made from it agrees with it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from telusur.backends.sqlite.catalogue import SqliteCatalogue
from telusur.backends.sqlite.database.schema import connect, create_database
from telusur.backends.sqlite.database.tables import FORMAT
from telusur.backends.sqlite.document_row import STORED
from telusur.backends.sqlite.reader import SqliteReader
from telusur.document_table import (
    DOCUMENT_FIELDS,
    EXPORTED,
    FIELD_FACETS,
    HIT_FIELDS,
    QUERY_WORDS,
    SEARCHED,
)
from telusur.documents import PAGE_FIELDS, DocumentField
from telusur.models import Document, Heading, Hit, url_id_of

PAGE = url_id_of("a.example/1")
SAMPLES: dict[Any, Any] = {str: "words", int: 7, float: 0.5, bool: True, dict: {"price": 3.5}}


@pytest.fixture
def catalogue(tmp_path: Path) -> tuple[SqliteCatalogue, Path]:
    create_database(tmp_path)
    return SqliteCatalogue(connect(tmp_path, read_only=False)), tmp_path


def sample_of(field: DocumentField) -> Any:
    return [Heading(2, "Owls")] if field.name == "headings" else SAMPLES[field.plain_type]


def full_document() -> Document:
    return Document(**{field.name: sample_of(field) for field in STORED})


def put(catalogue: SqliteCatalogue, document: Document) -> None:
    catalogue.put_document(
        PAGE, document, site="a.example", fetched_at=1.0, digest=b"d", canonical=None,
        not_indexed="",
    )  # fmt: skip


def read_again(directory: Path) -> Document | None:
    reader = SqliteReader(directory)
    try:
        return reader.document(PAGE)
    finally:
        reader.close()


def test_every_field_says_what_it_means():
    assert all(field.help.endswith(".") for field in DOCUMENT_FIELDS)
    assert all(meaning.endswith(".") for _, _, meaning in PAGE_FIELDS)


def test_names_and_words_are_used_once():
    words = [facet.word for _, facet in FIELD_FACETS.values() if facet.word]
    words += [word for field in DOCUMENT_FIELDS for word in field.words]
    assert sorted(words) == sorted(QUERY_WORDS)
    assert len(SEARCHED) == len({field.name for field in SEARCHED.values()})
    assert len(EXPORTED) == len(set(EXPORTED))


def test_fields_that_share_a_place_have_one_weight():
    weights = {(field.place, field.weight) for field in DOCUMENT_FIELDS if field.place}
    assert len(weights) == len({place for place, _ in weights})


def test_what_a_query_asks_for_is_stored():
    asked = [field for field in DOCUMENT_FIELDS if field.is_indexed or field.words]
    assert [field.name for field in asked if not field.is_stored] == []


def test_no_field_comes_with_a_format_of_the_future():
    assert min(field.since for field in STORED) >= 1
    assert max(field.since for field in STORED) <= FORMAT


@pytest.mark.parametrize("document", [full_document(), Document("http://a.example/1")])
def test_every_stored_field_comes_back_as_it_was_given(catalogue, document):
    writer, directory = catalogue
    put(writer, document)
    assert read_again(directory) == document


def test_what_a_crawl_with_a_topic_found_stays_when_one_without_fetches_the_page(catalogue):
    writer, directory = catalogue
    put(writer, full_document())
    put(writer, Document("http://a.example/1", "New title"))
    found = read_again(directory)
    assert found is not None
    assert (found.title, found.topic_score, found.topic) == ("New title", 0.5, "words")
    put(writer, Document("http://a.example/1", topic_score=0.25))
    found = read_again(directory)
    assert found is not None
    assert (found.topic_score, found.topic) == (0.25, "")


def test_a_new_field_is_declared_once_and_appears_everywhere(tmp_path):
    """Two more rows of `Document`, in a process of their own; nothing else is told of them."""
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "tests.one_more_field", str(tmp_path / "c")],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "hit": ["Calm", 3],
        "hits": 1,
        "tags": [["Mood", "Calm"]],
        "terminal": True,
        "facet": [["calm", 1]],
        "export": ["Calm", "wild"],
        "column": ["http://a.example/2"],
        "page": "wild",
        "show": ["mood", "noise"],
        "schema": {"type": "string"},
        "docs": ["| `mood` | text | Its mood. | `mood:`, facet `mood` | yes | `mood` |  | 99 |"],
    }


def test_a_hit_has_the_fields_that_the_table_gives_it():
    declared = {field.name: field.default for field in HIT_FIELDS}
    hit = Hit("https://a.example/", "Owls", "", 1.0)
    assert {name: getattr(hit, name) for name in declared} == declared
    assert "language" in declared, "snippets are cut by the language of a hit"
