"""Takes a style sheet apart: its rules and braces as written, and what each rule may be about."""

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import NamedTuple

from telusur.extract.compiled import native
from telusur.extract.style.hiding import EVERY_WAY, SUSPICIOUS, Hiding

#: A rule says something about the colour of text, or a background.
COLOUR, BACKGROUND = 1 << 16, 1 << 17
#: A rule may hide.
SUSPECT = 1 << 18
#: Its declarations import a sheet, or use or set variables.
IMPORTS, VARIABLES = 1 << 19, 1 << 20
_BOXES = Hiding.SIZE | Hiding.PLACE
_MOVES = Hiding.OPACITY | Hiding.CLIP | Hiding.MOVED
_ABOUT = {
    "display": Hiding.BOX, "content-v": Hiding.BOX, "visib": Hiding.VISIBILITY,
    "opacity": Hiding.OPACITY, "filter": Hiding.OPACITY, "transform": _MOVES, "transition": _MOVES,
    "animation": _MOVES, "scale": Hiding.MOVED, "translate": Hiding.MOVED, "font": Hiding.FONT,
    "indent": Hiding.INDENT, "clip": Hiding.CLIP | BACKGROUND, "position": Hiding.CLIP | _BOXES,
    "overflow": Hiding.SIZE, "width": Hiding.SIZE, "height": Hiding.SIZE, "-size": Hiding.SIZE,
    "padding": Hiding.SIZE, "zoom": Hiding.SIZE, "margin": Hiding.PLACE, "inset": Hiding.PLACE,
    "top": _BOXES, "bottom": _BOXES, "left": Hiding.PLACE, "right": Hiding.PLACE,
    "@import": IMPORTS, "backg": BACKGROUND, "color": COLOUR, "text-sh": COLOUR, "--": VARIABLES,
}  # fmt: skip
_WORDS = tuple(_ABOUT.items())
TELLS = (1 << 18) - 1
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|url\([^()\"']*\)")
_GRAMMAR = re.compile(r"[{};]")
# A rule without others inside; or a single brace, with what precedes it.
_PART = re.compile(r"([^{}]*)(?:\{([^{}]*)(\})|([{}]))")
# What makes a list of selectors, or a body, hard to read.
_HARD = re.compile(r"[^\x00-\x7f]|[;@&\\]")
_HARD_BODY = re.compile(r"[^\x00-\x7f]|@")
_TRICKY = re.compile(r"[^\x00-\x7f]|[(\[\\]")
_NAMES = re.compile(r"[.#][\w-]+", re.ASCII)
_PIECE = re.compile(r"\"[^\"]*\"?|'[^']*'?|[()\[\],]|[^()\[\],\"']+")
_LAST = re.compile(r"[^\s>]*\Z")
_PLAIN = re.compile(r"(\*|[a-z][\w-]*)?((?:[.#][\w-]+)*)", re.ASCII | re.IGNORECASE)
_PAGE_NAMES = re.compile(r" (class|id)=\"(?=([^\"]*)\")")  # text may look like one, too
_BLANKS = re.compile(r"[ \t\n\f\r]+")
_ENTITIES = {"&amp;": "&", "&quot;": '"', "&lt;": "<", "&gt;": ">", "&nbsp;": "\xa0"}
_ENTITY = re.compile("|".join(_ENTITIES))


class Part(NamedTuple):
    """A rule, or what precedes a brace."""

    before: str
    body: str
    # "{", "}" or, for a rule without others inside, "".
    brace: str
    # What words in the body tell, if the rule is plain.
    says: int
    # Of a plain rule, whose body is in lower case: its selectors, each behind its key or "".
    pairs: list[tuple[str, str]] | None


def element_names(page: str) -> set[str]:
    """Return the classes and ids of a page, as the parser writes it, as selectors.

    What only looks like one counts too.
    """
    names: set[str] = native.element_names(page) if native is not None else find_names(page)
    return names


def find_names(page: str) -> set[str]:
    """Do the same in Python."""
    found = set()
    for kind, value in _PAGE_NAMES.findall(page):
        for name in _BLANKS.split(value) if kind == "class" else [value]:
            if name or kind == "id":
                plain = _ENTITY.sub(lambda match: _ENTITIES[match.group()], name)
                found.add(f".{plain}" if kind == "class" else f"#{plain}")
    return found


def take_apart(sheet: str, present: AbstractSet[str] | None) -> tuple[list[Part], str]:
    """Return the telling rules of a sheet and the braces around others, and what follows the last.

    With `present` only rules are returned that may match an element of a page with only these
    classes and ids.
    """
    if native is None:
        return read_parts(sheet, present)
    parts, rest = native.sheet_parts(sheet, present, _WORDS)
    return parts, rest


def read_parts(sheet: str, present: AbstractSet[str] | None) -> tuple[list[Part], str]:
    """Do the same in Python."""
    text = _QUOTED.sub(_without_grammar, _COMMENT.sub("", sheet))
    # Stop at the last brace: the rest would take quadratic time.
    end = text.rfind("}") + 1
    parts = []
    for before, body, closed, brace in _PART.findall(text[:end]):
        if not closed:
            parts.append(Part(before, "", brace, 0, None))
        elif body and not (_HARD.search(before) or _HARD_BODY.search(body)):
            lower = body.lower()
            says = _words_in(lower)
            pairs = _pairs(before, present) if says else []
            if pairs:
                parts.append(Part(before, lower, "", says, pairs))
        elif ";" in before or (body and (present is None or _may_touch(before, present))):
            parts.append(Part(before, body, "", 0, None))
    return parts, text[end:]


def what_says(body: str, says: int | None = None) -> int:
    """Return what declarations may be about, by the words in them; never too little."""
    if says is None:
        says = _words_in(body.lower())
    return says | SUSPECT if says & EVERY_WAY and _is_suspicious(body.lower()) else says


@lru_cache(maxsize=8192)
def _is_suspicious(body: str) -> bool:
    return SUSPICIOUS.search(body) is not None


def _words_in(body: str) -> int:
    says = 0
    for word, about in _WORDS:
        if word in body:
            says |= about
    return says


def _pairs(selectors: str, present: AbstractSet[str] | None) -> list[tuple[str, str]]:
    """Return the selectors of a plain list that may match, each behind its key or ""."""
    return [
        (_plain_key(selector), selector)
        for part, outside in _split(selectors)
        if (selector := part.strip())
        and (present is None or all(name in present for name in _NAMES.findall(outside)))
    ]


def _split(selectors: str) -> list[tuple[str, str]]:
    """Return the selectors of a list, each with what of it is neither quoted nor in brackets."""
    found = []
    depth = 0
    whole = outside = ""
    for piece in _PIECE.findall(selectors):
        if piece == "," and not depth:
            found.append((whole, outside))
            whole = outside = ""
            continue
        whole += piece
        if piece in "([":
            depth += 1
        elif piece in ")]":
            depth = max(0, depth - 1)
        if piece[0] in "\"'([":
            outside += " "
        elif not depth:
            outside += piece
    return [*found, (whole, outside)]


def _plain_key(selector: str) -> str:
    """Return the name by which the elements of a selector are found, if that is plain to see."""
    last = _LAST.search(selector)
    match = _PLAIN.fullmatch(last.group()) if last is not None else None
    if match is None:
        return ""
    names = _NAMES.findall(match[2])
    key = next((name for sign in "#." for name in names if name[0] == sign), "")
    return key or (match[1] or "").lower()


def _may_touch(selectors: str, present: AbstractSet[str]) -> bool:
    """Tell whether a page with these classes and ids may have a match."""
    names = [name for _, outside in _split(selectors) for name in _NAMES.findall(outside)]
    return not names or not present.isdisjoint(names) or _TRICKY.search(selectors) is not None


def _without_grammar(quoted: re.Match[str]) -> str:
    """Return a quoted text or address; one with braces or semicolons would confuse the reader."""
    text = quoted.group()
    return '""' if _GRAMMAR.search(text) else text
