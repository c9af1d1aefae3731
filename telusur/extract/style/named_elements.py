"""The elements of a page by class, id and tag, searched for as rules ask for them."""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cached_property

from turbohtml import Document as Tree
from turbohtml import Element, SelectorSyntaxError

from telusur.extract.style.parts import element_names

_MANY_ELEMENTS = 20_000
_LEAST_WRITTEN = len('<p id="">')
# Single names that are searched for on a page, before all are noted.
_MOST_SEARCHED = 40
_SEARCHABLE = re.compile(r"[.#]-?[a-z_][\w-]*", re.ASCII | re.IGNORECASE)


class NamedElements:
    """The elements of a page by class, id and tag."""

    def __init__(
        self, tree: Tree, written: str, may_have: Callable[[str], bool] | None = None
    ) -> None:
        """`written` is the page as the parser writes it, `may_have` tells what tags it may have."""
        self._tree = tree
        self._written = written
        self._may_have = may_have
        self._by_key: dict[str, list[Element]] = {}
        self._asked = 0

    @cached_property
    def are_many(self) -> bool:
        """Tell whether the page is so large that comparing its elements takes long."""
        if len(self._written) < _LEAST_WRITTEN * _MANY_ELEMENTS:
            return False
        return len(self._tree.select("[class],[id]")) > _MANY_ELEMENTS

    @cached_property
    def names(self) -> set[str]:
        """Return the classes and ids of the page, as selectors; perhaps some more."""
        return element_names(self._written)

    @cached_property
    def _by_name(self) -> dict[str, list[Element]]:
        noted: dict[str, list[Element]] = defaultdict(list)
        for element in self._tree.select("[class],[id]"):
            attributes = element.attrs
            if isinstance(classes := attributes.get("class"), list):
                for name in classes:
                    noted[f".{name}"].append(element)
            identity = attributes.get("id")
            if isinstance(identity, str):
                noted[f"#{identity}"].append(element)
        return noted

    def has(self, key: str) -> bool:
        """Tell whether the page may have such an element."""
        if key[0] in ".#":
            return key in self.names
        return key == "*" or (bool(self.of(key)) if self._may_have is None else self._may_have(key))

    def of(self, key: str) -> list[Element]:
        """Return the elements with a class or id, or of a tag."""
        found = self._by_key.get(key)
        if found is None:
            found = self._by_key[key] = self._find(key)
        return found

    def _find(self, key: str) -> list[Element]:
        """Search the page for a name; noting all names takes as long as some dozens of searches."""
        if key[0] not in ".#":
            return self.select(key)
        if key not in self.names:
            return []
        self._asked += 1
        if self._asked <= _MOST_SEARCHED and _SEARCHABLE.fullmatch(key):
            return self.select(key)
        return self._by_name.get(key, [])

    def select(self, selector: str) -> list[Element]:
        """Return the matches on the whole page, faster than to compare many elements."""
        try:
            return self._tree.select(selector)
        except SelectorSyntaxError:
            return []
