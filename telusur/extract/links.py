"""The links a crawler may follow, with the words in and around them."""

from collections.abc import Iterable, Iterator

from turbohtml import Document as Tree
from turbohtml import Element, Node, Text

from telusur.extract.dom import BLOCK_TAGS
from telusur.extract.resolve import resolve_url
from telusur.models import Link

MAX_LINKS = 6000
MAX_ANCHOR_LENGTH = 300
_CHARACTERS_AROUND = 70  # on each side: about ten words
_FOLLOWED_RELATIONS = frozenset(("next", "prev", "previous"))
_FRAMES = frozenset(("frame", "iframe"))
_WITHOUT_LINKS = frozenset(("template", "script", "style", "svg", "select", "textarea", "img"))


def find_base(tree: Tree, url: str) -> str:
    """Return the URL that relative links start from (HTML standard, "document base URL").

    Only the first `<base href>` counts; when it is not http or https, the page's own URL stands.
    """
    element = tree.select_one("base[href]")
    if element is None:
        return url
    return resolve_url(url, element.attr("href") or "") or url


def find_links(
    tree: Tree, hidden: Iterable[Element] = (), *, url: str = "", base: str = ""
) -> list[Link]:
    """Return the links of a page: those a person sees in reading order, then the others.

    Each target stands once, with the words of the first link that has any. `hidden` are the
    elements taken out of the tree because nobody sees them: their links count, their words do not.
    """
    found: dict[str, Link] = {}
    resolve = _Resolver(base or url)
    surroundings = Surroundings()
    for element in tree.select("a[href],area[href],frame[src]"):
        target = resolve[element.attr("href") or element.attr("src") or ""]
        known = found.get(target) if target is not None else None
        if target is None or (known is not None and known.anchor):
            continue
        if len(found) >= MAX_LINKS:
            break
        anchor = _anchor_text(element)
        if known is None or anchor:
            around = surroundings.around(element, anchor)
            position = len(found) if known is None else known.position
            found[target] = Link(target, anchor, around, element.attr("rel") or "", position, url)
    for element in _unseen_elements(hidden):
        if len(found) >= MAX_LINKS:
            break
        target = resolve[element.attr("src" if element.tag in _FRAMES else "href") or ""]
        if target is not None and target not in found:
            found[target] = Link(target, "", "", element.attr("rel") or "", len(found), url)
    return list(found.values())


class _Resolver(dict[str, str | None]):
    """The references of one page, each resolved once."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self._base = base

    def __missing__(self, reference: str) -> str | None:
        target = self[reference] = resolve_url(self._base, reference)
        return target


def _unseen_elements(hidden: Iterable[Element]) -> Iterator[Element]:
    """Yield what leads on from the parts of a page that are not shown: its head, menus, frames."""
    seen: set[Element] = set()
    for outer in hidden:
        if outer.tag in _WITHOUT_LINKS:
            continue
        for element in (outer, *outer.select("a[href],link[href],iframe[src],frame[src]")):
            if element not in seen and _is_followed(element):
                seen.add(element)
                yield element


def _is_followed(element: Element) -> bool:
    """Tell whether an unseen element leads to a page: the next one, a translation, a frame."""
    if element.tag in ("a", "iframe", "frame"):
        return True
    if element.tag != "link":
        return False
    relations = (element.attr("rel") or "").lower().split()
    if "alternate" in relations:
        return element.attr("hreflang") is not None and "stylesheet" not in relations
    return not _FOLLOWED_RELATIONS.isdisjoint(relations)


def _anchor_text(element: Element) -> str:
    """Return the words of a link; for one without, its picture's alt text or its title."""
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
    """Finds the words around links, reading the text of each block once and going on from there."""

    def __init__(self) -> None:
        self._block: Node | None = None
        self._text = ""
        self._position = 0

    def around(self, element: Element, anchor: str) -> str:
        """Return about ten words each side of a link in its block; or what follows a lone link."""
        block = _block_of(element)
        if block is None or not anchor:
            return ""
        if block is not self._block:
            self._block, self._text, self._position = block, " ".join(block.text.split()), 0
        if len(self._text) <= len(anchor):
            return _teaser_after(block)
        start = self._text.find(anchor, self._position)
        if start < 0:
            return ""
        self._position = end = start + len(anchor)
        before = self._text[max(0, start - _CHARACTERS_AROUND) : start]
        if start > _CHARACTERS_AROUND:
            before = before.partition(" ")[2]
        after = self._text[end : end + _CHARACTERS_AROUND]
        if len(after) == _CHARACTERS_AROUND:
            after = after.rpartition(" ")[0]
        return f"{before.strip()} {after.strip()}".strip()


def _block_of(element: Element) -> Node | None:
    """Return the block element around a link, at most four steps up."""
    node = element.parent
    for _ in range(4):
        if not isinstance(node, Element):
            return None
        if node.tag in BLOCK_TAGS:
            return None if node.tag == "body" else node
        node = node.parent
    return None


def _teaser_after(block: Node) -> str:
    """Return the beginning of the next element when it is plain text under a linked heading."""
    following = block.next_sibling
    while following is not None and not isinstance(following, Element):
        following = following.next_sibling
    if following is None or following.tag not in ("p", "div", "dd", "span"):
        return ""
    if following.select_one("a[href],div") is not None:
        return ""
    return " ".join(following.text[: 3 * _CHARACTERS_AROUND].split())[: 2 * _CHARACTERS_AROUND]
