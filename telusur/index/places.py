"""The places of a document that contain words, and the weight of a word in each."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from telusur.document_table import DOCUMENT_FIELDS
from telusur.index.contract import Anchor, IndexItem
from telusur.index.weights import HEADING_WEIGHTS, MOST_ANCHOR_WEIGHT, PLACE_WEIGHTS
from telusur.models import Document

INDEXED_CHARACTERS = 1_000_000
SHORT_CHARACTERS = 2_000

_DULL_URL_WORDS = re.compile(
    r"\b(?:https?|www|index|default|html?|xhtml|php\d?|aspx?|jsp|cgi|com|org|net)\b", re.IGNORECASE
)
# Nearly every URL of a catalogue; urlsplit takes ten times as long.
_PLAIN_URL = re.compile(r"https?://([a-z0-9.-]+)(?::([0-9]{1,4}))?(/[!-\"$->@-~]*)(?:[?#]|\Z)")


# URL, headings and body are read in special ways; the other places contain the short texts of the
# fields assigned to them.
_SHORT_FIELDS = {
    place: tuple(field.name for field in DOCUMENT_FIELDS if field.place == place)
    for place in PLACE_WEIGHTS
    if place not in ("url", "headings", "body")
}
_FIRST, *_OTHERS = sorted(_SHORT_FIELDS, key=lambda place: place != "title")


class Place(NamedTuple):
    """The text of one place: `title`, `h1` to `h6`, `anchor`, `url`, and so on."""

    name: str
    text: str
    weight: int


def places_of(item: IndexItem) -> list[Place]:
    """Return the places of a document that have text, the body last."""
    document = item.document
    places = [
        _short_place(document, _FIRST),
        *_heading_places(item),
        *_anchor_places(item.anchors),
        Place("url", url_words(item.url), PLACE_WEIGHTS["url"]),
        *(_short_place(document, name) for name in _OTHERS),
        Place("body", document.text[:INDEXED_CHARACTERS], PLACE_WEIGHTS["body"]),
    ]
    return [place for place in places if place.text.strip()]


def _short_place(document: Document, name: str) -> Place:
    """Return the texts of the fields that share a place, each cut."""
    texts = [(getattr(document, field) or "")[:SHORT_CHARACTERS] for field in _SHORT_FIELDS[name]]
    return Place(name, "\n".join(texts), PLACE_WEIGHTS[name])


def _heading_places(item: IndexItem) -> Iterator[Place]:
    headings = item.document.headings
    for level, weight in HEADING_WEIGHTS.items() if headings else ():
        text = "\n".join(heading.text for heading in headings if heading.level == level)
        yield Place(f"h{level}", text[:SHORT_CHARACTERS], weight)


def _anchor_places(anchors: tuple[Anchor, ...]) -> Iterator[Place]:
    """Yield the link texts of each weight, the most frequent first, as far as there is room."""
    room = SHORT_CHARACTERS
    by_weight: dict[int, list[str]] = {}
    for anchor in sorted(anchors, key=lambda anchor: (-anchor.pages, anchor.text)):
        room -= len(anchor.text)
        if room < 0:
            break
        by_weight.setdefault(anchor_weight(anchor.pages), []).append(anchor.text)
    for weight, texts in by_weight.items():
        yield Place("anchor", "\n".join(texts), weight)


def anchor_weight(pages: int) -> int:
    """Return how often a link text counts that `pages` pages use."""
    return max(1, min(pages.bit_length(), MOST_ANCHOR_WEIGHT))


def url_words(url: str) -> str:
    """Return the meaningful words of a URL: not its scheme, `www` or `index.html`."""
    parts = split_url(url)
    if parts is None:
        return ""
    readable = unquote(f"{parts[0]} {parts[2]}", errors="replace")[:SHORT_CHARACTERS]
    return _DULL_URL_WORDS.sub(" ", readable.replace("_", " "))


@lru_cache(maxsize=8)  # called twice for each document
def split_url(url: str) -> tuple[str, int | None, str] | None:
    """Return host, port and path of a URL, or None if it is not one."""
    plain = _PLAIN_URL.match(url)
    if plain is not None:
        host, port, path = plain.groups()
        return host, int(port) if port else None, path
    try:
        parts = urlsplit(url)
        return (parts.hostname or "").strip("[]"), parts.port, parts.path
    except ValueError:
        return None
