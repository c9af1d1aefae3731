"""What was typed, taken apart: words, "phrases", -not, OR, site:, lang:, title:. Never an error."""

import re
from dataclasses import dataclass

# What a person types is shorter; what is longer is a mistake or an attack, and is cut.
MOST_CHARACTERS = 4_000
MOST_WISHES = 400

_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))
_WISH = re.compile(
    r"""(?P<minus>-)?
        (?:(?P<field>site|lang|title):)?
        (?:"(?P<phrase>[^"]*)"? | (?P<word>[^\s"]+))""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(slots=True, frozen=True)
class Wish:
    """One thing asked for. `alternatives` are what stands behind OR; `field` is "" for anywhere."""

    text: str
    field: str = ""
    is_phrase: bool = False
    is_excluded: bool = False
    alternatives: tuple["Wish", ...] = ()


def parse_wishes(text: str) -> tuple[Wish, ...]:
    """Return what was asked for, in order; anything that makes no sense is taken as words."""
    text = text[:MOST_CHARACTERS].translate(_QUOTES)
    wishes: list[Wish] = []
    either = False
    for match in _WISH.finditer(text):
        if match["word"] in ("OR", "|") and not match["field"] and not match["minus"]:
            either = bool(wishes)
            continue
        wish = _make_wish(match)
        if wish is None:
            continue
        if either and not wish.is_excluded and not wishes[-1].is_excluded:
            wishes[-1] = _either(wishes[-1], wish)
        else:
            wishes.append(wish)
        either = False
        if len(wishes) >= MOST_WISHES:
            break
    return tuple(wishes)


def _make_wish(match: re.Match[str]) -> Wish | None:
    is_phrase = match["phrase"] is not None
    text = match["phrase"] if is_phrase else match["word"]
    if not text.strip():
        return None
    field = (match["field"] or "").lower()
    return Wish(text, field, is_phrase, is_excluded=bool(match["minus"]))


def _either(first: Wish, second: Wish) -> Wish:
    alternatives = (*first.alternatives, second)
    return Wish(first.text, first.field, first.is_phrase, alternatives=alternatives)
