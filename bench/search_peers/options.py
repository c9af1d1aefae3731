"""Options of `Collection.search` given on a command line: `model=tfidf,per_site=0`."""

from typing import Any


def read_options(words: str) -> dict[str, Any]:
    """Return names with their values: numbers, true and false as such, anything else as text."""
    pairs = (word.partition("=") for word in words.split(","))
    return {name: _value(text) for name, _, text in pairs}


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdigit() else text
