"""What is declared about each field of a document; `models.Document` is the table of all of them.

A row of the table says what a field means and where it goes. The catalogue, the index, the query
language, facets, hits, `telusur export`, the JSON of the workbench and docs/fields.md are made from
it.
"""

from collections.abc import Iterable
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from types import NoneType
from typing import Any, get_args, get_origin


@dataclass(slots=True, frozen=True)
class Facet:
    """A way to count hits by the values of a field, and to narrow a search to one of them."""

    #: What `telusur search --facets` and `/search.json?facets=` call it.
    name: str
    #: The word of a query that narrows to a value: `lang` for `lang:en`.
    word: str = ""
    #: The heading on the search page; a facet without one is not shown there.
    heading: str = ""
    #: The search page shows a facet with at least this many values.
    least_values: int = 2
    #: The values are searched by their words; otherwise the whole value must match, in lower case.
    is_text: bool = False
    #: For a date, stored as a number: the width of one step, 10,000 for a year, 100 for a month.
    step: int = 0
    #: The first format of the index that has the facet.
    since: int = 4


@dataclass(slots=True, frozen=True)
class DocumentField:
    """One field of a document: its type, its meaning, and where it goes."""

    name: str
    type: Any
    default: Any
    help: str
    #: The first format of the collection whose catalogue stores it; 0: it is not stored.
    since: int = 0
    #: How the catalogue stores a value that is neither number nor text: "json" or "headings".
    encoding: str = ""
    #: Keep the stored value when this field of the new document is None.
    stays_with: str = ""
    #: False: it does not come from the page, so extracting the page again leaves it as it is.
    is_extracted: bool = True
    #: The place in the index that holds its words, and how much a word counts there.
    place: str = ""
    weight: int = 1
    facets: tuple[Facet, ...] = ()
    #: Words of a query that ask for this field besides those of its facets: `title:`, `before:`.
    words: tuple[str, ...] = ()
    #: The first format of the index whose hits have it; 0: hits do not have it.
    hits_since: int = 0
    #: Lists of hits show it beside the title; otherwise only the JSON of hits has it.
    is_tag: bool = True
    #: Its name on the page view of the workbench; empty: it is not listed there.
    label: str = ""

    @property
    def is_stored(self) -> bool:
        """Tell whether the catalogue has a column for it."""
        return self.since > 0

    @property
    def is_indexed(self) -> bool:
        """Tell whether the index needs it."""
        return bool(self.place or self.facets or self.hits_since)

    @property
    def is_metadata(self) -> bool:
        """Tell whether it describes the page in one value, as its title and its language do."""
        is_one_value = self.plain_type in (str, int, float, bool)
        return is_one_value and self.place not in ("url", "body")

    @property
    def is_text(self) -> bool:
        """Tell whether its value is text, perhaps None."""
        return self.type in (str, str | None)

    @property
    def is_optional(self) -> bool:
        """Tell whether its value may be None."""
        return NoneType in get_args(self.type)

    @property
    def plain_type(self) -> Any:
        """Return the type of a value that is not None: `str`, `int`, `list` ..."""
        kinds = [kind for kind in get_args(self.type) if kind is not NoneType]
        kind = kinds[0] if self.is_optional else self.type
        return get_origin(kind) or kind

    @property
    def short_name(self) -> str:
        """Return the name used in a query: `type` for `page_type`."""
        return next((facet.name for facet in self.facets if not facet.step), self.name)


#: The site of a page: the catalogue knows it from the URL, so no document has it.
SITE = DocumentField(
    "site", str, "", "The site the page belongs to: its registered domain.", since=1,
    facets=(Facet("site", "site", "Site"),),
)  # fmt: skip

#: Facts about the fetch of a page and its URL: name, type, meaning. `telusur export` writes them
#: beside the fields of the document.
PAGE_FIELDS = (
    ("url", "text", "The address of the page."),
    ("status", "whole number or null", "The HTTP status; null when there was no response."),
    ("state", "text", "done, failed or skipped."),
    ("reason", "text", "Why it is in that state."),
    ("depth", "whole number", "How many links away from a start URL it is."),
    ("parent", "text or null", "The page it was found on; null for a start URL."),
    ("fetched_at", "time", "When it was last fetched."),
    ("download_seconds", "number", "How long the download took."),
    ("content_type", "text", "The media type that the server gave."),
    ("size_bytes", "whole number", "The size of the page, decompressed."),
    ("crawl_id", "whole number or null", "The number of the crawl that last fetched it, from 1."),
)


def document_field(default: Any, help: str, **more: Any) -> Any:
    """Declare one field: its default, its meaning, and other attributes of `DocumentField`."""
    return field(default=default, metadata=about_field(help, **more))


def about_field(help: str, **more: Any) -> dict[str, Any]:
    """Return the declaration of a field, for use with a `default_factory`."""
    return {"help": help, **more}


def read_fields(table: type) -> tuple[DocumentField, ...]:
    """Return the rows of a table, in their order."""
    return tuple(
        DocumentField(
            row.name,
            row.type,
            row.default if row.default_factory is MISSING else row.default_factory(),
            **row.metadata,
        )
        for row in fields(table)
    )


def with_fields(
    name: str, rows: Iterable[DocumentField], base: type = object, *, frozen: bool = False
) -> Any:
    """Return a dataclass with these rows of a table as fields, added to those of a base."""
    return make_dataclass(
        name,
        [(row.name, row.type, field(default=row.default, kw_only=True)) for row in rows],
        bases=(base,),
        frozen=frozen,
        slots=True,
    )


def facets_of(table: Iterable[DocumentField]) -> dict[str, tuple[DocumentField, Facet]]:
    """Return all facets by name, each with its field; facets of dates come last."""
    found = [(row, facet) for row in (SITE, *table) for facet in row.facets]
    return {facet.name: (row, facet) for row, facet in sorted(found, key=_order)}


def _order(found: tuple[DocumentField, Facet]) -> tuple[bool, int]:
    step = found[1].step
    return step > 0, -step


def as_json(value: Any) -> Any:
    """Return the value of a field for JSON: records in a list become objects."""
    if not isinstance(value, list):
        return value
    return [item._asdict() if hasattr(item, "_asdict") else item for item in value]
