"""Exports pages with all their fields, for `telusur export`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from telusur.document_table import EXPORTED
from telusur.errors import CollectionError, UsageError
from telusur.extract.writing.part_records import PART_TYPES, PageParts
from telusur.models import Link, State

Record = dict[str, Any]
#: Columns that tell whether a page has parts, and where they are.
_NEEDED = ("url", "status", "state")


class PageExport:
    """Streams pages, so that memory does not grow with their number."""

    def __init__(
        self,
        pages: Callable[[Sequence[str]], Iterator[Record]],
        parts_of: Callable[[str], PageParts | None],
        links_of: Callable[[str], list[Link]],
    ) -> None:
        self._pages = pages
        self._parts_of = parts_of
        self._links_of = links_of

    def walk(self, fields: Sequence[str] = (), parts: Sequence[str] = ()) -> Iterator[Record]:
        """Yield these fields and parts of each page, in fetch order; all fields by default.

        Parts are None for a page without content, or if its stored copy cannot be read.
        """
        wanted = _check("field", fields, EXPORTED) or EXPORTED
        parts = _check("part", parts, tuple(PART_TYPES))
        if not parts:
            return self._pages(wanted)
        return self._with_parts(wanted, parts)

    def _with_parts(self, wanted: Sequence[str], parts: Sequence[str]) -> Iterator[Record]:
        for page in self._pages(tuple(dict.fromkeys((*wanted, *_NEEDED)))):
            record = {name: page[name] for name in wanted}
            yield record | (self._read(page["url"], parts) if _has_content(page) else _none(parts))

    def _read(self, url: str, parts: Sequence[str]) -> Record:
        record = _none(parts)
        if "links" in record:
            record["links"] = [link._asdict() for link in self._links_of(url)]
        others = [name for name in parts if name != "links"]
        try:
            found = self._parts_of(url) if others else None
        except CollectionError:
            return record
        for name in others if found is not None else ():
            record[name] = [asdict(part) for part in getattr(found, name)]
        return record


def _none(parts: Iterable[str]) -> Record:
    return dict.fromkeys(parts)


def _has_content(page: Record) -> bool:
    return page["state"] == State.DONE and 200 <= (page["status"] or 0) < 300


def _check(kind: str, names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the names without repetitions; raise UsageError for an unknown one."""
    for name in names:
        if name not in known:
            raise UsageError(f"{kind} {name!r} is not known; try {', '.join(known)}.")
    return tuple(dict.fromkeys(names))
