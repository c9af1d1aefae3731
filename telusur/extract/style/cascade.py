"""The cascade: what the sheets of a page and its style attributes say about one element."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import NamedTuple

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
from telusur.extract.style.parts import BACKGROUND, COLOUR, SUSPECT, element_names
from telusur.extract.style.sheet import Sheet, SheetRule, Written

# Bounds of what a hostile page may cost: comparisons of an element with a selector, and of those
# that look at all its siblings.
_MOST_COMPARED = 200_000
_MOST_SLOW = 2_000
_MANY_COMPARED = 100
_MANY_ELEMENTS = 20_000
# Single names that are searched for on a page, before all are noted.
_MOST_SEARCHED = 40
_SEARCHABLE = re.compile(r"[.#]-?[a-z_][\w-]*", re.ASCII | re.IGNORECASE)
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\))?[^()]*))?\)")
_MOST_SUBSTITUTIONS = 8
_NOTHING = Declarations({}, {})
_PLAIN: Style = {}
_HIDDEN: Style = {"display": "none"}
_SPECIAL = re.compile(":(?:checked|target|before|after)")
# These take the value from above, or the one by default: then nothing is set here.
_DEFAULTS = frozenset(("inherit", "initial", "unset", "revert", "revert-layer", "auto"))

_BY_WHAT = SUSPECT | COLOUR | BACKGROUND
_Found = tuple[int, Sheet, Written]
_rank = itemgetter(0, 1, 2)


class _Possible(NamedTuple):
    """The rules about something that may apply to elements with the same names."""

    rules: list[SheetRule]
    # Whether some of them apply to some screens only.
    has_limited: bool


class NamedElements:
    """The elements of a page by class, id and tag."""

    def __init__(self, tree: Tree, written: str) -> None:
        """`written` is the page as the parser writes it."""
        self._tree = tree
        self._written = written
        self._by_key: dict[str, list[Element]] = {}
        self._asked = 0

    @cached_property
    def are_many(self) -> bool:
        """Tell whether the page is so large that comparing its elements takes long."""
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
        return key in self.names if key[0] in ".#" else bool(self.of(key))

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


class Cascade:
    """The telling styles of the elements of one page; each is computed when it is asked for."""

    def __init__(self, elements: NamedElements, sheets: Sequence[Sheet] = ()) -> None:
        self._elements = elements
        self._compared = self._slow = 0
        self._most_slow = _MOST_SLOW // (10 if sheets and elements.are_many else 1)
        self._styles: dict[tuple[Element, int, bool], Style] = {}
        # Styles by attributes and rules: many elements share theirs.
        self._made: dict[tuple[object, ...], Style] = {}
        # The rules about names of the page, as written, by name, and some by what they are about.
        self._taken: dict[str, list[_Found]] = defaultdict(list)
        self._about: dict[int, list[_Found]] = {SUSPECT: [], COLOUR: [], BACKGROUND: []}
        # What all of them are about.
        self._says = 0
        self._special: list[_Found] = []
        self._read: dict[tuple[int, int], SheetRule | None] = {}
        self._possible: dict[tuple[int, tuple[str, ...]], _Possible] = {}
        self._variables: Style = {}
        for number, sheet in enumerate(sheets):
            self._variables |= sheet.variables
            for key, rules in sheet.written.items():
                if elements.has(key):
                    self._take(key, number, sheet, rules)

    def _take(self, key: str, number: int, sheet: Sheet, rules: Sequence[Written]) -> None:
        """Note the rules of a sheet about one name."""
        taken = self._taken[key]
        for written in rules:
            found = (number, sheet, written)
            taken.append(found)
            self._says |= written.says
            if written.says & _BY_WHAT:
                for bit, about in self._about.items():
                    if written.says & bit:
                        about.append(found)
            if ":" in written.selector and _SPECIAL.search(written.selector):
                self._special.append(found)

    @property
    def is_empty(self) -> bool:
        """Tell whether no rule of a sheet may apply to this page."""
        return not self._taken

    @cached_property
    def is_limited(self) -> bool:
        """Tell whether some rules apply to some screens only."""
        return any(
            sheet.is_limited or written.applies is Applies.SOMETIMES
            for taken in self._taken.values()
            for _, sheet, written in taken
        )

    def _rule(self, found: _Found) -> SheetRule | None:
        """Return a rule; None if it cannot apply to this page."""
        number, sheet, written = found
        place = (number, written.place)
        if place not in self._read:
            self._read[place] = sheet.rule(written, self._elements.names)
        return self._read[place]

    def rules_about(
        self, bit: int, wanted: Container[str] | None = None
    ) -> Iterator[tuple[SheetRule, str]]:
        """Return the rules that may apply about `COLOUR` and the like, and their declarations.

        With `wanted`, only those with one of these declarations, as written. See `Written.says`.
        """
        for found in self._about[bit]:
            body = found[2].body
            if wanted is None or body in wanted:
                rule = self._rule(found)
                if rule is not None:
                    yield rule, body

    def bodies_about(self, bit: int) -> set[str]:
        """Return the declarations of those rules, as written."""
        names = self._elements.names if self._about[bit] else set()
        return {
            written.body
            for _, sheet, written in self._about[bit]
            if sheet.may_apply(written, names)
        }

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
            known = self._make(element, about, on_some_screens=on_some_screens)
            self._styles[element, about, on_some_screens] = known
        return known

    def _make(self, element: Element, about: int, *, on_some_screens: bool) -> Style:
        attribute = element.attr
        written = attribute("style") or ""
        is_hidden = attribute("hidden") is not None
        shared: tuple[object, ...] = (written, is_hidden)
        rules: list[SheetRule] = []
        if about & self._says:
            possible = self._possible_for(element, about)
            if on_some_screens and not possible.has_limited:
                return self.of(element, about)
            least = Applies.SOMETIMES if on_some_screens else Applies.ALWAYS
            rules = [
                rule
                for rule in possible.rules
                if rule.applies >= least and (rule.selector.is_whole or self._fits(element, rule))
            ]
            shared = (written, is_hidden, *map(id, rules))
        if not (rules or written):
            return _HIDDEN if is_hidden else _PLAIN
        style = self._made.get(shared)
        if style is None:
            style = self._made[shared] = self._compute(written, rules, is_hidden=is_hidden)
        return style

    def _possible_for(self, element: Element, about: int) -> _Possible:
        """Return the rules for elements with the same names that may apply."""
        keys = _keys_of(element.tag, element.attr("class") or "", element.attr("id") or "")
        possible = self._possible.get((about, keys))
        if possible is None:
            possible = self._possible[about, keys] = self._rules_about(about, keys)
        return possible

    def _rules_about(self, about: int, keys: tuple[str, ...]) -> _Possible:
        """Return the rules about elements with these names that may apply, the strongest last."""
        found = [
            (rule.selector.specificity, each[0], each[2].place, rule)
            for key in keys
            if key in self._taken
            for each in self._taken[key]
            if each[2].says & about
            and (rule := self._rule(each)) is not None
            and not (rule.selector.is_pseudo_element or rule.selector.is_click)
        ]
        found.sort(key=_rank)
        rules = [rule for *_, rule in found]
        return _Possible(rules, any(rule.applies is Applies.SOMETIMES for rule in rules))

    def _compute(self, written: str, rules: list[SheetRule], *, is_hidden: bool) -> Style:
        own = read_declarations(written[:MAX_STYLE_LENGTH]) if written else _NOTHING
        style: Style = {"display": "none"} if is_hidden else {}
        for rule in rules:
            style.update(rule.declared.usual)
        style.update(own.usual)
        for rule in rules:
            style.update(rule.declared.important)
        style.update(own.important)
        return self._settled(style) if style else style

    def _fits(self, element: Element, rule: SheetRule) -> bool:
        selector = rule.selector
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
        for found in self._special:
            rule = self._rule(found)
            if rule is not None:
                yield rule


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
