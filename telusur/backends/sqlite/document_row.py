"""A document as a row of the catalogue, and back, by the table of fields."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from telusur.document_table import DOCUMENT_FIELDS
from telusur.documents import DocumentField
from telusur.models import Document, Heading


def pack_fields(fields: dict[str, Any]) -> str:
    """Return a user's own fields for storage: a JSON object, or nothing."""
    return json.dumps(fields, allow_nan=False) if fields else ""


def unpack_fields(stored: str | None) -> dict[str, Any]:
    """Return a user's own fields as they were given."""
    return dict(json.loads(stored)) if stored else {}


def pack_headings(headings: Iterable[Heading]) -> str:
    """Return headings for storage: one per line, with its level in front."""
    return "\n".join(f"{level} {' '.join(text.split())}" for level, text in headings)


def unpack_headings(stored: str | None) -> list[Heading]:
    """Return headings as they were given."""
    rows = (line.partition(" ") for line in (stored or "").split("\n") if line)
    return [Heading(int(level), text) for level, _, text in rows]


_PACK: dict[str, Callable[[Any], str]] = {"json": pack_fields, "headings": pack_headings}
_UNPACK: dict[str, Callable[[str | None], Any]] = {
    "json": unpack_fields,
    "headings": unpack_headings,
}

STORED = tuple(field for field in DOCUMENT_FIELDS if field.is_stored)
_NAMES = tuple(field.name for field in STORED)
_PLAIN = tuple(field for field in STORED if not (field.encoding or field.stays_with))
_PACKED = tuple(field for field in STORED if field.encoding)
_STAYING = tuple(field for field in STORED if field.stays_with)
_DECODERS: dict[str, Callable[[Any], Any]] = {
    field.name: _UNPACK[field.encoding] if field.encoding else bool
    for field in STORED
    if field.encoding or field.plain_type is bool
}
# For the hot path: one getter for all plain values, and pairs for the few packed ones.
_plain_values = attrgetter(*(field.name for field in _PLAIN))
_packers = tuple((attrgetter(field.name), _PACK[field.encoding]) for field in _PACKED)
_staying = tuple((attrgetter(field.stays_with), attrgetter(field.name)) for field in _STAYING)

# A value that stays is taken from the row that is replaced.
_STAYS = "iif(? IS NULL, coalesce((SELECT {name} FROM documents WHERE url_id = ?), {empty}), ?)"


def column_type(field: DocumentField) -> str:
    """Return the type of a field's column; rows of older collections get its default."""
    kind = {bool: "INTEGER", int: "INTEGER", float: "REAL"}.get(field.plain_type, "TEXT")
    return kind if field.is_optional else f"{kind} NOT NULL DEFAULT {_default(field)}"


def _default(field: DocumentField) -> str:
    """Return the default of a column, as SQL."""
    if field.is_optional:
        return "NULL"
    return "0" if field.plain_type in (bool, int, float) else "''"


def put_statement(columns: Sequence[str]) -> str:
    """Return the statement that stores a document, after some leading columns."""
    names = [*columns, *(field.name for field in (*_PLAIN, *_PACKED, *_STAYING))]
    stays = [_STAYS.format(name=field.name, empty=_default(field)) for field in _STAYING]
    values = ["?"] * (len(names) - len(stays)) + stays
    return (
        f"INSERT OR REPLACE INTO documents ({', '.join(names)})"  # noqa: S608 - names of ours
        f" VALUES ({', '.join(values)})"
    )


def values_of(document: Document, url_id: bytes) -> tuple[Any, ...]:
    """Return the values of a document in the order of that statement."""
    packed = [pack(get(document)) for get, pack in _packers]
    staying: list[Any] = []
    for guard, get in _staying:
        staying += (guard(document), url_id, get(document))
    return (*_plain_values(document), *packed, *staying)


def document_from(names: Iterable[str], values: Iterable[Any]) -> Document:
    """Return a document from columns by name."""
    found = dict(zip(names, values, strict=True))
    for name in found.keys() & _DECODERS.keys():
        found[name] = _DECODERS[name](found[name])
    return Document(**found)


def document_of(row: sqlite3.Row) -> Document:
    """Return a row of `documents` as a document; older collections have fewer columns."""
    known = set(row.keys())
    names = [name for name in _NAMES if name in known]
    return document_from(names, [row[name] for name in names])


def decode(name: str, stored: Any) -> Any:
    """Return the value of one field of a row; a missing one is the field's default."""
    if name in _DECODERS:
        return _DECODERS[name](stored)
    return _DEFAULTS[name] if stored is None else stored


_DEFAULTS = {field.name: field.default for field in STORED}


def selected(fields: Iterable[DocumentField], connection: sqlite3.Connection) -> list[str]:
    """Return the expressions that select columns of `documents`; missing ones give defaults."""
    known = {row[1] for row in connection.execute("PRAGMA table_info(documents)")}
    return [
        f"documents.{field.name}" if field.name in known else _default(field) for field in fields
    ]
