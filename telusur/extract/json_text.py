"""JSON that a page carries, read so that its texts can be stored."""

import json
import re
from typing import Any

from telusur.extract.decode import clean_text

_UNSAFE_ESCAPE = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")  # half a character, or NUL


def parse_json(text: str) -> Any:
    """Return what a script says as data; None when it is no JSON or nested too deep."""
    try:
        value = json.loads(text.strip().removesuffix(";"), strict=False)
        return _clean(value) if _UNSAFE_ESCAPE.search(text) else value
    except (ValueError, RecursionError):
        return None


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(name): _clean(item) for name, item in value.items()}
    return value
