"""The headings of a page that may be its title."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from turbohtml import Element

from telusur.extract.facts.site_names import squeeze, strip_known_name
from telusur.extract.facts.statements import clean
from telusur.extract.page.dom import TagIndex

_WORDS = re.compile(r"\w+")
_PERMALINK = re.compile(r"\s*(?:[¶#§🔗\uf000-\uf8ff]|\bPermalink\b|\bLink to this heading\b)\s*$")
_LABEL = re.compile(r"^(?:Thread|Topic|Question|Re|Thema|Topik|Konu):\s+", re.IGNORECASE)
_LOGO = re.compile(
    r"\b(?:logo|site[-_]?(?:title|name)|blog[-_]?(?:title|name)|branding|navbar-brand)\b"
)
_MARKED = re.compile(r"\b(?:entry|post|article|story)[-_]?(?:title|headline)\b|\bheadline\b")
_HOME = re.compile(r"(?:https?:)?//[^/?#]+/?|/|/?(?:index|home|default)\.\w{3,5}")
_MAX_HEADINGS = 8
_MAX_LENGTH = 300
_MAX_PIECES = 8
_OPENING = "\"“„«»‘'「『¿¡"
_UNTITLED = frozenset(("home", "menu", "homepage", "untitled", "navigation", "search", "welcome"))


@dataclass(slots=True)
class Headline:
    """A heading: its place among those of its rank, its text, and whether it names the site."""

    element: Element
    number: int
    text: str
    words: frozenset[str]
    is_logo: bool = False
    agreement: float = 0.0

    @property
    def is_marked(self) -> bool:
        """Tell whether its class or property says that it is the title of an article."""
        names = f"{self.element.attr('class') or ''} {self.element.attr('itemprop') or ''}"
        return not self.is_logo and _MARKED.search(names.lower()) is not None


def read_headlines(
    tags: TagIndex, tag: str, titles: list[str], keys: frozenset[str]
) -> list[Headline]:
    """Return the first headings of a rank.

    `titles` are those in the head, `keys` the names of the site, squeezed.
    """
    found = []
    known = frozenset(map(words_in, titles))
    for number, element in enumerate(tags[tag][:_MAX_HEADINGS]):
        text = strip_known_name(_text_of(element, titles, known), keys)
        if 1 < len(text) <= _MAX_LENGTH and "{{" not in text:
            is_logo = _is_logo(element, text)
            found.append(Headline(element, number, text, words_of(text), is_logo))
    return found


def _text_of(element: Element, titles: list[str], known: frozenset[tuple[str, ...]]) -> str:
    """Return the text of a heading; if it has parts, only those that the head repeats.

    `titles` are those in the head, `known` their words. A line above or below the title belongs to
    it only if the head has it too.
    """
    text = _tidy(element.text)
    pieces = [_tidy(piece) for piece in islice(element.strings, 20)]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) < 2:
        return text
    spaced, text = " ".join(pieces), _with_gaps(text, pieces)
    for whole in (text, spaced, *pieces):
        if whole in titles:
            return whole
    if words_in(text) in known:
        return text
    for part in _runs(pieces[:_MAX_PIECES]):
        if 2 * len(part) > len(text) and words_in(part) in known:
            return part
    return spaced if element.select_one("br,div,p,li") is not None else text


def _with_gaps(text: str, pieces: list[str]) -> str:
    """Put a space where one piece ends and the next begins with a capital or a quote.

    A style sheet shows them below each other.
    """
    for left, right in pairwise(pieces):
        is_end = len(left) > 2 and (left[-1].islower() or left[-1] in ":.!?")
        if is_end and (right[0].isupper() or right[0] in _OPENING):
            text = text.replace(left + right, f"{left} {right}", 1)
    return text


def _runs(pieces: list[str]) -> Iterator[str]:
    """Yield the texts made of pieces in a row, the shortest first."""
    for length in range(1, len(pieces) + 1):
        for start in range(len(pieces) - length + 1):
            yield " ".join(pieces[start : start + length])


def _tidy(text: str) -> str:
    """Remove what themes add to a heading: permalink signs, and the kind of page."""
    text = clean(text[: 4 * _MAX_LENGTH].replace("\xad", ""))
    return _LABEL.sub("", _PERMALINK.sub("", text))


def _is_logo(element: Element, text: str) -> bool:
    """Tell whether a heading is the name of the site: as a logo, or as a link to the front page."""
    names = f"{element.attr('class') or ''} {element.attr('id') or ''}"
    if _LOGO.search(names.lower()):
        return True
    link = element.select_one("a[href]")
    if link is None and isinstance(element.parent, Element) and element.parent.tag == "a":
        link = element.parent
    if link is None or len(link.text) < len(text) / 2:
        return False
    # A web archive puts its own address before that of the page.
    address = (link.attr("href") or "").strip()
    return _HOME.fullmatch(address[max(0, address.rfind("http")) :]) is not None


@lru_cache(maxsize=256)
def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a text in their order."""
    return tuple(_WORDS.findall(text.casefold()))


@lru_cache(maxsize=256)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, each once."""
    return frozenset(words_in(text))


def is_no_title(text: str, keys: frozenset[str]) -> bool:
    """Tell whether a text is a name of the site, or a word that stands on any page."""
    return text.casefold() in _UNTITLED or squeeze(text) in keys
