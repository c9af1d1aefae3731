"""The meta elements of a page by name, and the cleaning of their texts."""

import re

from telusur.extract.page.dom import TagIndex

MAX_FIELD_LENGTH = 1000
Statements = dict[str, list[str]]
_MAX_ELEMENTS = 500
# What is said there is said of another text.
_OF_OTHERS = "[itemprop~=citation],[itemprop~=comment],[itemprop~=review],[itemprop~=isRelatedTo]"
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")


def read_meta(tags: TagIndex) -> Statements:
    """Return the content of each meta element outside noscript, by lower-case name or property."""
    found: Statements = {}
    is_simple = not (tags["noscript"] or tags["template"])
    for element in tags["meta"][:_MAX_ELEMENTS]:
        content = element.attr("content")
        name = element.attr("property") or element.attr("name")
        if not name and (name := element.attr("itemprop")) and element.closest(_OF_OTHERS):
            continue
        if not name or content is None:
            continue
        if is_simple or element.closest("noscript,template") is None:
            found.setdefault(name.strip().lower(), []).append(content)
    return found


def clean(text: str) -> str:
    """Return one line without control and direction characters, of bounded length."""
    return " ".join(_CONTROLS.sub(" ", text[: 4 * MAX_FIELD_LENGTH]).split())[:MAX_FIELD_LENGTH]


def first_of(meta: Statements, names: tuple[str, ...]) -> str:
    """Return the first of these statements that is not empty."""
    for name in names:
        for value in meta.get(name, ()):
            if cleaned := clean(value):
                return cleaned
    return ""
