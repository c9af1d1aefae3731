"""Counts of what matches, from the columns of the index: no document is read."""

from collections.abc import Iterable
from typing import Any

from telusur.document_table import FIELD_FACETS, VALUE_FACETS
from telusur.models import FacetCount

MOST_VALUES = 20
_TERMS_FIELD = {name: row.name for name, (row, _) in VALUE_FACETS.items()}
# `day` is a number like 20240131, so that a year and a month are steps of these widths.
_STEP = {name: facet.step for name, (_, facet) in FIELD_FACETS.items() if facet.step}


def count_facets(
    searcher: Any, query: Any, names: Iterable[str]
) -> dict[str, tuple[FacetCount, ...]]:
    """Return the counts for each name; documents without a value are left out."""
    wishes = {name: _wish(name) for name in names}
    found = searcher.aggregate(query, wishes)
    return {name: tuple(_read(name, found[name]["buckets"])) for name in wishes}


def _wish(name: str) -> dict[str, Any]:
    if name in _STEP:
        return {"histogram": {"field": "day", "interval": _STEP[name], "min_doc_count": 1}}
    # One more than shown: the empty value may be among them.
    return {"terms": {"field": _TERMS_FIELD[name], "size": MOST_VALUES + 1}}


def _read(name: str, buckets: list[dict[str, Any]]) -> list[FacetCount]:
    if name in _STEP:
        dated = [bucket for bucket in buckets if bucket["key"] > 0]
        return [FacetCount(_time(name, int(bucket["key"])), _count(bucket)) for bucket in dated]
    named = [bucket for bucket in buckets if bucket["key"]]
    named.sort(key=lambda bucket: (-bucket["doc_count"], bucket["key"]))
    return [FacetCount(bucket["key"], _count(bucket)) for bucket in named[:MOST_VALUES]]


def _count(bucket: dict[str, Any]) -> int:
    return int(bucket["doc_count"])


def _time(name: str, day: int) -> str:
    """Return `2024` or `2024-01` for a number like 20240100."""
    year = f"{day // 10_000:04}"
    return year if name == "year" else f"{year}-{day // 100 % 100:02}"
