"""Any HTML as well-formed XML: the whole document, or the indexer's view of it.

The parser has closed open elements and dropped stray end tags; what remains is to write in XML what
HTML allows and XML does not.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import Any

from turbohtml import Comment, Doctype, DocumentFragment, Element, Namespace, Node, Text

from telusur.errors import UsageError
from telusur.extract.document import PageReading, read_page
from telusur.extract.page.decode import decode_html
from telusur.extract.page.dom import MAX_NODES, parse_html
from telusur.extract.page.runs import TextRun, any_image, read_lines
from telusur.extract.writing.escaping import clean, escape

VIEWS = ("document", "index")
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACES = {
    Namespace.HTML: "http://www.w3.org/1999/xhtml",
    Namespace.SVG: "http://www.w3.org/2000/svg",
    Namespace.MATHML: "http://www.w3.org/1998/Math/MathML",
}
_XLINK = "http://www.w3.org/1999/xlink"
_XML_NAMES = frozenset(("xml:lang", "xml:space"))  # no other prefix is bound everywhere
_VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
))  # fmt: skip
# XML allows more letters, but its editions differ; all parsers accept these.
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]")
_MAY_BEGIN = re.compile(r"[A-Za-z_]")


def html_to_xml(
    html: bytes | str, url: str = "", *, content_type: str = "", view: str = "document"
) -> str:
    """Return any page as well-formed XML.

    `view` is "document" for everything that is in it, or "index" for what the indexer sees: links,
    images and text.
    """
    if view == "index":
        return index_view(read_page(html, url, content_type=content_type))
    if view != "document":
        raise UsageError(f"view: {view!r} is not one of {', '.join(VIEWS)}.")
    text = html.replace("\x00", "") if isinstance(html, str) else decode_html(html, content_type)[0]
    return _DECLARATION + "".join(_write_nodes(parse_html(text))) + "\n"


def index_view(reading: PageReading) -> str:
    """Return what the indexer sees of a page: a `p` for each line, with `a` and `img` in it."""
    document = reading.document
    language = f' language="{escape(document.language)}"' if document.language else ""
    lines = read_lines(reading.tree, reading.base, _nowhere, images=any_image)
    rows = [
        f'{_DECLARATION}<page url="{escape(document.url)}"{language}>',
        f"<title>{escape(document.title)}</title>",
        *(f"<p>{''.join(_write_runs(line.runs))}</p>" for line in lines),
        "</page>\n",
    ]
    return "\n".join(rows)


def _nowhere(element: Element, tag: str, place: Any) -> None:
    """Ignore lists, tables and quotes."""


def _write_runs(runs: Iterable[TextRun]) -> Iterator[str]:
    for href, same in groupby(runs, key=lambda run: run.href):
        inner = "".join(map(_write_run, same))
        yield f'<a href="{escape(href)}">{inner}</a>' if href else inner


def _write_run(run: TextRun) -> str:
    if run.image:
        return f'<img src="{escape(run.image)}" alt="{escape(run.text)}"/>'
    return escape(run.text)


def _write_nodes(tree: Node) -> Iterator[str]:
    """Write the tree in document order; an element ends where the next node is not within it."""
    is_open: list[tuple[Node, str]] = [(tree, "")]
    for node in islice(tree.descendants, MAX_NODES):
        while len(is_open) > 1 and is_open[-1][0] is not node.parent:
            yield is_open.pop()[1]
        if isinstance(node, Element):
            start, end = _tags(node)
            yield start
            is_open.append((node, end))
        elif isinstance(node, Text):
            yield escape(node.data)
        elif isinstance(node, Comment):
            yield f"<!--{_comment(node.data)}-->"
        elif isinstance(node, Doctype):
            yield "<!DOCTYPE html>\n"  # without an address, so that no XML parser fetches one
        elif isinstance(node, DocumentFragment):  # the contents of a template
            is_open.append((node, ""))
    while is_open:
        yield is_open.pop()[1]


def _tags(element: Element) -> tuple[str, str]:
    name = _name(element.tag)
    start = "".join([f"<{name}", *_namespaces(element), *_attributes(element)])
    if element.namespace is Namespace.HTML and element.tag in _VOID:
        return f"{start}/>", ""
    return f"{start}>", f"</{name}>"


def _namespaces(element: Element) -> Iterator[str]:
    """Yield the declarations that an element needs after those around it."""
    space = element.namespace
    around = element.parent
    if isinstance(around, DocumentFragment):
        around = around.parent
    if not isinstance(around, Element) or around.namespace is not space:
        yield f' xmlns="{_NAMESPACES[space]}"'
    if space is not Namespace.HTML and any(name.startswith("xlink:") for name in element.attrs):
        yield f' xmlns:xlink="{_XLINK}"'


def _attributes(element: Element) -> Iterator[str]:
    """Yield the attributes; the parser knows the namespaces, so those the page claims are left."""
    written = set()
    for each, value in element.attrs.items():
        if each == "xmlns" or each.startswith("xmlns:"):
            continue
        is_link = element.namespace is not Namespace.HTML and each.startswith("xlink:")
        if is_link:
            name = "xlink:" + _name(each.removeprefix("xlink:"))
        else:
            name = each if each in _XML_NAMES else _name(each)
        if name not in written:
            written.add(name)
            yield f' {name}="{_value(value)}"'


def _name(name: str) -> str:
    """Return a name that XML takes: what it forbids becomes a low line."""
    legal = _NOT_IN_NAMES.sub("_", name)
    return legal if _MAY_BEGIN.match(legal) else f"_{legal}"


def _value(value: str | list[str] | None) -> str:
    words = " ".join(value) if isinstance(value, list) else value or ""  # a list of classes
    return escape(words).replace("\t", "&#9;").replace("\n", "&#10;")


def _comment(text: str) -> str:
    """Return a comment without two hyphens in a row, and with none at its end."""
    text = re.sub(r"-(?=-|$)", "- ", clean(text))
    return text.replace("\r", "\n")
