"""Parses JSON in a page, repairing common errors and cleaning its texts."""

import html
import json
import re
from typing import Any

from telusur.extract.page.decode import clean_text

_MAX_VALUES = 200
_MAX_GAP = 100  # characters between two values that follow each other
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
_WRAPPING = re.compile(r"^\s*(?:<!--|<!\[CDATA\[|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)")
_UNSAFE_ESCAPE = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")  # half a character, or NUL


def parse_json(text: str) -> Any:
    """Return the value of a JSON text, repairing common errors, or None."""
    text = text.strip().removesuffix(";")
    try:
        value = _parse(text)
        return _clean(value) if _UNSAFE_ESCAPE.search(text) else value
    except RecursionError:
        return None


def _parse(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return _parse_broken_json(text)


def _parse_broken_json(text: str) -> Any:
    """Remove comments, entities and stray commas, and read consecutive values."""
    text = _WRAPPING.sub("", text, count=1).lstrip("/* \t\r\n")
    if "&quot;" in text[:200]:
        text = html.unescape(text)
    text = _TRAILING_COMMA.sub("", text)
    decoder = json.JSONDecoder(strict=False)
    values: list[Any] = []
    position = 0
    while position < len(text) and len(values) < _MAX_VALUES:
        if text[position] not in "{[":
            starts = [at for at in (text.find("{", position), text.find("[", position)) if at >= 0]
            if not starts or min(starts) - position > _MAX_GAP:
                break
            position = min(starts)
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        values.append(value)
    return values or None


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(name): _clean(item) for name, item in value.items()}
    return value
