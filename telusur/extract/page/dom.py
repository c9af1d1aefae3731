"""The tree of a page: parse it, and find its elements by tag."""

import re
from itertools import islice

import turbohtml
from turbohtml import Document as Tree
from turbohtml import Element

from telusur.extract.compiled import native

MAX_CHARACTERS = 4_000_000  # Googlebot reads 2 MB of a page
MAX_TAGS = 105_000  # beyond this a page costs too much memory
MAX_NODES = 250_000  # about a second of walking in Python; the rest of such a page is not read

# fmt: off
BLOCK_TAGS = frozenset((
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
    "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "html", "legend",
    "li", "listing", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search",
    "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp",
))
# fmt: on
_MAY_BE_EMPTY = ("iframe", "textarea")
_MUCH_TEXT = 2_000  # characters
_EMBEDDED_FILE = re.compile(r"data:[\w/+.;=-]{0,100},[^\"'<>\s]{1000,}")


class TagIndex(dict[str, list[Element]]):
    """The elements of a tree by tag, in document order, each tag looked up once.

    The parser has an index of tags, but any other search walks over the whole page. So the compiled
    part first notes which signs occur on the page at all.
    """

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self._tree = tree
        # The serialised page; it is large, and may be cleared after use.
        self.written = tree.html
        self._signs: set[str] | None = None if native is None else native.signs(self.written)

    def find_all(self, *tags: str) -> None:
        """Look these up before the tree is changed, which invalidates the index."""
        for tag in tags:
            _ = self[tag]

    def select(self, selector: str, *signs: str) -> list[Element]:
        """Return what a selector finds; without one of the signs on the page there is no match.

        A sign is `<tag`, an attribute "hidden", "style" or "data-author", or a word "author" or
        "date" in classes, properties or relations, or another that means the same.
        """
        if self._signs is not None and self._signs.isdisjoint(signs):
            return []
        return self._tree.select(selector)

    def may_have(self, tag: str) -> bool:
        """Tell whether the page may have an element with a tag."""
        return self._signs is None or not tag.isalnum() or f"<{tag}" in self._signs

    def __missing__(self, tag: str) -> list[Element]:
        found = self[tag] = self._tree.select(tag) if self.may_have(tag) else []
        return found


def parse_html(text: str) -> Tree:
    """Parse any text as HTML; linear in its length, however it is nested (see docs/decisions)."""
    return parse_cut(cut_page(text))


def parse_cut(text: str) -> Tree:
    """Parse a text that is no longer than what is read of a page."""
    if not text[:1000].lstrip().startswith(("<", "\ufeff")):
        text = f"<body>{text}"  # implied anyway; without it, each character would cost 20 bytes
    return turbohtml.parse(text, positions=False)


def close_swallowing(text: str, tags: TagIndex) -> str | None:
    """Return the page with empty elements closed, if one of them has swallowed the rest of it.

    In a page serialised as XML such an element may end where it begins; in HTML it goes on.
    """
    for tag in _MAY_BE_EMPTY:
        swallowed = len(tags[tag][-1].text) if tags[tag] else 0
        if swallowed > _MUCH_TEXT and f"</{tag}" not in text[-swallowed:]:
            return re.sub(rf"<{tag}\b[^<>]*/>", rf"\g<0></{tag}>", text)
    return None


def cut_page(text: str) -> str:
    """Return the part of a page that is read; large embedded files are removed and do not count."""
    if len(text) > MAX_CHARACTERS:
        text = _EMBEDDED_FILE.sub("data:,", text)[:MAX_CHARACTERS]
    if len(text) < 3 * MAX_TAGS or text.count("<") <= MAX_TAGS:  # a tag is three characters long
        return text
    first_too_many = next(islice(re.finditer("<", text), MAX_TAGS, None))
    return text[: first_too_many.start()]
