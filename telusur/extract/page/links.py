"""The links a crawler may follow, with the words in and around them."""

from collections.abc import Iterable, Iterator

from turbohtml import Element, Text

from telusur.extract.compiled import native
from telusur.extract.page.dom import TagIndex
from telusur.extract.page.layout import Anchor
from telusur.extract.page.resolve import resolve_url, resolver_of
from telusur.models import Link

MAX_LINKS = 6000
MAX_ANCHOR_LENGTH = 300
_CHARACTERS_AROUND = 70  # on each side: about ten words
_MOST_TRIES = 20
_LEAST_SPACES = 3
# How references begin that may depend on more than the directory of the page.
_OF_THE_PAGE = ("", "?", " ", "\t", "\n", "\r", "\x0c")
_ROW_ENDS = ("", "\n")
_ENDS_OF_SENTENCES = (".", "!", "?", "…", "。")
_FOLLOWED_RELATIONS = frozenset(("next", "prev", "previous"))
_FRAMES = frozenset(("frame", "iframe"))
_WITHOUT_LINKS = frozenset(
    ("template", "script", "style", "svg", "select", "textarea", "img", "head", "iframe")
)
# Links that are never visible; looked up before they are removed from the tree.
UNSEEN = ("link[href]", "iframe[src]")
# Rare elements; also looked up early, while that is cheap.
RARE = ("area", "frame")


def find_base(tags: TagIndex, url: str) -> str:
    """Return the base URL of relative links (HTML standard, "document base URL").

    Only the first `<base href>` counts; if it is not http or https, the page's own URL is used.
    """
    for element in tags["base"]:
        if (address := element.attr("href")) is not None:
            return resolve_url(url, address) or url
    return url


def find_links(
    tags: TagIndex,
    text: str = "",
    hidden: Iterable[Element] = (),
    *,
    url: str = "",
    base: str = "",
    anchors: list[Anchor] | None = None,
) -> list[Link]:
    """Return the links of a page: visible ones in reading order, then the others.

    Each target occurs once, with the text of the first link that has any. `text` is the visible
    text, in which the words around a link are found. `hidden` are the invisible elements removed
    from the tree: their links count, their words do not. `anchors` are the links already found by
    the layout.
    """
    found: dict[str, Link] = {}
    base = base or url
    resolve = resolver_of(base)
    surroundings = Surroundings(text)
    for number, (reference, relation, words) in enumerate(_seen_anchors(tags, anchors)):
        is_of_page = reference[:1] in _OF_THE_PAGE
        target = resolve_url(base, reference) if is_of_page else resolve[reference]
        if target is None:
            continue
        known = found.get(target)
        if known is not None and known.anchor:
            continue
        if len(found) >= MAX_LINKS:
            break
        anchor = words[:MAX_ANCHOR_LENGTH] if words else _anchor_text(_seen_elements(tags)[number])
        if known is None or anchor:
            around = surroundings.around(anchor) if anchor else ""
            position = len(found) if known is None else known.position
            relation = " ".join(relation.split()) if relation else ""  # noqa: PLW2901
            found[target] = Link(target, anchor, around, relation, position, url)
    for element in _unseen_elements(tags, hidden):
        if len(found) >= MAX_LINKS:
            break
        reference = element.attr("src" if element.tag in _FRAMES else "href") or ""
        target = resolve_url(base, reference)
        if target is not None and target not in found:
            found[target] = Link(target, "", "", _relation(element), len(found), url)
    return list(found.values())


def _seen_anchors(tags: TagIndex, anchors: list[Anchor] | None) -> Iterable[Anchor]:
    """Return the visible links, in reading order."""
    if anchors is not None and not (tags["area"] or tags["frame"]):
        return anchors
    return (
        (element.attr("href") or element.attr("src") or "", element.attr("rel") or "", None)
        for element in _seen_elements(tags)
    )


def _seen_elements(tags: TagIndex) -> list[Element]:
    if tags["area"] or tags["frame"]:
        return tags["a[href],area[href],frame[src]"]
    return tags["a[href]"]


def _relation(element: Element) -> str:
    relation = element.attr("rel")
    return " ".join(relation.split()) if relation else ""


def _unseen_elements(tags: TagIndex, hidden: Iterable[Element]) -> Iterator[Element]:
    """Yield the links in invisible parts of a page: its head, menus, frames."""
    links, frames = (tags[selector] for selector in UNSEEN)
    yield from filter(_is_followed, links)
    yield from frames
    seen: set[Element] = set()
    for outer in hidden:
        if outer.tag in _WITHOUT_LINKS:
            continue
        for element in (outer, *outer.select("a[href]"), *outer.select("frame[src]")):
            if element.tag in ("a", "frame") and element not in seen:
                seen.add(element)
                yield element


def _is_followed(link: Element) -> bool:
    """Tell whether a `<link>` leads to a page: the next one, or a translation."""
    relations = (link.attr("rel") or "").lower().split()
    if "alternate" in relations:
        return link.attr("hreflang") is not None and "stylesheet" not in relations
    return not _FOLLOWED_RELATIONS.isdisjoint(relations)


def _anchor_text(element: Element) -> str:
    """Return the text of a link, or the alt text of its image, or its title."""
    children = element.children
    if len(children) == 1 and type(children[0]) is Text:
        text = " ".join(element.text[: 2 * MAX_ANCHOR_LENGTH].split())
    else:
        text = " ".join(element.to_text()[: 2 * MAX_ANCHOR_LENGTH].split())
    return (text or _label_of(element))[:MAX_ANCHOR_LENGTH]


def _label_of(element: Element) -> str:
    label = element.attr("aria-label") or element.attr("alt") or element.attr("title")
    if not label:
        image = element.select_one("img[alt]")
        label = image.attr("alt") if image is not None else ""
    return " ".join((label or "")[: 2 * MAX_ANCHOR_LENGTH].split())


class Surroundings:
    """Finds the words around links in the text of a page, link by link."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._position = 0

    def around(self, anchor: str) -> str:
        """Return about ten words on each side of a link in its row, or the teaser after a lone
        link.

        A link alone in its row is a heading or an entry, and the next row its teaser.
        """
        text = self._text
        if native is not None:
            found: str
            found, self._position = native.around(text, anchor, self._position)
            return found
        start = text.find(anchor, self._position)
        if start < 0:
            return ""
        end = start + len(anchor)
        if (text[start - 1 : start] + text[end : end + 1]).isalnum():  # within a word
            start = self._next_whole(anchor, start)
            end = start + len(anchor)
        self._position = end
        if text[start - 1 : start] in _ROW_ENDS and text[end : end + 1] in _ROW_ENDS:
            return self._teaser(end)
        before = text[max(0, start - _CHARACTERS_AROUND) : start].rpartition("\n")[2]
        if len(before) == _CHARACTERS_AROUND:
            before = before.partition(" ")[2]
        after = text[end : end + _CHARACTERS_AROUND].partition("\n")[0]
        if len(after) == _CHARACTERS_AROUND:
            after = after.rpartition(" ")[0]
        return f"{before.strip()} {after.strip()}".strip()

    def _next_whole(self, anchor: str, first: int) -> int:
        """Return where the next whole words like these stand, or the first place if nowhere."""
        text, start = self._text, first
        for _ in range(_MOST_TRIES):
            start = text.find(anchor, start + len(anchor))
            end = start + len(anchor)
            if start < 0 or not (text[start - 1 : start] + text[end : end + 1]).isalnum():
                break
        return first if start < 0 else start

    def _teaser(self, row_end: int) -> str:
        """Return the beginning of the next row when it reads like a sentence."""
        start = row_end + 1
        row = self._text[start : start + 2 * _CHARACTERS_AROUND].partition("\n")[0]
        is_sentence = row.endswith(_ENDS_OF_SENTENCES) or len(row) > _CHARACTERS_AROUND
        return row if is_sentence and row.count(" ") >= _LEAST_SPACES else ""
