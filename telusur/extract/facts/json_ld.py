"""Reads JSON-LD as found in the wild: broken, repeated, spread over a graph of references."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import Any

from telusur.extract.facts.json_text import parse_json
from telusur.extract.page.dom import TagIndex

Properties = dict[str, Any]
_MAX_SCRIPTS = 20
_MAX_JSON_LENGTH = 500_000
_MAX_NODES = 2000
_MAX_ITEMS = 200
_MAX_TYPES = 50
_LINKS = ("@graph", "mainEntity")
# The types that describe the page itself, the most specific first.
_PAGE_KINDS = (
    "posting", "article", "report", "recipe", "newsitem", "question", "howto", "product", "review",
    "creativework", "webpage",
)  # fmt: skip
_ARTICLE_KINDS = frozenset(("posting", "article", "report", "recipe", "newsitem", "howto"))
_FORUM_KINDS = frozenset(("discussionforumposting", "qapage", "socialmediaposting"))


@dataclass(slots=True)
class StructuredData:
    """The JSON-LD of a page: the properties of its main thing, and the rest."""

    facts: Properties = field(default_factory=dict)
    page: Properties = field(default_factory=dict)
    # What else may be the page, the most specific first: the recipe of an article, for example.
    others: list[Properties] = field(default_factory=list)
    types: list[str] = field(default_factory=list)
    is_article: bool = False
    site_name: str = ""
    by_id: dict[str, Properties] = field(default_factory=dict)

    def resolve(self, value: Any) -> Any:
        """Return the object behind a reference."""
        if isinstance(value, dict) and "name" not in value:
            return self.by_id.get(as_text(value.get("@id")), value)
        return value


def read_json_ld(tags: TagIndex) -> StructuredData:
    """Return the JSON-LD of the page; of several things of one type the first wins."""
    found = StructuredData()
    ranked: list[tuple[int, Properties]] = []
    for item in objects_in(tags):
        kinds = types_of(item)
        if len(found.types) < _MAX_TYPES:
            found.types += [kind for kind in kinds if kind not in found.types]
        identity = item.get("@id")
        if isinstance(identity, str):
            found.by_id.setdefault(identity, item)
        if "website" in kinds and not found.site_name:
            found.site_name = as_text(item.get("name"))
        rank = _rank(tuple(kinds))
        if rank < len(_PAGE_KINDS):
            ranked.append((rank, item))
    found.is_article = is_article(found.types)
    _merge_best(found, ranked)
    return found


def objects_in(tags: TagIndex) -> Iterator[Properties]:
    """Yield the objects of the JSON-LD of a page."""
    budget = _MAX_JSON_LENGTH
    scripts = [each for each in tags["script"] if "ld+json" in (each.attr("type") or "").lower()]
    for element in scripts[:_MAX_SCRIPTS]:
        text = element.text
        budget -= len(text)
        if budget < 0:
            return
        yield from _objects_in(parse_json(text))


def _merge_best(found: StructuredData, ranked: list[tuple[int, Properties]]) -> None:
    """Merge the properties of the most specific things, and keep those of the page separate."""
    if "qapage" not in found.types:
        ranked = [each for each in ranked if _PAGE_KINDS[each[0]] != "question"]  # only advice
    best = min((rank for rank, _ in ranked), default=0)
    found.others = [item for rank, item in sorted(ranked, key=itemgetter(0)) if rank > best]
    for rank, item in ranked:
        is_page = _PAGE_KINDS[rank] == "webpage"
        if is_page or rank == best:
            target = found.page if is_page else found.facts
            for name, value in item.items():
                target.setdefault(name, value)


def types_of(item: Properties) -> list[str]:
    """Return the types of an object as lower-case words, without the address of the vocabulary."""
    kinds = item.get("@type")
    names = kinds[:10] if isinstance(kinds, list) else [kinds]
    return [
        re.split("[/#:]", name[:200])[-1].strip().lower() for name in names if isinstance(name, str)
    ]


@lru_cache(maxsize=1024)
def _rank(kinds: tuple[str, ...]) -> int:
    """Return the place of the best of some types in the order of what can be the page."""
    for rank, name in enumerate(_PAGE_KINDS):
        if any(name in kind for kind in kinds):
            return rank
    return len(_PAGE_KINDS)


def is_article(types: list[str]) -> bool:
    """Tell whether some type is one that has an author and a day of publication."""
    return any(kind in name for name in types for kind in _ARTICLE_KINDS)


def is_forum(types: list[str]) -> bool:
    """Tell whether some type is one of a page on which many people write."""
    return any(kind in _FORUM_KINDS for kind in types)


def _objects_in(value: Any) -> Iterator[Properties]:
    """Yield the objects at the top, in lists, and in `@graph` and `mainEntity`."""
    waiting = [value]
    for number in range(_MAX_NODES):
        if number >= len(waiting):
            return
        item = waiting[number]
        if isinstance(item, list):
            waiting.extend(item[:_MAX_ITEMS])
        elif isinstance(item, dict):
            yield item
            waiting.extend(item[name] for name in _LINKS if name in item)


def as_text(value: Any) -> str:
    """Return a string, or the strings of a list with commas between them."""
    if isinstance(value, list):
        return ", ".join(item for item in value[:20] if isinstance(item, str))
    return value if isinstance(value, str) else ""
