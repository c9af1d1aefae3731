"""The member who began a thread of a forum."""

import re
from itertools import pairwise

from telusur.extract.facts.names import is_name
from telusur.extract.facts.signals import Signals
from telusur.extract.facts.statements import clean

_POSTS = "[data-author],[data-author-username]"
_MEMBER_PATH = re.compile(r"/(?:members?|users?|u|profile)/[^/]", re.IGNORECASE)
_MEMBER = re.compile(r"\b(?:post-?user|user)-?name\b")
_STARTER = re.compile(r"(?:discussion|topic) starter|original poster", re.IGNORECASE)
_NEAR = 14
_MOST_MARKS = 12


def find_starter(signals: Signals) -> list[str]:
    """Return the member who began a thread, if the forum software says so."""
    return _marked_starter(signals) or _first_poster(signals)


def _marked_starter(signals: Signals) -> list[str]:
    """Return the member who is marked as the one who began a thread."""
    for piece, following in pairwise(signals.nearby.after if signals.is_thread else ()):
        if _STARTER.fullmatch(following.text) and is_name(piece.text):
            return [piece.text]
    return []


def find_member(signals: Signals) -> list[str]:
    """Return the member who is named first after the title of a thread."""
    for piece in signals.nearby.after[:_NEAR] if signals.is_thread else ():
        if (_MEMBER_PATH.search(piece.link) or _MEMBER.search(piece.names)) and is_name(piece.text):
            return [piece.text]
    return []


def _first_poster(signals: Signals) -> list[str]:
    """Return the author of the first post of a thread, if the forum software names one."""
    if signals.tags is None or not signals.is_thread:
        return []
    for element in signals.tags.select(_POSTS, "data-author")[:_MOST_MARKS]:
        name = clean(element.attr("data-author") or element.attr("data-author-username") or "")
        if is_name(name):
            return [name]
    return []
