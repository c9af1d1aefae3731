"""Matches style rules to elements by their selectors."""

import re
from dataclasses import dataclass

from telusur.models import Block

Style = dict[str, str]

_COMPOUND = re.compile(r"(?:[a-z][a-z0-9-]*|\*)?(?:[.#][\w-]+)*", re.IGNORECASE)
_TAG_AND_NAMES = re.compile(r"([^.#]*)(.*)", re.DOTALL)
_NAME = re.compile(r"([.#])([^.#]+)")
_MOST_PARTS = 8


@dataclass(slots=True, frozen=True)
class ElementPlace:
    """An element as selectors see it."""

    tag: str
    element_id: str = ""
    classes: frozenset[str] = frozenset()


@dataclass(slots=True, frozen=True)
class Rule:
    """Declarations for elements that match `parts[0]`, inside one that matches `parts[1]`, ...

    `is_child` tells for each further part whether it must be the parent of the one before.
    """

    parts: tuple[ElementPlace, ...]
    is_child: tuple[bool, ...]
    rank: tuple[int, int, int, int]
    style: Style


def path_of(block: Block) -> tuple[ElementPlace, ...]:
    """Return the elements from the root to the one with the text of a block."""
    *above, tag = block.tag_path.split("/")
    own = ElementPlace(tag, block.element_id, frozenset(block.classes.split()))
    if block.selectors:  # of its ancestors; for the element itself it may have only the first class
        return (*map(_read_place, block.selectors.split(" > ")[:-1]), own)
    return (*map(ElementPlace, above), own)


def _read_place(part: str) -> ElementPlace:
    tag, names = _TAG_AND_NAMES.findall(part)[0]
    found = _NAME.findall(names)
    ids = [name for mark, name in found if mark == "#"]
    classes = frozenset(name for mark, name in found if mark == ".")
    return ElementPlace(tag.lower(), ids[0] if ids else "", classes)


def key_of(place: ElementPlace) -> str:
    """Return the rarest condition of a selector: the key for looking up rules."""
    if place.element_id:
        return f"#{place.element_id}"
    return f".{min(place.classes)}" if place.classes else place.tag or "*"


def read_rule(selector: str, style: Style, number: int) -> Rule | None:
    """Return the rule for a selector of tags, classes, ids, spaces and `>`; None for others."""
    words = selector.replace(">", " > ").split()
    if not words or len(words) > _MOST_PARTS or words[0] == ">" or words[-1] == ">":
        return None
    parts: list[ElementPlace] = []
    is_child: list[bool] = []
    for before, word in zip(["", *words], words, strict=False):
        if word == ">":
            continue
        if _COMPOUND.fullmatch(word) is None:
            return None
        parts.append(_read_place(word.replace("*", "")))
        is_child.append(before == ">")
    ids = sum(bool(part.element_id) for part in parts)
    classes = sum(len(part.classes) for part in parts)
    rank = (ids, classes, sum(bool(part.tag) for part in parts), number)
    return Rule(tuple(parts[::-1]), tuple(is_child[:0:-1]), rank, style)


def rule_fits(rule: Rule, path: tuple[ElementPlace, ...]) -> bool:
    """Tell whether a rule matches the last element; the nearest matching ancestor is used."""
    if not _is_like(rule.parts[0], path[-1]):
        return False
    at = len(path) - 1
    for part, must_be_parent in zip(rule.parts[1:], rule.is_child, strict=True):
        at -= 1
        while at >= 0 and not must_be_parent and not _is_like(part, path[at]):
            at -= 1
        if at < 0 or not _is_like(part, path[at]):
            return False
    return True


def _is_like(wanted: ElementPlace, place: ElementPlace) -> bool:
    return (
        (not wanted.tag or wanted.tag == place.tag)
        and (not wanted.element_id or wanted.element_id == place.element_id)
        and wanted.classes <= place.classes
    )
