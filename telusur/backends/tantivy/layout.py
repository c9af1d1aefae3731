"""The layout of documents in the tantivy index, and the number of its format."""

import json
import logging
import re
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from telusur.backends.files.private import write_whole
from telusur.backends.files.rights import cannot_read, is_refused
from telusur.document_table import FIELD_FACETS, HIT_FIELDS, VALUE_FACETS
from telusur.errors import CollectionError
from telusur.index.contract import Entry
from telusur.index.fields import Fields

_LOG = logging.getLogger(__name__)
# 7: the text of a document is not in the index, if its catalogue has it.
LAYOUT_FORMAT = 7
FORMAT = max(
    LAYOUT_FORMAT,
    *(facet.since for _, facet in FIELD_FACETS.values()),
    *(field.hits_since for field in HIT_FIELDS),
)
FORMAT_FILE = "format"
# The fields of terms by the place a query names.
FIELD_OF_PLACE = {
    "everywhere": "everywhere",
    "exact": "exact",
    "title": "title_terms",
    "url": "url_terms",
    **{facet.name: f"{row.name}_terms" for row, facet in VALUE_FACETS.values() if facet.is_text},
}
# Stored fields. They are texts: tantivy reads those ten times as fast as bytes. `text` is stored
# only if it is not read elsewhere, `tokens` only for texts that snippets need a table of.
_STORED = ("shown", "text", "tokens")
# The order in `shown`: first what format 4 had, then later fields of hits.
_FIRST_SHOWN = (
    "url_id", "url", "title", "description", "site", "language", "date", "fetched_at", "page_type",
)  # fmt: skip
_HIT_NAMES = tuple(field.name for field in HIT_FIELDS)
_SHOWN = tuple(dict.fromkeys([*_FIRST_SHOWN, *_HIT_NAMES]))
_hit_values = itemgetter(*map(_SHOWN.index, _HIT_NAMES))
_NOT_INDEXED = "not_indexed"
_BLOCK_BYTES = 2_048
_OWN_FILE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")
_decode = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(ensure_ascii=False).encode


def make_schema() -> Any:
    """Return the layout; a change needs a higher `LAYOUT_FORMAT`.

    A new facet or field of hits names its format, and is added automatically.
    """
    # Imported late: most processes of a crawl never open an index.
    import tantivy

    builder = tantivy.SchemaBuilder()
    for name in FIELD_OF_PLACE.values():
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="position")
    for name in ("url_id", "hosts"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for row, _ in VALUE_FACETS.values():
        builder.add_text_field(row.name, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("number", fast=True)
    builder.add_unsigned_field("site_number", fast=True)
    builder.add_unsigned_field("day", indexed=True, fast=True)
    builder.add_float_field("fetched_at", fast=True)
    for name in _STORED:
        builder.add_text_field(name, stored=True, tokenizer_name=_NOT_INDEXED, index_option="basic")
    return builder.build()


def make_empty_index(directory: Path) -> None:
    """Create an index that stores each document in a block of its own, unless it is tiny.

    Reading a document unpacks its whole block, and with the usual 16 kB a search spends most of
    its time on that. Python has no parameter for the size, so it is written into `meta.json`.
    """
    import tantivy

    tantivy.Index(make_schema(), str(directory), reuse=True)
    path = directory / "meta.json"
    meta = json.loads(path.read_text(encoding="utf-8"))
    meta["index_settings"]["docstore_blocksize"] = _BLOCK_BYTES
    write_whole(path, json.dumps(meta))


def register_tokenizers(index: Any) -> None:
    """Register the tokenizer for stored texts, which makes no words."""
    import tantivy

    whole = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    nothing = whole.filter(tantivy.Filter.remove_long(1)).build()
    index.register_tokenizer(_NOT_INDEXED, nothing)


def make_document(fields: Fields, *, with_text: bool = True) -> Any:
    """Return a document for tantivy; without the text, if that is read elsewhere."""
    import tantivy

    document = tantivy.Document()
    for name, text in _texts_of(fields, with_text=with_text):
        try:
            document.add_text(name, text)
        # UTF-8 has no lone surrogates: they become question marks.
        except UnicodeEncodeError:
            document.add_text(name, text.encode("utf-8", "replace").decode())
    document.add_unsigned("number", fields.number)
    document.add_unsigned("site_number", fields.site_number)
    document.add_unsigned("day", fields.day)
    if fields.fetched_at is not None:
        document.add_float("fetched_at", fields.fetched_at)
    return document


def _texts_of(fields: Fields, *, with_text: bool) -> list[tuple[str, str]]:
    """Return the text fields, each with its name."""
    texts = [
        ("url_id", fields.url_id.hex()),
        ("everywhere", fields.everywhere),
        ("exact", fields.exact),
        ("title_terms", fields.title_terms),
        ("url_terms", fields.url_terms),
        *(("hosts", host) for host in fields.hosts),
        ("site", fields.site),
        *fields.facets,
        *((f"{name}_terms", terms) for name, terms in fields.facet_terms),
        ("shown", _shown(fields)),
    ]
    if with_text:
        texts.append(("text", fields.text))
    if fields.tokens:
        texts.append(("tokens", fields.tokens))
    return texts


def _shown(fields: Fields) -> str:
    """Return what a hit shows besides the text, in the order of `_SHOWN`."""
    own = {
        "url_id": fields.url_id.hex(), "url": fields.url, "title": fields.title,
        "description": fields.description, "site": fields.site, "fetched_at": fields.fetched_at,
    }  # fmt: skip
    return _encode([*map((own | fields.shown).__getitem__, _SHOWN)])


class StoredFields(NamedTuple):
    """What the index stores of a document."""

    url_id: bytes
    # The values of `_SHOWN`.
    shown: list[Any]
    # None if the index stores no texts.
    text: str | None
    tokens: str


def read_document(document: Any) -> StoredFields:
    """Return what a document of tantivy has stored."""
    read: Callable[[str], Any] = document.get_first
    shown, _ = _decode(read("shown"))
    return StoredFields(bytes.fromhex(shown[0]), shown, read("text"), read("tokens") or "")


def make_entry(stored: StoredFields, score: float, text: str) -> Entry:
    """Return a stored document with its text."""
    _, url, title, description, site, _, _, fetched_at, *_ = stored.shown
    return Entry(
        stored.url_id, score, url, title, description, text, site, fetched_at,
        dict(zip(_HIT_NAMES, _hit_values(stored.shown), strict=True)), stored.tokens,
    )  # fmt: skip


def has_deleted_documents(directory: Path) -> bool:
    """Tell whether a segment has deleted documents that are not merged away."""
    try:
        segments = json.loads((directory / "meta.json").read_text(encoding="utf-8"))["segments"]
    except (OSError, ValueError, KeyError):
        return False
    return any(segment.get("deletes") for segment in segments)


def check_format(directory: Path) -> None:
    """Refuse an index that a newer or another program wrote."""
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
    """Delete an index of an older format, with its cursor."""
    if is_outdated(directory):
        _LOG.warning("%s: the index has an older format and is rebuilt, once.", directory)
        # The format file goes last: after a kill midway, this starts again.
        files = sorted(directory.iterdir(), key=lambda path: path.name == FORMAT_FILE)
        for path in files:
            path.unlink()


def check_names(directory: Path) -> None:
    """Refuse an index that names files elsewhere: tantivy deletes files it no longer needs.

    Tantivy trusts its list of files, whatever it contains.
    """
    try:
        names = json.loads((directory / ".managed.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        # The file is missing, or tantivy reports what is wrong with it.
        return
    if not isinstance(names, list) or not all(
        isinstance(name, str) and _OWN_FILE.fullmatch(name) for name in names
    ):
        raise CollectionError(
            f"The index {directory} names files that are not its own; delete this directory, and "
            f"`telusur index --in {directory.parent}` rebuilds it from the crawled pages."
        )


def read_format(directory: Path) -> int | None:
    """Return the format of an index, or None when there is none yet."""
    path = directory / FORMAT_FILE
    try:
        return int(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        if (directory / "meta.json").exists():
            raise CollectionError(f"{directory} was not written by Telusur.") from None
        return None
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and is_refused(error):
            raise CollectionError(cannot_read(directory)) from None
        raise CollectionError(f"The index {directory} is damaged: {path} is unreadable.") from None


def write_format(directory: Path) -> None:
    """Write the format number of a new index, whole or not at all."""
    path = directory / FORMAT_FILE
    if not path.exists():
        write_whole(path, f"{FORMAT}\n")
