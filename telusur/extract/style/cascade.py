"""The cascade: what the sheets of a page and its style attributes say about one element."""

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from turbohtml import Element, SelectorSyntaxError

from telusur.extract.style.declarations import (
    MAX_STYLE_LENGTH,
    Declarations,
    Style,
    read_declarations,
    spell_out,
)
from telusur.extract.style.media import Applies
from telusur.extract.style.named_elements import NamedElements
from telusur.extract.style.parts import BACKGROUND, COLOUR, SUSPECT
from telusur.extract.style.sheet import Sheet, SheetRule, Written

# Bounds of what a hostile page may cost: comparisons of an element with a selector, and of those
# that look at all its siblings.
_MOST_COMPARED = 200_000
_MOST_SLOW = 2_000
_MANY_COMPARED = 100
# Elements compared with one selector, before all its matches are searched for.
_MANY_SAME = 24
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*(?:\([^()]*\))?[^()]*))?\)")
_MOST_SUBSTITUTIONS = 8
_NOTHING = Declarations({}, {})
_PLAIN: Style = {}
_HIDDEN: Style = {"display": "none"}
# These take the value from above, or the one by default: then nothing is set here.
_DEFAULTS = frozenset(("inherit", "initial", "unset", "revert", "revert-layer", "auto"))

# The number of a sheet, and its rules about something.
_FoundRules = tuple[int, Sheet, Sequence[Written]]
_rank = itemgetter(0, 1, 2)


class _Possible(NamedTuple):
    """The rules about something that may apply to elements with the same names."""

    rules: list[SheetRule]
    # Whether some of them apply to some screens only.
    has_limited: bool
    # Whether they apply to all such elements on all screens.
    are_certain: bool
    # Then the styles of these elements, by style attribute and `hidden`.
    styles: dict[tuple[str, bool], Style]


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
        self._taken: dict[str, list[_FoundRules]] = defaultdict(list)
        self._about: dict[int, list[_FoundRules]] = {SUSPECT: [], COLOUR: [], BACKGROUND: []}
        self._bodies: dict[int, set[str]] = {}
        # What all of them are about.
        self._says = 0
        self._special: list[_FoundRules] = []
        self._read: dict[tuple[int, int], SheetRule | None] = {}
        self._possible: dict[tuple[int, str, str | None, str | None], _Possible] = {}
        # How often each selector was compared, and all its matches if that was often.
        self._asked: dict[str, int] = defaultdict(int)
        self._matches: dict[str, set[Element]] = {}
        self._variables: Style = {}
        #: Whether some rules apply to some screens only.
        self.is_limited = False
        for number, sheet in enumerate(sheets):
            self._variables |= sheet.variables
            for key in sheet.written:
                if elements.has(key):
                    self._take(key, number, sheet)

    def _take(self, key: str, number: int, sheet: Sheet) -> None:
        """Note the rules of a sheet about one name."""
        about = sheet.about(key)
        self._taken[key].append((number, sheet, sheet.written[key]))
        self._says |= about.says
        self.is_limited |= sheet.is_limited or about.is_limited
        for bit, rules in about.by_bit.items():
            self._about[bit].append((number, sheet, rules))
        if about.special:
            self._special.append((number, sheet, about.special))

    @property
    def is_empty(self) -> bool:
        """Tell whether no rule of a sheet may apply to this page."""
        return not self._taken

    def _rule(self, number: int, sheet: Sheet, written: Written) -> SheetRule | None:
        """Return a rule; None if it cannot apply to this page."""
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
        for number, sheet, rules in self._about[bit]:
            for written in rules:
                if wanted is None or written.body in wanted:
                    rule = self._rule(number, sheet, written)
                    if rule is not None:
                        yield rule, written.body

    def bodies_about(self, bit: int) -> set[str]:
        """Return the declarations of those rules, as written."""
        found = self._bodies.get(bit)
        if found is None:
            names = self._elements.names if self._about[bit] else set()
            found = self._bodies[bit] = {
                written.body
                for _, sheet, rules in self._about[bit]
                for written in rules
                if sheet.may_apply(written, names)
            }
        return found

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
            if possible.are_certain:
                return self._certain_style(possible, written, is_hidden=is_hidden)
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

    def _certain_style(self, possible: _Possible, written: str, *, is_hidden: bool) -> Style:
        """Return the style of elements to which all rules apply that may."""
        if not (possible.rules or written):
            return _HIDDEN if is_hidden else _PLAIN
        style = possible.styles.get((written, is_hidden))
        if style is None:
            shared = (written, is_hidden, *map(id, possible.rules))
            style = self._made.get(shared)
            if style is None:
                style = self._compute(written, possible.rules, is_hidden=is_hidden)
            self._made[shared] = possible.styles[written, is_hidden] = style
        return style

    def _possible_for(self, element: Element, about: int) -> _Possible:
        """Return the rules for elements with the same names that may apply."""
        attribute = element.attr
        place = (about, element.tag, attribute("class"), attribute("id"))
        possible = self._possible.get(place)
        if possible is None:
            keys = _keys_of(place[1], place[2] or "", place[3] or "")
            possible = self._possible[place] = self._possible_rules(about, keys)
        return possible

    def _possible_rules(self, about: int, keys: tuple[str, ...]) -> _Possible:
        """Return the rules about elements with these names that may apply, the strongest last."""
        found = [
            (rule.selector.specificity, number, written.place, rule)
            for key in keys
            for number, sheet, rules in self._taken.get(key, ())
            for written in rules
            if written.says & about
            and (rule := self._rule(number, sheet, written)) is not None
            and not (rule.selector.is_pseudo_element or rule.selector.is_click)
        ]
        found.sort(key=_rank)
        rules = [rule for *_, rule in found]
        is_certain = all(
            rule.selector.is_whole and rule.applies is Applies.ALWAYS for rule in rules
        )
        has_limited = any(rule.applies is Applies.SOMETIMES for rule in rules)
        return _Possible(rules, has_limited, is_certain, {})

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
        if (matches := self._matches.get(selector.text)) is not None:
            return element in matches
        self._compared += 1
        self._slow += selector.is_slow
        if self._compared > _MOST_COMPARED or (selector.is_slow and self._slow > self._most_slow):
            return False
        if not selector.is_slow:
            self._asked[selector.text] += 1
            if self._asked[selector.text] > _MANY_SAME:
                matches = self._matches[selector.text] = set(self._elements.select(selector.text))
                return element in matches
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
        for number, sheet, rules in self._special:
            for written in rules:
                rule = self._rule(number, sheet, written)
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
