"""Parts of a query that filter documents without adding to the score: site, language, date."""

from collections.abc import Iterable

from telusur.document_table import VALUE_FACETS
from telusur.index.query import Match, Node, Range
from telusur.search.query.dates import number_before, number_of_day, parse_day
from telusur.search.query.syntax import QueryWish, Tree

_FIELD_OF = {facet.word: name for name, (_, facet) in VALUE_FACETS.items() if not facet.is_text}


def filter_of(wish: QueryWish) -> Match | Range | None:
    """Return the filter of a wish, or None if it searches the text."""
    field = _FIELD_OF.get(wish.field)
    if field == "language":
        return Match(field, (language_code(wish.text),))
    if field is not None:
        return Match(field, (wish.text.lower().strip("/"),))
    day = parse_day(wish.text) if wish.field in ("before", "after") else None
    if day is None:
        return None
    if wish.field == "after":
        return Range(low=number_of_day(day))
    return Range(high=number_before(day))


def language_code(typed: str) -> str:
    """Return the code that documents have: "en" for "EN-us"."""
    return typed.lower().replace("_", "-").partition("-")[0]


def join_filters(parts: Iterable[Tree]) -> tuple[list[Node], list[Tree]]:
    """Return filters and other parts. Two sites mean either; two dates must both hold."""
    values: dict[str, dict[str, None]] = {}
    ranges: list[Range] = []
    others: list[Tree] = []
    for part in parts:
        found = filter_of(part) if isinstance(part, QueryWish) else None
        if isinstance(found, Match):
            values.setdefault(found.field, {}).update(dict.fromkeys(found.values))
        elif found is not None:
            ranges.append(found)
        else:
            others.append(part)
    filters: list[Node] = [Match(field, tuple(chosen)) for field, chosen in values.items()]
    return [*filters, *_intersection(ranges)], others


def _intersection(ranges: list[Range]) -> list[Range]:
    if not ranges:
        return []
    low = max((one.low for one in ranges if one.low is not None), default=None)
    high = min((one.high for one in ranges if one.high is not None), default=None)
    return [Range(low, high)]
