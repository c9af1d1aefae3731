"""What a site's robots.txt allows: RFC 9309, read as generously as Google's matcher reads it.

Lines without a colon and misspelled keys count; groups of one agent are merged; the longest
matching rule decides and Allow wins a tie. The dialect in full: docs/robots.md.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TypeVar

from telusur.crawl.rules.robots_match import Line, RuleSet, line_text, path_of
from telusur.crawl.urls.identity import parse_url

MAX_BYTES = 500 * 1024  # RFC 9309 2.5
_MAX_LINE = 2083 * 8 - 1  # as Google's parser
_MAX_NAME = 256
_MAX_AGENTS_REMEMBERED = 16

_SPELLINGS = {
    "agent": ("user-agent", "useragent", "user agent", "user_agent"),
    "allow": ("allow",),
    "disallow": ("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw",
                 "desallow"),
    "sitemap": ("sitemap", "site-map"),
    "delay": ("crawl-delay", "crawldelay", "crawl delay"),
    "rate": ("request-rate", "requestrate", "request rate"),
    "time": ("visit-time", "visittime", "visit time"),
}  # fmt: skip
_KINDS = {spelling: kind for kind, spellings in _SPELLINGS.items() for spelling in spellings}
_KIND_AS_WRITTEN = _KINDS | {spelling.capitalize(): kind for spelling, kind in _KINDS.items()}
_BEGINS_LIKE = re.compile("|".join(map(re.escape, _KINDS)))

_BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xef\xbb", b"\xef")  # whole, or cut short
# The text before the colon, after it, and the comment: together all of the text.
_LINE = re.compile(r"([^\r\n:#]*)(:?)([^\r\n#]*)(?:#[^\r\n]*)?(?:[\r\n]+|$)")
_AFTER_NUL = re.compile(r"\0[^\r\n]*")
_TAG = re.compile(r"<[^<>]*>")
_SPACE = " \t\v\f"
_TWO_WORDS = re.compile(r"([^ \t]+)[ \t]+([^ \t]+)")
_TOKEN = re.compile(r"[\w-]+")
_GOOGLE_TOKEN = re.compile(r"[A-Za-z_-]+")
_COMPATIBLE = re.compile(r"\(compatible;\s*(?=[\w-])", re.IGNORECASE)
_NUMBER = re.compile(r"(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(?![0-9])")
_RATE = re.compile(r"([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*([smhd]?)", re.IGNORECASE)
_TIME = re.compile(r"([01][0-9]|2[0-4]):?([0-5][0-9])\s*-\s*([01][0-9]|2[0-4]):?([0-5][0-9])")
_UNIT_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}

T = TypeVar("T")
_Notes = dict[str, str]


class Robots:
    """The rules of one robots.txt, for every agent it names."""

    __slots__ = ("_notes", "_rule_sets", "_rules", "sitemaps")

    def __init__(self) -> None:
        self.sitemaps: list[str] = []
        self._rules: dict[str, list[list[Line]]] = {}
        self._notes: dict[str, list[_Notes]] = {}
        self._rule_sets: dict[str, RuleSet] = {}

    @classmethod
    def parse(cls, data: bytes, url: str | None = None) -> "Robots":
        """Read a robots.txt; its address `url` resolves relative sitemaps."""
        robots = cls()
        robots._read(_lines_of(data), url)
        return robots

    @classmethod
    def allow_all(cls) -> "Robots":
        """Return rules that allow everything: there is no robots.txt (RFC 9309 2.3.1.3)."""
        return _fixed(b"")

    @classmethod
    def disallow_all(cls) -> "Robots":
        """Return rules that forbid everything: the server has an error (RFC 9309 2.3.1.4)."""
        return _fixed(b"User-agent: *\nDisallow: /")

    def prepare(self, agent: str) -> None:
        """Prepare the rules for `agent`; for a huge file that takes a moment."""
        self._rule_set(agent)

    def allows(self, url: str, agent: str) -> bool:
        """Tell whether `agent`, a product token or a whole User-Agent header, may fetch `url`."""
        path = path_of(url)
        if path == "/robots.txt":  # RFC 9309 2.2.2
            return True
        rule = self._rule_set(agent).decide(path)
        return rule is None or rule[0]

    def rule_for(self, url: str, agent: str) -> str:
        """Return the line that decides about `url` (`Disallow: /private`); empty if none does."""
        rule = self._rule_set(agent).decide(path_of(url))
        return line_text(rule) if rule else ""

    def crawl_delay(self, agent: str) -> float | None:
        """Return the seconds between two requests that Crawl-delay asks for, or None."""
        number = _NUMBER.match(self._note(agent, "delay"))
        return float(number[0]) if number else None

    def request_rate(self, agent: str) -> float | None:
        """Return the seconds per request that Request-rate (`1/5`, `10/1m`) asks for, or None."""
        rate = _RATE.match(self._note(agent, "rate"))
        if rate is None or int(rate[1]) == 0:
            return None
        return int(rate[2]) * _UNIT_SECONDS[rate[3].lower()] / int(rate[1])

    def visit_time(self, agent: str) -> tuple[int, int] | None:
        """Return the hours of Visit-time (`0600-0845`), in minutes after midnight UTC, or None."""
        time = _TIME.match(self._note(agent, "time"))
        if time is None:
            return None
        return int(time[1]) * 60 + int(time[2]), int(time[3]) * 60 + int(time[4])

    def _note(self, agent: str, kind: str) -> str:
        rows = self._notes.get(self._name_of(agent), [])
        return next((notes[kind] for notes in rows if kind in notes), "")

    def _name_of(self, agent: str) -> str:
        token = _token_of(agent)
        return token if token in self._rules else "*"

    def _rule_set(self, agent: str) -> RuleSet:
        known = self._rule_sets.get(agent)
        if known is None:
            if len(self._rule_sets) >= _MAX_AGENTS_REMEMBERED:
                self._rule_sets.clear()
            groups = self._rules.get(self._name_of(agent), [])
            known = RuleSet(line for lines in groups for line in lines)
            self._rule_sets[agent] = known
        return known

    def _read(self, lines: Iterator[tuple[str, str]], url: str | None) -> None:
        """Sort the lines into groups.

        Consecutive agent lines share the rules that follow. A rule ends the list of agents; a delay
        ends it only for further delays, since other parsers treat a delay as an unknown line.
        """
        rules: list[Line] = []
        notes: _Notes = {}
        for kind, value in lines:
            if kind in ("disallow", "allow"):
                rules.append((kind == "allow", value))
            elif kind == "agent":
                if rules or notes:
                    rules, notes = ([] if rules else rules), {}
                for name in _names_in_file(value[:_MAX_NAME]):
                    _add_once(self._rules.setdefault(name, []), rules)
                    _add_once(self._notes.setdefault(name, []), notes)
            elif kind == "sitemap":
                self.sitemaps.append(_absolute(value, url))
            else:
                notes.setdefault(kind, value)
        self.sitemaps = list(dict.fromkeys(filter(None, self.sitemaps)))


def _add_once(rows: list[T], row: T) -> None:
    if not rows or rows[-1] is not row:
        rows.append(row)


def _absolute(value: str, url: str | None) -> str:
    value = _utf8(value)
    return parse_url(value, url) or value


@lru_cache(maxsize=4096)
def _names_in_file(value: str) -> frozenset[str]:
    """Return the names in an agent line: the whole token, and the token as Google reads it."""
    if value[:1] == "*" and (len(value) == 1 or value[1] in _SPACE):
        return frozenset("*")
    token = _TOKEN.match(_utf8(value))
    google = _GOOGLE_TOKEN.match(value)
    return frozenset(found[0].lower() for found in (token, google) if found)


def _token_of(agent: str) -> str:
    """Return the product token of an agent: `foobot` of `FooBot/2.1 (+http://foo.example)`."""
    compatible = _COMPATIBLE.search(agent)  # Mozilla/5.0 (compatible; FooBot/2.1)
    token = _TOKEN.match(agent, compatible.end() if compatible else 0)
    return token[0].lower() if token else ""


def _utf8(value: str) -> str:
    return value if value.isascii() else value.encode("latin-1").decode("utf-8", "replace")


def _lines_of(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield kind and value of each meaningful line."""
    for key, colon, value in _LINE.findall(_text_of(data)):
        kind = _KIND_AS_WRITTEN.get(key)
        if kind and len(value) < _MAX_LINE // 2:
            yield kind, value.strip(_SPACE)
        elif key or colon:
            yield from _read_oddly_written(key, colon, value)


def _read_oddly_written(key: str, colon: str, value: str) -> Iterator[tuple[str, str]]:
    key, colon, value = f"{key}{colon}{value}"[:_MAX_LINE].partition(":")
    if not colon:
        words = _TWO_WORDS.fullmatch(key.strip(_SPACE))
        if words is None:
            return
        key, value = words.groups()
    key, value = key.strip(_SPACE).lower(), value.strip(_SPACE)
    like = _BEGINS_LIKE.match(key)
    if like:
        yield _KINDS[like[0]], value
    elif key in ("http", "https") and "sitemap" in value.lower():
        yield "sitemap", f"{key}:{value}"


def _text_of(data: bytes) -> str:
    """Return the file as text, one character per byte."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    if len(data) > MAX_BYTES:  # a rule cut in two would mean something else
        data = data[:MAX_BYTES]
        data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1]
    mark = next((mark for mark in _BYTE_ORDER_MARKS if data.startswith(mark)), b"")
    text = data[len(mark) :].decode("latin-1")
    if text.lstrip()[:1] == "<":
        text = _TAG.sub("", text)
    return _AFTER_NUL.sub("", text) if "\0" in text else text


@cache
def _fixed(data: bytes) -> Robots:
    return Robots.parse(data)
