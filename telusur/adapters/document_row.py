"""A document as a row of the catalogue, for whoever reads one."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from telusur.models import Document, Heading


def pack_fields(fields: dict[str, Any]) -> str:
    """Return a user's own fields as they are stored: a JSON object, or nothing."""
    return json.dumps(fields, allow_nan=False) if fields else ""


def unpack_fields(stored: str | None) -> dict[str, Any]:
    """Return a user's own fields as they were given."""
    return dict(json.loads(stored)) if stored else {}


def pack_headings(headings: Iterable[Heading]) -> str:
    """Return headings as they are stored: one a line, its level before it."""
    return "\n".join(f"{level} {' '.join(text.split())}" for level, text in headings)


def unpack_headings(stored: str) -> list[Heading]:
    """Return headings as they were given."""
    rows = (line.partition(" ") for line in stored.split("\n") if line)
    return [Heading(int(level), text) for level, _, text in rows]


def document_of(row: sqlite3.Row) -> Document:
    """Return a row of `documents` as a document; older collections lack the last columns."""
    known = row.keys()
    return Document(
        url=row["url"],
        title=row["title"],
        author=row["author"],
        date=row["date"],
        description=row["description"],
        keywords=row["keywords"],
        text=row["text"],
        language=row["language"],
        html5=bool(row["html5"]),
        page_type=row["page_type"] if "page_type" in known else "",
        fields=unpack_fields(row["fields"] if "fields" in known else ""),
        headings=unpack_headings(row["headings"] if "headings" in known else ""),
        topic_score=row["topic_score"] if "topic_score" in known else None,
        topic=row["topic"] if "topic" in known else "",
    )
