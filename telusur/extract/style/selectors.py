"""What a selector asks for: which names must be on a page, and how specific it is."""

import re
import sys
from functools import lru_cache
from typing import NamedTuple

_IDENT = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\.)+"
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))")
_TOKEN = re.compile(
    rf"(?P<class>\.{_IDENT})|(?P<id>\#{_IDENT})|(?P<attribute>\[[^\]]*\])|(?P<element>::[\w-]+)|"
    rf"(?P<pseudo>:[\w-]+)(?P<open>\()?|(?P<tag>{_IDENT}|\*)|(?P<between>\s*[>+~]\s*|\s+)"
)
_PLAIN = re.compile(
    r"(?:\*|[a-z][\w-]*|[.#][\w-]+)(?:[.#][\w-]+)*"
    r"(?:(?:\s*>\s*|\s+)(?:\*|[a-z][\w-]*|[.#][\w-]+)(?:[.#][\w-]+)*)*",
    re.ASCII | re.IGNORECASE,
)
_NAMES = re.compile(r"[.#][\w-]+")
_BETWEEN = re.compile(r"\s*>\s*|\s+")
_STARTS = re.compile(r"[.#]")
_OLD_ELEMENTS = (":before", ":after", ":first-line", ":first-letter")
_STATES = frozenset((
    ":hover", ":focus", ":active", ":visited", ":focus-within", ":focus-visible", ":target-within",
    ":user-invalid", ":user-valid", ":popover-open", ":modal", ":fullscreen", ":autofill",
    ":placeholder-shown", ":host", ":host-context", ":defined", ":current", ":past", ":future",
))  # fmt: skip
# A reader brings these about with a click, and then sees the text.
_CLICKS = frozenset((":checked", ":target"))
_SLOW = frozenset((":has", ":nth-child", ":nth-last-child", ":nth-of-type", ":nth-last-of-type"))
_STATE = re.compile(rf"(?:{'|'.join(sorted(_STATES))})(?![\w-])", re.IGNORECASE)
_LONGEST = 300


class Selector(NamedTuple):
    """A selector and what is known about it before a page is searched."""

    text: str
    # The name in its last part by which elements are found: `.class`, `#id`, `tag` or `*`.
    key: str
    # Classes and ids without which no element of a page matches.
    needs: frozenset[str]
    specificity: int
    # Whether all elements found by the key match.
    is_whole: bool
    # Whether a match may look at all siblings or descendants.
    is_slow: bool
    # It is about a box before or after the element.
    is_pseudo_element: bool = False
    # It applies after a click.
    is_click: bool = False


def split_selectors(text: str) -> list[str]:
    """Return the selectors of a list; commas in brackets do not separate."""
    if "(" not in text and "[" not in text:
        return [part.strip() for part in text.split(",")]
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif letter == "," and depth <= 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


@lru_cache(maxsize=8192)
def read_selector(text: str) -> Selector | None:
    """Return a selector; None if it never applies by itself or cannot be read."""
    if not text or len(text) > _LONGEST:
        return None
    if _PLAIN.fullmatch(text):
        return _read_plain(text)
    if _STATE.search(text) is not None and not any(sign in text for sign in "([\\"):
        return None
    reading = _Reading(text)
    return reading.result() if reading.goes_well() else None


def _read_plain(text: str) -> Selector:
    """Return a selector made of tags, classes, ids, blanks and `>`."""
    names = _NAMES.findall(text)
    parts = _BETWEEN.split(text)
    last = parts[-1]
    tags = [part for part in parts if part[0] not in ".#*"]
    ids = sum(name[0] == "#" for name in names)
    tag, *own = _STARTS.split(last)
    key = next((name for name in _NAMES.findall(last) if name[0] == "#"), "")
    if not key:
        key = last[len(tag) :].partition("#")[0].split(".")[1] if own else tag.lower() or "*"
        key = f".{key}" if own else key
    specificity = 1_000_000 * ids + 1000 * (len(names) - ids) + len(tags)
    is_simple = len(parts) == 1
    is_whole = is_simple and (len(names) + len(tags) <= 1)
    return Selector(text, key, frozenset(names), specificity, is_whole, is_slow=False)


class _Reading:
    """Reads one selector from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._needs: list[str] = []
        # The names in the part that is being read.
        self._last: list[str] = []
        self._kept: list[str] = []
        self._specificity = self._names = 0
        self._is_simple, self._is_slow, self._is_element, self._is_click = True, False, False, False

    def goes_well(self) -> bool:
        """Read it; tell whether it can be read and may apply by itself."""
        while self._at < len(self._text):
            token = _TOKEN.match(self._text, self._at)
            if token is None:
                return False
            self._at = token.end()
            if token["pseudo"]:
                if not self._take_pseudo(token["pseudo"].lower(), token):
                    return False
            elif token["element"]:
                self._is_element = True
            else:
                self._take(token.lastgroup or "", token.group())
        return True

    def _take(self, kind: str, word: str) -> None:
        if kind == "between":
            self._is_simple = False
            self._is_slow |= "~" in word
            self._last = []
        elif kind == "attribute":
            self._is_simple = False
            self._specificity += 1000
        elif word != "*":
            name = word.lower() if kind == "tag" else _unescaped(word)
            if kind != "tag":
                self._needs.append(name)
            self._names += 1
            self._last.append(name)
            self._specificity += {"id": 1_000_000, "class": 1000}.get(kind, 1)
        self._kept.append(word)

    def _take_pseudo(self, word: str, token: re.Match[str]) -> bool:
        inside: str | None = ""
        if token["open"]:
            inside, self._at = _brackets(self._text, self._at)
        if inside is None or word in _STATES:
            return False
        if word in _OLD_ELEMENTS:
            self._is_element = True
            return True
        self._is_simple = False
        self._specificity += _weight_of(word, inside)
        if word in _CLICKS:
            self._is_click = True
            return True
        self._is_slow |= word in _SLOW
        self._kept.append(self._text[token.start() : self._at])
        return True

    def result(self) -> Selector:
        """Return what was read."""
        last = self._last
        key = next((name for sign in "#." for name in last if name[0] == sign), "")
        return Selector(
            "".join(self._kept).strip() or "*",
            key or (last[0] if last else "*"),
            frozenset(self._needs),
            self._specificity,
            self._is_simple and self._names <= 1,
            self._is_slow,
            self._is_element,
            self._is_click,
        )


def _brackets(text: str, at: int) -> tuple[str | None, int]:
    """Return what stands in the brackets that opened before `at`, and where they end."""
    depth = 1
    for end in range(at, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if not depth:
            return text[at:end], end + 1
    return None, at


def _weight_of(pseudo: str, inside: str) -> int:
    if pseudo == ":where":
        return 0
    if pseudo not in (":not", ":is", ":matches", ":has"):
        return 1000
    weights = [_weight(part) for part in split_selectors(inside)]
    return max(weights, default=0)


def _weight(text: str) -> int:
    weight = 0
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        weight += {"id": 1_000_000, "class": 1000, "attribute": 1000, "pseudo": 1000}.get(
            kind or "", int(kind == "tag")
        )
    return weight


def _unescaped(name: str) -> str:
    return _ESCAPE.sub(_character, name) if "\\" in name else name


def _character(escape: re.Match[str]) -> str:
    number = int(escape[1], 16) if escape[1] else 0
    return chr(number) if 0 < number <= sys.maxunicode else escape[2] or "\ufffd"
