"""The cascade: what the sheets of a page and its style attributes say about one element."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache

from turbohtml import Document as Tree
from turbohtml import Element, SelectorSyntaxError

from telusur.extract.style.declarations import (
    MAX_STYLE_LENGTH,
    Declarations,
    Style,
    read_declarations,
    spell_out,
)
from telusur.extract.style.media import Applies
from telusur.extract.style.sheet import SUSPECT, Sheet, SheetRule, Written

# Bounds of what a hostile page may cost: comparisons of an element with a selector, and of those
# that look at all its siblings.
_MOST_COMPARED = 200_000
_MOST_SLOW = 2_000
_MANY_COMPARED = 100
_MANY_ELEMENTS = 20_000
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\))?[^()]*))?\)")
_MOST_SUBSTITUTIONS = 8
_NOTHING = Declarations({}, {})
_PLAIN: Style = {}
_HIDDEN: Style = {"display": "none"}
_SPECIAL = re.compile(":(?:checked|target|before|after)")
# These take the value from above, or the one by default: then nothing is set here.
_DEFAULTS = frozenset(("inherit", "initial", "unset", "revert", "revert-layer", "auto"))

Ranked = tuple[int, int, int, SheetRule]
_Found = tuple[int, Sheet, Written]


class NamedElements:
    """The elements of a page by class and id; by tag when a rule asks for them."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    @cached_property
    def _elements(self) -> list[Element]:
        return self._tree.select("[class],[id]")

    @cached_property
    def _by_name(self) -> dict[str, list[Element]]:
        noted: dict[str, list[Element]] = defaultdict(list)
        for element in self._elements:
            attributes = element.attrs
            if isinstance(classes := attributes.get("class"), list):
                for name in classes:
                    noted[f".{name}"].append(element)
            identity = attributes.get("id")
            if isinstance(identity, str):
                noted[f"#{identity}"].append(element)
        return noted

    @property
    def are_many(self) -> bool:
        """Tell whether the page is so large that comparing its elements takes long."""
        return len(self._elements) > _MANY_ELEMENTS

    @property
    def names(self) -> AbstractSet[str]:
        """Return the classes and ids of the page, as selectors."""
        return self._by_name.keys()

    def has(self, key: str) -> bool:
        """Tell whether the page has such an element."""
        return bool(self.of(key))

    def of(self, key: str) -> list[Element]:
        """Return the elements with a class or id, or of a tag."""
        found = self._by_name.get(key)
        if found is None:
            found = [] if key[0] in ".#" else self.select(key)
            if key[0] not in ".#":
                self._by_name[key] = found
        return found

    def select(self, selector: str) -> list[Element]:
        """Return the matches on the whole page, faster than to compare many elements."""
        try:
            return self._tree.select(selector)
        except SelectorSyntaxError:
            return []


class Cascade:
    """The telling styles of the elements of one page; each is computed when it is asked for."""

    def __init__(self, elements: NamedElements, sheets: Sequence[Sheet] = ()) -> None:
        self._elements = elements
        self._compared = self._slow = 0
        self._most_slow = _MOST_SLOW // (10 if sheets and elements.are_many else 1)
        self._styles: dict[tuple[Element, int, bool], Style] = {}
        # The rules about names of the page, as written, by what they are about and by name.
        self._written: dict[int, dict[str, list[_Found]]] = defaultdict(lambda: defaultdict(list))
        self._special: list[_Found] = []
        self._indexes: dict[tuple[int, str], list[Ranked]] = {}
        self._possible: dict[tuple[int, tuple[str, ...]], list[Ranked]] = {}
        self._variables: Style = {}
        for number, sheet in enumerate(sheets):
            self._variables |= sheet.variables
            for key, rules in sheet.written.items():
                if elements.has(key):
                    self._take(key, number, sheet, rules)

    def _take(self, key: str, number: int, sheet: Sheet, rules: Sequence[Written]) -> None:
        """Note the rules of a sheet about one name."""
        for written in rules:
            found = (number, sheet, written)
            for bit in _bits_of(written.says):
                self._written[bit][key].append(found)
            if ":" in written.selector and _SPECIAL.search(written.selector):
                self._special.append(found)

    @property
    def is_empty(self) -> bool:
        """Tell whether no rule of a sheet may apply to this page."""
        return not self._written

    def rules_about(
        self, bit: int, wanted: Container[str] | None = None
    ) -> Iterator[tuple[SheetRule, str]]:
        """Return the rules about one bit that may apply, and their declarations as written.

        With `wanted`, only those with one of these declarations. See `Written.says`.
        """
        for touched in self._written.get(bit, {}).values():
            for _, sheet, written in touched:
                if wanted is None or written.body in wanted:
                    rule = sheet.rule(written, self._elements.names)
                    if rule is not None:
                        yield rule, written.body

    def bodies_about(self, bit: int) -> set[str]:
        """Return the declarations of those rules, as written."""
        if bit not in self._written:
            return set()
        names = self._elements.names
        return {
            written.body
            for touched in self._written[bit].values()
            for _, sheet, written in touched
            if sheet.may_apply(written, names)
        }

    def _ranked(self, bit: int, key: str) -> list[Ranked]:
        """Return the rules about one bit and one name, read when an element has that name."""
        known = self._indexes.get((bit, key))
        if known is None:
            touched = self._written[bit].get(key, ()) if bit in self._written else ()
            known = self._indexes[bit, key] = [
                (rule.selector.specificity, number, written.place, rule)
                for number, sheet, written in touched
                if (rule := sheet.rule(written, self._elements.names))
            ]
        return known

    def suspects(self) -> dict[Element, int]:
        """Return the elements that rules may hide, and in which ways; colours are judged apart.

        A rule that hides every element is one that a script takes back.
        """
        found: dict[Element, int] = {}
        for rule, _ in self.rules_about(SUSPECT):
            if rule.threats and rule.selector.text != "*":
                for element in self.matching(rule):
                    found[element] = found.get(element, 0) | rule.threats
        return found

    def matching(self, rule: SheetRule) -> list[Element]:
        """Return the elements to which a rule applies."""
        elements = self._elements.of(rule.selector.key)
        if rule.selector.is_whole:
            return elements
        if len(elements) > _MANY_COMPARED:
            return self._elements.select(rule.selector.text)
        return [element for element in elements if self._fits(element, rule)]

    def of(self, element: Element, about: int, *, on_some_screens: bool = False) -> Style:
        """Return what an element's style says about ways of hiding, `COLOUR` or `BACKGROUND`.

        It inherits nothing. With `on_some_screens` the rules count too that apply to some screens
        only.
        """
        known = self._styles.get((element, about, on_some_screens))
        if known is None:
            least = Applies.SOMETIMES if on_some_screens else Applies.ALWAYS
            known = self._compute(element, self._rules_of(element, about, least))
            self._styles[element, about, on_some_screens] = known
        return known

    def _rules_of(self, element: Element, about: int, least: Applies) -> list[Ranked]:
        """Return the rules that apply to an element, the strongest last."""
        if not self._written:
            return []
        keys = _keys_of(element.tag, element.attr("class") or "", element.attr("id") or "")
        possible = self._possible.get((about, keys))
        if possible is None:
            possible = self._possible[about, keys] = self._rules_about_any(about, keys)
        return [
            ranked
            for ranked in possible
            if ranked[-1].applies >= least and self._fits(element, ranked[-1])
        ]

    def _rules_about_any(self, about: int, keys: tuple[str, ...]) -> list[Ranked]:
        """Return the rules about an element with these names that may apply, the strongest last."""
        found = {
            ranked[:3]: ranked
            for bit in _bits_of(about)
            for key in keys
            for ranked in self._ranked(bit, key)
            if not (ranked[-1].selector.is_pseudo_element or ranked[-1].selector.is_click)
        }
        return [found[place] for place in sorted(found)]

    def _compute(self, element: Element, rules: list[Ranked]) -> Style:
        written = (element.attr("style") or "")[:MAX_STYLE_LENGTH]
        if not (rules or written):
            return _HIDDEN if element.attr("hidden") is not None else _PLAIN
        own = read_declarations(written) if written else _NOTHING
        style: Style = {}
        if element.attr("hidden") is not None:
            style["display"] = "none"
        for *_, rule in rules:
            style.update(rule.declared.usual)
        style.update(own.usual)
        for *_, rule in rules:
            style.update(rule.declared.important)
        style.update(own.important)
        return self._settled(style) if style else style

    def _fits(self, element: Element, rule: SheetRule) -> bool:
        selector = rule.selector
        if selector.is_whole:
            return True  # it was found by that name
        self._compared += 1
        self._slow += selector.is_slow
        if self._compared > _MOST_COMPARED or (selector.is_slow and self._slow > self._most_slow):
            return False
        try:
            return element.matches(selector.text)
        except SelectorSyntaxError:
            return False

    def _settled(self, style: Style) -> Style:
        """Return a style with the values of its variables, and without defaults."""
        settled = {}
        needs_more = False
        for name, value in style.items():
            if value in _DEFAULTS or name.startswith("--"):
                continue
            settled[name] = value
            needs_more |= "var(" in value
        if not needs_more:
            return settled
        own = self._variables
        if any(name.startswith("--") for name in style):
            own = own | style
        settled = spell_out({name: _substitute(value, own) for name, value in settled.items()})
        return {name: value for name, value in settled.items() if value not in _DEFAULTS}

    def variable_value(self, value: str) -> str:
        """Return a value with the variables of the page."""
        return _substitute(value, self._variables) if "var(" in value else value

    def opened(self) -> set[Element]:
        """Return the elements that a rule shows after a click: panels of tabs and accordions."""
        found: set[Element] = set()
        for rule in self._special_rules():
            if rule.selector.is_click and not rule.selector.is_pseudo_element:
                found.update(self.matching(rule))
        return found

    def decorated(self) -> set[Element]:
        """Return the elements with a box before or behind them that has a background."""
        found: set[Element] = set()
        for rule in self._special_rules():
            style = rule.declared.usual | rule.declared.important
            if rule.selector.is_pseudo_element and (
                "background-color" in style or "background-image" in style
            ):
                found.update(self.matching(rule))
        return found

    def _special_rules(self) -> Iterator[SheetRule]:
        """Return the rules about clicks, and about boxes before or behind an element."""
        for _, sheet, written in self._special:
            rule = sheet.rule(written, self._elements.names)
            if rule is not None:
                yield rule


@lru_cache(maxsize=512)
def _bits_of(number: int) -> tuple[int, ...]:
    return tuple(1 << place for place in range(number.bit_length()) if number >> place & 1)


@lru_cache(maxsize=4096)
def _keys_of(tag: str, classes: str, name: str) -> tuple[str, ...]:
    """Return the names by which rules for an element are found."""
    keys = [tag, "*", *(f".{each}" for each in dict.fromkeys(classes.split()))]
    return (*keys, f"#{name}") if name else tuple(keys)


def _substitute(value: str, variables: Style) -> str:
    """Replace variables by their values, and those in turn, a few times."""
    for _ in range(_MOST_SUBSTITUTIONS):
        if "var(" not in value or len(value) > MAX_STYLE_LENGTH:
            break
        value = _VARIABLE.sub(
            lambda match: variables.get(match[1], (match[2] or "").strip()), value
        )
    return value.strip()
