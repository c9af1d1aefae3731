"""The parts of a page: forms, tables, scripts, images, lists, styles, and all its metadata.

One walk over the tree, however deeply nested: each text goes to its innermost cell and its
innermost item, so that the parts together are no larger than the page.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from turbohtml import Document as Tree
from turbohtml import Element, Text

from telusur.document_table import METADATA_FIELDS
from telusur.extract.document import extract_document
from telusur.extract.facts.json_text import parse_json
from telusur.extract.page.decode import clean_text, decode_html
from telusur.extract.page.dom import MAX_NODES, TagIndex, cut_page, parse_html
from telusur.extract.page.links import find_base
from telusur.extract.page.resolve import resolve_url
from telusur.extract.writing.part_records import (
    Field,
    Form,
    Image,
    ItemList,
    PageParts,
    Script,
    Statements,
    Style,
    Table,
)

MOST_OF_A_KIND = 5000
MOST_STRUCTURED = 50
_MOST_JSON = 500_000
_LISTS = ("ul", "ol", "dl", "menu")
_ITEMS = ("li", "dt", "dd")
_CELLS = ("td", "th")
_FIELDS = ("input", "select", "textarea", "button")


def read_parts(
    html: bytes | str, url: str = "", *, content_type: str = "", with_metadata: bool = True
) -> PageParts:
    """Return the parts of a page; never raises, whatever the bytes.

    Without metadata, which take the most time, `metadata` has only what the walk finds: `meta` and
    `structured`.
    """
    text = clean_text(html) if isinstance(html, str) else decode_html(html, content_type)[0]
    tree = parse_html(cut_page(text))
    parts = PageParts(url, _read_statements(text, url) if with_metadata else Statements())
    _Reader(parts, find_base(TagIndex(tree), url)).read(tree)
    return parts


def read_images(html: bytes | str, url: str = "", *, content_type: str = "") -> list[Image]:
    """Return only the images of a page, in a fraction of the time of all parts."""
    text = clean_text(html) if isinstance(html, str) else decode_html(html, content_type)[0]
    lowered = text.lower()
    if "<img" not in lowered:
        return []
    tree = parse_html(cut_page(text))
    parts = PageParts(url)
    reader = _Reader(parts, find_base(TagIndex(tree), url) if "<base" in lowered else url)
    for node in islice(tree.descendants, MAX_NODES):
        if isinstance(node, Element) and node.tag == "img":
            reader.add_image(node)
    return parts.images


def _read_statements(text: str, url: str) -> Statements:
    document = extract_document(text, url)
    return Statements(**{row.name: getattr(document, row.name) for row in METADATA_FIELDS})


@dataclass(slots=True, frozen=True)
class _Place:
    """The context of an element: the innermost sink of each kind; lists of pieces become texts."""

    form: Form | None = None
    table: Table | None = None
    list: ItemList | None = None
    # By kind (cell, item, caption, field, code): where a text goes.
    sinks: tuple[tuple[str, Any], ...] = ()

    def into(self, kind: str, sink: Any) -> "_Place":
        """Return the place within a new sink, which replaces the outer one of its kind."""
        others = tuple(pair for pair in self.sinks if pair[0] != kind)
        return replace(self, sinks=(*others, (kind, sink)))

    def without(self, *kinds: str) -> "_Place":
        """Return the place outside of sinks of these kinds."""
        return replace(self, sinks=tuple(pair for pair in self.sinks if pair[0] not in kinds))


_OUTSIDE = _Place()


class _Reader:
    def __init__(self, parts: PageParts, base: str) -> None:
        self._parts = parts
        self._base = base
        self._open_form: tuple[Element, Form] | None = None
        self._finish: list[Callable[[], None]] = []

    def read(self, tree: Tree) -> None:
        """Walk down the tree once, then put the collected texts where they belong."""
        places: dict[Any, _Place] = {}
        for node in islice(tree.descendants, MAX_NODES):
            place = places.get(node.parent, _OUTSIDE)
            if isinstance(node, Text):
                for _, sink in place.sinks:
                    sink.append(node.data)
            elif isinstance(node, Element):
                places[node] = self._enter(node, place)
            else:
                places[node] = place
        for finish in self._finish:
            finish()

    def _enter(self, element: Element, place: _Place) -> _Place:
        tag = element.tag
        if tag == "form":
            return self._enter_form(element, place)
        if tag in _FIELDS:
            return self._enter_field(element, place, tag)
        if tag == "option":
            return self._collect(place, "option", self._add_option(place))
        if tag in ("table", "caption", "tr", *_CELLS):
            return self._enter_table(tag, place)
        if tag in _LISTS or tag in _ITEMS:
            return self._enter_list(tag, place)
        if tag in ("script", "style"):
            return self._enter_code(element, tag)
        if tag == "img":
            self.add_image(element)
        elif tag == "link":
            self._add_sheet(element)
        elif tag == "meta":
            self._add_meta(element)
        return place

    def _collect(self, place: _Place, kind: str, done: Callable[[str], None]) -> _Place:
        """Return a place where texts gather; `done` gets them joined when the walk is over."""
        pieces: list[str] = []
        self._finish.append(lambda: done("".join(pieces)))
        return place.into(kind, pieces)

    def _enter_form(self, element: Element, place: _Place) -> _Place:
        action = self._address(element.attr("action") or "") or self._base
        method = (element.attr("method") or "get").strip().lower()
        form = Form(action, method, element.attr("name") or element.attr("id") or "")
        self._add(self._parts.forms, form)
        self._open_form = (element, form)
        return replace(place, form=form)

    def _enter_field(self, element: Element, place: _Place, tag: str) -> _Place:
        kind = (element.attr("type") or "").lower() or {"input": "text", "button": "submit"}.get(
            tag, tag
        )
        found = Field(element.attr("name") or "", kind, element.attr("value") or "")
        found.is_required = "required" in element.attrs
        form = place.form or self._form_torn_apart()
        if form is not None:
            self._add(form.fields, found)
        if tag in ("select", "textarea"):  # its options or value are not text of a cell
            place = _Place(place.form)
        if tag == "select":
            return place.into("select", _Options(found))
        if tag in ("textarea", "button") and not found.value:
            return self._collect(place, "field", lambda text: _set(found, "value", _plain(text)))
        return place

    def _form_torn_apart(self) -> Form | None:
        """Return the form before an element, when the parser had to close it at once.

        A form between the rows of a table is such; its fields follow it.
        """
        if self._open_form is None or next(iter(self._open_form[0].children), None) is not None:
            return None
        return self._open_form[1]

    def _add_option(self, place: _Place) -> Callable[[str], None]:
        options = next((sink for kind, sink in place.sinks if kind == "select"), None)

        def done(text: str) -> None:
            if options is not None:
                self._add(options.field.options, _plain(text))

        return done

    def _enter_table(self, tag: str, place: _Place) -> _Place:
        if tag == "table":
            table = Table()
            self._add(self._parts.tables, table)
            return replace(place.without("cell"), table=table)
        table_of_it = place.table
        if table_of_it is None:
            return place
        if tag == "tr":
            self._add(table_of_it.rows, [])
            return place
        if tag == "caption":
            return self._collect(
                place, "cell", lambda text: _set(table_of_it, "caption", _plain(text))
            )
        row = table_of_it.rows[-1] if table_of_it.rows else None
        if row is None or len(row) >= MOST_OF_A_KIND:
            return place
        at = len(row)
        row.append("")
        return self._collect(place, "cell", lambda text: row.__setitem__(at, _plain(text)))

    def _enter_list(self, tag: str, place: _Place) -> _Place:
        if tag in _LISTS:
            items = ItemList(tag)
            self._add(self._parts.lists, items)
            return replace(place.without("item"), list=items)
        if place.list is None or len(place.list.items) >= MOST_OF_A_KIND:
            return place
        texts = place.list.items
        at = len(texts)
        texts.append("")
        return self._collect(place, "item", lambda text: texts.__setitem__(at, _plain(text)))

    def _enter_code(self, element: Element, tag: str) -> _Place:
        """Record a script or style; its contents are not text of the page."""
        if tag == "style":
            style = Style(None, element.attr("media") or "")
            self._add(self._parts.styles, style)
            return self._collect(_OUTSIDE, "code", lambda text: _set(style, "length", len(text)))
        src = element.attr("src")
        kind = (element.attr("type") or "").strip().lower()
        said = self._parts.metadata.structured
        script = Script(self._address(src) if src else None, kind)
        self._add(self._parts.scripts, script)

        def done(text: str) -> None:
            script.length = len(text)
            if "ld+json" in kind and len(said) < MOST_STRUCTURED:
                said.extend(_parse_json(text))

        return self._collect(_OUTSIDE, "code", done)

    def add_image(self, element: Element) -> None:
        src = element.attr("src") or element.attr("data-src") or ""
        sizes = (element.attr("width") or "", element.attr("height") or "")
        self._add(
            self._parts.images,
            Image(self._address(src), _plain(element.attr("alt") or ""), *sizes),
        )

    def _add_sheet(self, element: Element) -> None:
        relations = (element.attr("rel") or "").lower().split()
        if "stylesheet" in relations:
            address = self._address(element.attr("href") or "")
            self._add(self._parts.styles, Style(address, element.attr("media") or ""))

    def _add_meta(self, element: Element) -> None:
        names = ("property", "name", "itemprop", "http-equiv")
        name = next(filter(None, map(element.attr, names)), "").strip().lower()
        meta = self._parts.metadata.meta
        if name and (name in meta or len(meta) < MOST_OF_A_KIND):
            self._add(meta.setdefault(name, []), element.attr("content") or "")

    def _address(self, reference: str) -> str | None:
        if reference.startswith("data:"):
            return reference.partition(",")[0]  # only its type; the file itself is part of the page
        return (resolve_url(self._base, reference) or reference) if reference else None

    @staticmethod
    def _add(found: list[Any], item: Any) -> None:
        if len(found) < MOST_OF_A_KIND:
            found.append(item)


@dataclass(slots=True)
class _Options:
    """The sink of a select element: ignores text outside its options."""

    field: Field

    def append(self, text: str) -> None:
        """Ignore the text."""


def _plain(text: str) -> str:
    return " ".join(text.split())


def _set(target: Any, name: str, value: Any) -> None:
    setattr(target, name, value)


def _parse_json(text: str) -> list[Any]:
    value = None if len(text) > _MOST_JSON else parse_json(text)
    return [] if value is None else [value]
