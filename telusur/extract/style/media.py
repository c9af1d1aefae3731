"""On how many screens the rules of a condition apply: `@media`, `media=`, `@import ... screen`."""

import re
from enum import IntEnum
from functools import lru_cache

from telusur.extract.style.lengths import pixels

# Screens narrower and wider than these are rare.
_NARROW, _WIDE = 240.0, 4000.0
_FEATURE = re.compile(r"\(\s*(min|max)-(width|height)\s*:\s*([^()]*?)\s*\)")
_TYPE = re.compile(r"(?:only\s+)?([a-z]+)$")


class Applies(IntEnum):
    """On how many of the usual screens a condition holds."""

    NEVER = 0
    SOMETIMES = 1
    ALWAYS = 2


@lru_cache(maxsize=1024)
def media_applies(query: str) -> Applies:
    """Return on how many screens a list of media queries holds; none at all is always."""
    queries = [part.strip() for part in query.lower().split(",")]
    return max(map(_query_applies, queries)) if query.strip() else Applies.ALWAYS


def _query_applies(query: str) -> Applies:
    is_not = query.startswith("not ")
    parts = re.split(r"\s+and\s+", query.removeprefix("not ").strip())
    holds = min(map(_part_applies, parts))
    return Applies(Applies.ALWAYS - holds) if is_not else holds


def _part_applies(part: str) -> Applies:
    if match := _TYPE.fullmatch(part):
        return Applies.ALWAYS if match[1] in ("all", "screen") else Applies.NEVER
    if match := _FEATURE.fullmatch(part):
        length = pixels(match[3])
        if length is not None and match[1] == "min":
            return _least(length)
        if length is not None:
            return Applies(Applies.ALWAYS - _least(length + 1))
    return Applies.SOMETIMES


def _least(length: float) -> Applies:
    """Return how many screens have at least this length."""
    if length <= _NARROW:
        return Applies.ALWAYS
    return Applies.NEVER if length > _WIDE else Applies.SOMETIMES
