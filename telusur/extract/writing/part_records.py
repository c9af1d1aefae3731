"""What the parts of a page are: forms and their fields, tables, scripts, images, lists, styles."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Statements:
    """What a page says about itself; `meta` has every meta element by its lower-case name."""

    title: str = ""
    author: str | None = None
    date: str | None = None
    description: str = ""
    keywords: str = ""
    canonical: str | None = None
    language: str = ""
    html5: bool = False
    page_type: str = ""
    """As the extractor saw it: article, forum, product ...; empty if unknown."""
    meta: dict[str, list[str]] = field(default_factory=dict)
    structured: list[Any] = field(default_factory=list)
    """What is said in JSON-LD."""


@dataclass(slots=True)
class Field:
    """Something to fill in or to press; `kind` is text, checkbox, select, textarea, submit ..."""

    name: str
    kind: str
    value: str = ""
    options: list[str] = field(default_factory=list)
    is_required: bool = False


@dataclass(slots=True)
class Form:
    """A form: where it is sent to, how, and what it asks for."""

    action: str
    method: str = "get"
    name: str = ""
    fields: list[Field] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A table as rows of text; a table within a cell is one of its own."""

    caption: str = ""
    rows: list[list[str]] = field(default_factory=list)


@dataclass(slots=True)
class Script:
    """A script: its address, or the length of its text."""

    src: str | None
    kind: str = ""
    length: int = 0


@dataclass(slots=True)
class Image:
    """A picture; width and height as the page states them, or empty."""

    src: str | None
    alt: str = ""
    width: str = ""
    height: str = ""


@dataclass(slots=True)
class ItemList:
    """A list; `kind` is ul, ol, dl or menu. A list within an item is one of its own."""

    kind: str
    items: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Style:
    """A style sheet: its address, or the length of its text."""

    src: str | None
    media: str = ""
    length: int = 0


@dataclass(slots=True)
class PageParts:
    """Everything a page is made of besides its text and its links."""

    url: str = ""
    metadata: Statements = field(default_factory=Statements)
    forms: list[Form] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    scripts: list[Script] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    lists: list[ItemList] = field(default_factory=list)
    styles: list[Style] = field(default_factory=list)
