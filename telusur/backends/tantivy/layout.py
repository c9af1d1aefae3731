"""How a document lies in the tantivy index, and the number of that layout's format."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tantivy

from telusur.errors import CollectionError
from telusur.index.contract import Entry
from telusur.index.fields import Fields

_LOG = logging.getLogger(__name__)
FORMAT = 4
FORMAT_FILE = "format"
# The fields of terms by the place a query names.
FIELD_OF_PLACE = {
    "everywhere": "everywhere",
    "exact": "exact",
    "title": "title_terms",
    "url": "url_terms",
    "topic": "topic_terms",
}
# What is kept to be shown; tantivy reads a text ten times as fast as bytes, one by one.
_STORED = ("shown", "text", "tokens")
_NOT_INDEXED = "not_indexed"
_BLOCK_BYTES = 2_048
_decode = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(ensure_ascii=False).encode


def make_schema() -> tantivy.Schema:
    """Return the layout of format 4; whoever changes it raises `FORMAT`."""
    builder = tantivy.SchemaBuilder()
    for name in FIELD_OF_PLACE.values():
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    for name in ("url_id", "hosts"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("site", "language", "page_type", "topic"):
        builder.add_text_field(name, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("number", fast=True)
    builder.add_unsigned_field("site_number", fast=True)
    builder.add_unsigned_field("day", indexed=True, fast=True)
    builder.add_float_field("fetched_at", fast=True)
    for name in _STORED:
        builder.add_text_field(name, stored=True, tokenizer_name=_NOT_INDEXED, index_option="basic")
    return builder.build()


def make_empty_index(directory: Path) -> None:
    """Make an index whose documents lie each in a block of its own, unless they are tiny.

    A block is unpacked whole to read one document of it: with the usual 16 kB that is what a
    search waits for. The setting cannot be given from Python, but lies in a file that names it.
    """
    tantivy.Index(make_schema(), str(directory), reuse=True)
    path = directory / "meta.json"
    meta = json.loads(path.read_text(encoding="utf-8"))
    meta["index_settings"]["docstore_blocksize"] = _BLOCK_BYTES
    unfinished = directory / "meta.json.new"
    unfinished.write_text(json.dumps(meta), encoding="utf-8")
    unfinished.replace(path)


def register_tokenizers(index: Any) -> None:
    """Give an index that is written what makes no words of the texts that are only stored."""
    whole = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    nothing = whole.filter(tantivy.Filter.remove_long(1)).build()
    index.register_tokenizer(_NOT_INDEXED, nothing)


def make_document(fields: Fields) -> tantivy.Document:
    """Return a document as tantivy takes it."""
    document = tantivy.Document()
    for name, text in _texts_of(fields):
        try:
            document.add_text(name, text)
        except UnicodeEncodeError:  # UTF-8 cannot hold a lone surrogate: a question mark stands in
            document.add_text(name, text.encode("utf-8", "replace").decode())
    document.add_unsigned("number", fields.number)
    document.add_unsigned("site_number", fields.site_number)
    document.add_unsigned("day", fields.day)
    if fields.fetched_at is not None:
        document.add_float("fetched_at", fields.fetched_at)
    return document


def _texts_of(fields: Fields) -> list[tuple[str, str]]:
    """Return the fields that are texts, each with its name."""
    return [
        ("url_id", fields.url_id.hex()),
        ("everywhere", fields.everywhere),
        ("exact", fields.exact),
        ("title_terms", fields.title_terms),
        ("url_terms", fields.url_terms),
        *(("hosts", host) for host in fields.hosts),
        ("site", fields.site),
        ("language", fields.language),
        ("page_type", fields.page_type),
        ("topic", fields.topic),
        ("topic_terms", fields.topic_terms),
        ("shown", _shown(fields)),
        ("text", fields.text),
        ("tokens", fields.tokens),
    ]


def _shown(fields: Fields) -> str:
    """Return what a hit shows but the text, in the order of `make_entry`."""
    shown = (
        fields.url_id.hex(), fields.url, fields.title, fields.description, fields.site,
        fields.language, fields.date, fields.fetched_at, fields.page_type,
    )  # fmt: skip
    return _encode(shown)


def make_entry(document: tantivy.Document, score: float) -> Entry:
    """Return a document as the index gives it back."""
    read: Callable[[str], Any] = document.get_first
    shown, text, tokens = read("shown"), read("text"), read("tokens")
    (url_id, url, title, description, site, language, date, fetched_at, page_type), _ = _decode(
        shown
    )
    return Entry(
        bytes.fromhex(url_id), score, url, title, description, text, site, language,
        date, fetched_at, page_type, tokens,
    )  # fmt: skip


def has_deleted_documents(directory: Path) -> bool:
    """Tell whether a segment holds documents that are deleted, and not merged away."""
    try:
        segments = json.loads((directory / "meta.json").read_text(encoding="utf-8"))["segments"]
    except (OSError, ValueError, KeyError):
        return False
    return any(segment.get("deletes") for segment in segments)


def check_format(directory: Path) -> None:
    """Refuse an index that a newer program wrote, or that is none of ours."""
    number = read_format(directory)
    if number is not None and number > FORMAT:
        raise CollectionError(
            f"The index {directory} has format {number}, and this program knows up to {FORMAT}; "
            "use a newer Telusur."
        )


def is_outdated(directory: Path) -> bool:
    """Tell whether an older program wrote this index."""
    number = read_format(directory)
    return number is not None and number < FORMAT


def remove_outdated(directory: Path) -> None:
    """Delete an index of an older format, with the position up to which it had come."""
    if is_outdated(directory):
        _LOG.warning("%s: the index has an older format and is made anew, once.", directory)
        # The number of the format goes last: killed midway, it is begun again.
        files = sorted(directory.iterdir(), key=lambda path: path.name == FORMAT_FILE)
        for path in files:
            path.unlink()


def read_format(directory: Path) -> int | None:
    """Return the format of an index, or None when there is none yet."""
    path = directory / FORMAT_FILE
    try:
        return int(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        if (directory / "meta.json").exists():
            raise CollectionError(f"{directory} was not written by Telusur.") from None
        return None
    except (OSError, ValueError):
        raise CollectionError(f"The index {directory} is damaged: {path} is unreadable.") from None


def write_format(directory: Path) -> None:
    """Write the format number of a new index, whole or not at all."""
    path = directory / FORMAT_FILE
    if not path.exists():
        unfinished = directory / f"{FORMAT_FILE}.new"
        unfinished.write_text(f"{FORMAT}\n", encoding="ascii")
        unfinished.replace(path)
