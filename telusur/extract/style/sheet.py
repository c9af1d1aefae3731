"""Reads a style sheet: the rules that hide, show, colour or place text, and what it imports."""

import re
from collections import defaultdict
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from telusur.extract.style.declarations import Declarations, Style, read_declarations
from telusur.extract.style.hiding import threats_of
from telusur.extract.style.media import Applies, media_applies
from telusur.extract.style.parts import (
    BACKGROUND,
    COLOUR,
    IMPORTS,
    SUSPECT,
    TELLS,
    VARIABLES,
    take_apart,
    what_says,
)
from telusur.extract.style.selectors import Selector, read_selector, split_selectors

MAX_SHEET_LENGTH = 1_000_000
MAX_RULES = 12_000  # the largest sheets of real sites have about as many
_MAX_DEPTH = 8  # of nested rules
_MAX_NESTED = 64  # selectors that nesting makes of one rule
_MAX_IMPORTS = 8
_REMEMBERED_SHEETS = 64

_IMPORT = re.compile(
    r"@import\s+(?:url\(\s*)?[\"']?([^\"'()\s;]{1,2000})[\"']?\s*\)?\s*([^;]*)", re.IGNORECASE
)
_LAYER = re.compile(r"^layer(?:\([^()]*\))?|\bsupports\([^;]*?\)\s*", re.IGNORECASE)
_TRICKY = re.compile(r"[(\[\\]")
_NAMES = re.compile(r"[.#][\w-]+")
_ONE_NAME = re.compile(r"\.?[a-z][\w-]*", re.ASCII | re.IGNORECASE)
_SPECIAL = re.compile(":(?:checked|target|before|after)")
_BITS = (SUSPECT, COLOUR, BACKGROUND)
_BY_WHAT = SUSPECT | COLOUR | BACKGROUND
_ROOTS = frozenset((":root", "html", "body", "*", ":host"))
_AT = re.compile(r"@(?:-[a-z]+-)?([a-z-]+)\s*(.*)", re.DOTALL)


class SheetRule(NamedTuple):
    """A selector and its telling declarations."""

    selector: Selector
    declared: Declarations
    applies: Applies
    # The ways in which it may hide, alone or together with another rule.
    threats: int


class Import(NamedTuple):
    """Another sheet that belongs before this one."""

    reference: str
    media: str


class Written(NamedTuple):
    """A rule as written, its place in the sheet, and what its declarations may be about."""

    place: int
    selector: str
    body: str
    applies: Applies
    # Bits: ways of hiding, `COLOUR`, `BACKGROUND`, `SUSPECT`.
    says: int


class About(NamedTuple):
    """What the rules under one key say together, and those with something special."""

    says: int
    # Of each of `SUSPECT`, `COLOUR` and `BACKGROUND`.
    by_bit: dict[int, list[Written]]
    # About clicks, or boxes before or behind an element.
    special: list[Written]
    # Whether some apply to some screens only.
    is_limited: bool

    @classmethod
    def of(cls, rules: Sequence[Written]) -> "About":
        """Sort the rules under a key."""
        says = 0
        by_bit: dict[int, list[Written]] = {}
        for written in rules:
            says |= written.says
            for bit in _BITS if written.says & _BY_WHAT else ():
                if written.says & bit:
                    by_bit.setdefault(bit, []).append(written)
        special = [
            each for each in rules if ":" in each.selector and _SPECIAL.search(each.selector)
        ]
        return cls(says, by_bit, special, any(each.applies is Applies.SOMETIMES for each in rules))


@dataclass(slots=True, weakref_slot=True)
class Sheet:
    """The telling rules of a sheet; each is read when a page has the name that it is about."""

    written: dict[str, list[Written]] = field(default_factory=lambda: defaultdict(list))
    imports: list[Import] = field(default_factory=list)
    # Variables (`--x`) that are set for the whole page.
    variables: Style = field(default_factory=dict)
    size: int = 0
    # Applies to some screens only.
    is_limited: bool = False
    _rules: dict[int, SheetRule | None] = field(default_factory=dict)
    # The names that each plain rule needs; None for a rule that is hard to read.
    _needs: dict[int, frozenset[str] | None] = field(default_factory=dict)
    _about: dict[str, "About"] = field(default_factory=dict)

    def add(self, selector: str, body: str, applies: Applies, says: int, key: str = "") -> None:
        """Add one rule, if there are not too many; with the key of its selector, if it is known."""
        if self.size >= MAX_RULES:
            return
        found = key or _key_of(selector)
        if found is not None:
            self.written[found].append(Written(self.size, selector, body, applies, says))
            self.size += 1

    def may_apply(self, written: Written, present: AbstractSet[str]) -> bool:
        """Tell whether a page has the names that a plain rule needs."""
        place = written.place
        if place not in self._needs:
            self._needs[place] = _names_needed(written.selector)
        needs = self._needs[place]
        return needs is None or needs <= present

    def rule(self, written: Written, present: AbstractSet[str]) -> SheetRule | None:
        """Return a rule of the sheet; None if it cannot apply to a page with these names."""
        if not self.may_apply(written, present):
            return None
        if written.place not in self._rules:
            self._rules[written.place] = _read_rule(written, is_limited=self.is_limited)
        rule = self._rules[written.place]
        return rule if rule is not None and rule.selector.needs <= present else None

    def about(self, key: str) -> "About":
        """Return what the rules under a key are about; the pages of a site ask again and again."""
        known = self._about.get(key)
        if known is None:
            known = self._about[key] = About.of(self.written[key])
        return known


def on_some_screens(sheet: Sheet) -> Sheet:
    """Return a sheet whose rules apply to some screens only: they may show, and hide nothing."""
    return Sheet(sheet.written, [], {}, sheet.size, is_limited=True)


class _Frame:
    """An open brace: the selectors that apply inside, and on how many screens."""

    __slots__ = ("_outer", "_selectors", "_written", "applies")

    def __init__(self, written: str, applies: Applies, outer: "_Frame | None" = None) -> None:
        self.applies = applies
        self._written = written
        self._outer = outer
        self._selectors: list[str] | None = None

    @property
    def is_nested(self) -> bool:
        """Tell whether rules inside have more selectors than are written there."""
        return bool(self._written) or (self._outer is not None and self._outer.is_nested)

    @property
    def selectors(self) -> list[str]:
        """Return the selectors; most rules have nothing to tell, so theirs are never split."""
        if self._selectors is None:
            self._selectors = split_selectors(self._written.strip()) if self._written else []
            outer = self._outer.selectors if self._outer is not None else []
            if outer:
                own = self._selectors
                self._selectors = _nest(outer, own) if own else outer
        return self._selectors


@lru_cache(maxsize=_REMEMBERED_SHEETS)
def parse_sheet(text: str) -> Sheet:
    """Read the sheet of a page itself; cached, since the pages of a site share theirs.

    It is not to be changed.
    """
    return read_sheet(text)


def read_sheet(text: str, present: AbstractSet[str] | None = None) -> Sheet:
    """Read a sheet; with `present` only the rules about one of these classes and ids, or none.

    Nested rules are spelt out. Of `@`-rules, those that select screens or only group are entered.
    """
    sheet = Sheet()
    frames = [_Frame("", Applies.ALWAYS)]
    too_deep = 0
    parts, rest = take_apart(text[:MAX_SHEET_LENGTH], present)
    for before, body, brace, says, pairs in parts:
        if too_deep or (brace == "{" and len(frames) > _MAX_DEPTH):
            too_deep += (brace == "{") - (brace == "}")
        elif pairs is not None and not frames[-1].is_nested:
            _take_plain(sheet, frames[-1].applies, body, says, pairs)
        elif brace != "}":
            statements, _, prelude = before.rpartition(";")
            if statements:
                _take_statements(sheet, frames[-1], statements)
            frame = _enter(frames[-1], prelude.lstrip())
            if brace:
                frames.append(frame)
            else:
                _take_statements(sheet, frame, body)
        elif len(frames) > 1:
            _take_statements(sheet, frames.pop(), before)
    if len(frames) == 1:
        _take_statements(sheet, frames[0], rest)
    return sheet


def _take_plain(
    sheet: Sheet, applies: Applies, body: str, says: int, pairs: list[tuple[str, str]]
) -> None:
    """Take a rule whose selectors were read."""
    if applies is Applies.NEVER:
        return
    says = what_says(body, says)
    for key, selector in pairs:
        if says & VARIABLES:
            _take_variables(sheet, applies, selector, body)
        if says & TELLS:
            sheet.add(selector, body, applies, says, key)


def _take_variables(sheet: Sheet, applies: Applies, selector: str, body: str) -> None:
    """Take variables that a rule sets for the whole page."""
    if selector in _ROOTS and applies is Applies.ALWAYS:
        declared = read_declarations(body)
        for name, value in (declared.usual | declared.important).items():
            if name.startswith("--"):
                sheet.variables[name] = value


def _enter(outer: _Frame, prelude: str) -> _Frame:
    """Return what applies behind the brace that this text precedes."""
    if not prelude.startswith("@"):
        return _Frame(prelude, outer.applies, outer)
    match = _AT.match(prelude)
    name, condition = (match[1].lower(), match[2]) if match else ("", "")
    applies = Applies.NEVER
    if name == "media":
        applies = media_applies(condition.strip())
    elif name in ("layer", "supports", "scope"):
        is_plain = name == "layer" or (name == "supports" and not condition.startswith("not"))
        applies = Applies.ALWAYS if is_plain else Applies.SOMETIMES
    elif name == "container":
        applies = Applies.SOMETIMES
    return _Frame("", min(outer.applies, applies), outer)


def _nest(outer: list[str], inner: list[str]) -> list[str]:
    """Return the selectors of a rule inside another rule."""
    nested = [
        part.replace("&", above) if "&" in part else f"{above} {part}"
        for above in outer
        for part in inner
    ]
    return nested[:_MAX_NESTED]


def _take_statements(sheet: Sheet, frame: _Frame, text: str) -> None:
    """Take the declarations of the open rule, or the imports at the beginning of a sheet."""
    if frame.applies is Applies.NEVER or not text or text.isspace():
        return
    says = what_says(text)
    if not says:
        return
    if says & IMPORTS and not sheet.size:
        found = [Import(name, _LAYER.sub("", rest.strip())) for name, rest in _IMPORT.findall(text)]
        sheet.imports += found[: _MAX_IMPORTS - len(sheet.imports)]
    body = text.lower()
    for selector in frame.selectors:
        if says & VARIABLES:
            _take_variables(sheet, frame.applies, selector, body)
        if says & TELLS:
            sheet.add(selector, body, frame.applies, says)


@lru_cache(maxsize=8192)
def _key_of(selector: str) -> str | None:
    """Return the name by which the elements of a selector are found; None if it never applies."""
    last = selector[selector.rfind(" ") + 1 :]
    if "\\" not in selector and _ONE_NAME.fullmatch(last):
        return last if last[0] == "." else last.lower()
    read = read_selector(selector)
    return None if read is None else read.key


def _names_needed(selector: str) -> frozenset[str] | None:
    """Return the classes and ids that a plain selector names; None if it is not plain."""
    return None if _TRICKY.search(selector) else frozenset(_NAMES.findall(selector))


def _read_rule(written: Written, *, is_limited: bool) -> SheetRule | None:
    selector = read_selector(written.selector)
    if selector is None:
        return None
    applies = min(written.applies, Applies.SOMETIMES) if is_limited else written.applies
    declared = read_declarations(written.body)
    threats = 0
    if (
        written.says & SUSPECT
        and applies is Applies.ALWAYS
        and not (selector.is_click or selector.is_pseudo_element)
    ):
        threats = threats_of(written.body)
    return SheetRule(selector, declared, applies, threats)
