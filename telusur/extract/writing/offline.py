"""A page for reading offline: nothing in it runs, and its links lead to saved pages."""

from collections.abc import Callable
from itertools import islice

from turbohtml import Document as Tree
from turbohtml import Element

from telusur.extract.page.decode import decode_html
from telusur.extract.page.dom import MAX_NODES, TagIndex, parse_html
from telusur.extract.page.links import find_base
from telusur.extract.page.resolve import resolve_url

# Takes an absolute URL without fragment; returns the relative name of its file, or None.
FileOf = Callable[[str], str | None]

_TAKEN_OUT = (
    "script", "template", "base", "iframe", "frame", "object", "embed", "applet", "portal",
    "meta[http-equiv]", "meta[charset]", "link",
)  # fmt: skip
_KEPT_LINKS = frozenset(("stylesheet", "icon", "canonical"))
_ADDRESSES = frozenset(("href", "src", "action", "poster", "background", "cite", "xlink:href"))
_DROPPED = frozenset(("srcdoc", "srcset", "ping", "formaction", "integrity", "nonce", "http-equiv"))
# An offline file makes no requests, which would reveal its reader. This is also the second line of
# defence: the browser does not run anything that was overlooked.
_POLICY = (
    "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline' data:;"
    " base-uri 'none'"
)


def offline_page(html: bytes | str, url: str, file_of: FileOf, *, content_type: str = "") -> str:
    """Return a page to be saved.

    1. Remove scripts, frames and other active elements. 2. Point links to saved pages at their
    files, and all others at the web. 3. Add the source of the page, and forbid scripts.
    """
    text = html.replace("\x00", "") if isinstance(html, str) else decode_html(html, content_type)[0]
    tree = parse_html(text)
    base = find_base(TagIndex(tree), url)
    for element in tree.select(",".join(_TAKEN_OUT)):  # 1
        if element.tag != "link" or not _is_kept(element):
            element.extract()
    for element in tree.select("noscript"):  # its content is for readers without scripts
        element.unwrap()
    for element in islice(tree.iter_elements(), MAX_NODES):  # 2
        _make_harmless(element, base, file_of)
    _complete_head(tree, url)  # 3
    return tree.serialize()


def _is_kept(link: Element) -> bool:
    return not _KEPT_LINKS.isdisjoint((link.attr("rel") or "").lower().split())


def _make_harmless(element: Element, base: str, file_of: FileOf) -> None:
    if element.tag == "img" and not element.attr("src") and element.attr("data-src"):
        element.attrs["src"] = element.attr("data-src") or ""  # a script would have done that
    for name in list(element.attrs):
        if name.startswith("on") or name in _DROPPED:
            del element.attrs[name]
        elif name in _ADDRESSES:
            address = _address(element, name, base, file_of)
            if address is None:
                del element.attrs[name]
            else:
                element.attrs[name] = address


def _address(element: Element, name: str, base: str, file_of: FileOf) -> str | None:
    reference = (element.attr(name) or "").strip()
    is_link = element.tag in ("a", "area") and name == "href"
    if reference.startswith("#") or (is_link and reference.lower().startswith(("mailto:", "tel:"))):
        return reference
    if name == "src" and reference[:11].lower() == "data:image/":
        return reference
    target = resolve_url(base, reference)
    if target is None:
        return None
    _, hash_mark, fragment = reference.partition("#")
    return ((file_of(target) if is_link else None) or target) + hash_mark + fragment


def _complete_head(tree: Tree, url: str) -> None:
    head = tree.select_one("head")
    if head is None:  # a page of frames
        return
    first: tuple[dict[str, str], ...] = (
        {"charset": "utf-8"},
        {"http-equiv": "Content-Security-Policy", "content": _POLICY},
        {"name": "telusur:url", "content": url},
    )
    for position, attributes in enumerate(first):
        head.insert(position, Element("meta", attributes))
