"""The records of page parts: forms and their fields, tables, scripts, images, lists, styles."""

from dataclasses import dataclass, field
from typing import Any

from telusur.document_table import METADATA_FIELDS
from telusur.documents import with_fields
from telusur.models import Link

# Any: a type checker cannot know which fields the table declares.
MetadataFields: Any = with_fields("MetadataFields", METADATA_FIELDS)


@dataclass(slots=True)
class Statements(MetadataFields):  # type: ignore[misc]
    """The metadata of a page: the fields of `Document` that are one value, and what else it says.

    `meta` has every meta element by its lower-case name.
    """

    meta: dict[str, list[str]] = field(default_factory=dict)
    # The JSON-LD items.
    structured: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Field:
    """A form field or button; `kind` is text, checkbox, select, textarea, submit ..."""

    name: str
    kind: str
    value: str = ""
    options: list[str] = field(default_factory=list)
    is_required: bool = False


@dataclass(slots=True)
class Form:
    """A form: its target, method and fields."""

    action: str
    method: str = "get"
    name: str = ""
    fields: list[Field] = field(default_factory=list)


@dataclass(slots=True)
class Table:
    """A table as rows of text; a table within a cell is separate."""

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
    """An image; width and height as declared by the page, or empty."""

    src: str | None
    alt: str = ""
    width: str = ""
    height: str = ""


@dataclass(slots=True)
class ItemList:
    """A list; `kind` is ul, ol, dl or menu. A list within an item is separate."""

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
    """All parts of a page besides its text and links."""

    url: str = ""
    metadata: Statements = field(default_factory=Statements)
    forms: list[Form] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    scripts: list[Script] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    lists: list[ItemList] = field(default_factory=list)
    styles: list[Style] = field(default_factory=list)


#: The parts of a page, by their names in `telusur export --parts`.
PART_TYPES: dict[str, type] = {
    "forms": Form,
    "tables": Table,
    "scripts": Script,
    "links": Link,
    "images": Image,
    "lists": ItemList,
    "styles": Style,
}
