"""Signs of a post: who wrote it and when, as elements and short texts say it."""

import re

from turbohtml import Element

from telusur.extract.facts.dates import parse_date

_LONGEST_DATE = 80
_LONGEST_NAME = 50
_CLOCK = re.compile(
    r"(?<!\d)([01]?\d|2[0-3])[:h]([0-5]\d)(?::[0-5]\d)?\s*([ap])?\.?m?\b", re.IGNORECASE
)
_AGO = re.compile(
    r"\bago\b|\bvor \d|\bil y a\b|\bhace \d|\bfa$|\b\d+ (?:dagen|uur|minuten) geleden|\bhá \d|"
    r"назад|"
    r"\byesterday\b|\btoday\b|\bgestern\b|\bheute\b|\bhier\b|\bayer\b|\bhoy\b|\bieri\b|\boggi\b|前|전$",
    re.IGNORECASE,
)
_ISO_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ](\d\d:\d\d)")
_DATE_ATTRIBUTES = ("datetime", "data-time-string", "data-date", "title", "content")
_DATE_PROPERTIES = frozenset(("datepublished", "datecreated", "dateposted", "uploaddate"))
_DATE_CLASS = re.compile(r"date|time|posted|published|when\b", re.IGNORECASE)
_NAME_CLASS = re.compile(
    r"(?:^|[\s_-])(?:author|user-?_?name|user|nick(?:name)?|member|poster|fn|autor|auteur|commenter|"
    r"postauthor|username|screenname|profile|creator|by)(?:$|[\s_-])|author(?:name)?|username",
    re.IGNORECASE,
)
_PROFILE = re.compile(
    r"(?:^|[/?&;=._-])(?:users?|members?|memberlist|profiles?|people|authors?|u|mitglied(?:er)?|membres?|"
    r"usuarios?|perfil|profil|nutzer|benutzer|user_?info|user_profile|viewprofile|personal_pages|"
    r"space-uid|showuser|home\.php)(?:[/?&;=._-]|\d|$)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"signature|(?:^|[\s_-])sig(?:$|[\s_-])|lastedited|edit(?:ed|date|note)|(?:^|\s)notice|"
    r"post-?edit|thanks|likes?(?:$|[\s_-])|message-lastEdit",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"^(?:\W*|#?\d+|reply|quote|share|report|like|permalink|link|edit|profile|pm|www|e-?mail|"
    r"antworten|zitieren|melden|profil|teilen|répondre|citer|responder|citar|more|mehr|top|"
    r"administrator|moderator|member|mitglied|newbie|guest|gast|private message|send message|"
    r"show profile|view profile|offline|online|author|autor|user|posts?|comments?)\W*$",
    re.IGNORECASE,
)


def is_profile_link(element: Element) -> bool:
    """Tell whether a link leads to the page of a person."""
    href = element.attr("href") if element.tag == "a" else None
    return bool(href) and bool(_PROFILE.search(_path_of(href or "")))


def _path_of(href: str) -> str:
    """Return what follows the host of an address."""
    if "//" in href[:9]:
        href = href.partition("//")[2].partition("/")[2]
    return href[:300]


def is_named_name(element: Element) -> bool:
    """Tell whether class or property of an element say that it holds the name of an author."""
    if (element.attr("itemprop") or "").lower() in ("author", "creator"):
        return True
    if element.attr("rel") == "author":
        return True
    named = element.attr("class")
    return bool(named) and bool(_NAME_CLASS.search((named or "")[:200]))


def is_beside(element: Element) -> bool:
    """Tell whether an element holds a signature, a note about a change, or thanks for a post."""
    named = f"{element.attr('class') or ''} {element.attr('id') or ''}"
    return len(named) > 1 and _BESIDE.search(named[:200]) is not None


def may_be_name(text: str) -> bool:
    """Tell whether a text can be what a person is called."""
    return 1 < len(text) <= _LONGEST_NAME and not _NO_NAME.match(text) and "\n" not in text


def tells_time(text: str) -> bool:
    """Tell whether a short text says when something was written."""
    if len(text) > _LONGEST_DATE:
        return False
    has_digit = any(map(str.isdecimal, text))
    if has_digit and (_CLOCK.search(text) or parse_date(text, month_first=True)):
        return True
    return _AGO.search(text) is not None


def stated_time(element: Element, *, month_first: bool | None) -> str | None:
    """Return the time that the attributes of an element state."""
    is_time = element.tag == "time"
    is_time = is_time or (element.attr("itemprop") or "").lower() in _DATE_PROPERTIES
    if not is_time and not _DATE_CLASS.search((element.attr("class") or "")[:200]):
        return None
    for name in _DATE_ATTRIBUTES:
        value = element.attr(name)
        if value and (found := read_time(value, month_first=month_first)):
            return found
    return None


def read_time(text: str, *, month_first: bool | None) -> str | None:
    """Return day, and time of day if it is there, in ISO 8601: 2019-08-07T18:50."""
    text = " ".join(text[: 2 * _LONGEST_DATE].split())
    day = parse_date(text, month_first=month_first)
    if day is None:
        return None
    if found := _ISO_TIME.match(text):
        return f"{day}T{found[1]}"
    clock = _CLOCK.search(text)
    if clock is None:
        return day
    hour = int(clock[1])
    half = (clock[3] or "").lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{day}T{hour:02}:{clock[2]}"
