"""What a content is made of: groups (lists, tables, quotes, figures) and the lines in them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from telusur.extract.page.runs import TextRun

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(slots=True, eq=False)
class Leaf:
    """A paragraph (`p`), heading, caption or `pre`, and the runs of text in it."""

    kind: str
    runs: list[TextRun]
    # For a `pre`: the programming language, if the page names it.
    language: str = ""
    # The ids of the elements on the page that it was made of.
    names: list[str] = field(default_factory=list)
    # If it is a footnote: its mark.
    note: str = ""

    @property
    def text(self) -> str:
        """Return the text of it."""
        return "".join([run.text for run in self.runs if not run.image])


@dataclass(slots=True, eq=False)
class LineGroup:
    """The body, a list, item, quote, figure, table, row or cell, and the parts in it."""

    kind: str
    parts: list["LineGroup | Leaf"] = field(default_factory=list)
    # For a cell: its column, counted from 0, and how many columns and rows it covers.
    column: int = 0
    columns: int = 1
    rows: int = 1
    # For a row its number in the table, for the item of an ordered list its number there.
    number: int = 0
    # If an item is a footnote: its mark.
    note: str = ""

    def leaves(self) -> Iterator[Leaf]:
        """Walk over the paragraphs and headings in reading order."""
        for part in self.parts:
            if isinstance(part, Leaf):
                yield part
            else:
                yield from part.leaves()

    def groups(self) -> list["LineGroup"]:
        """Return the groups directly in it: the items of a list, the rows of a table."""
        return [part for part in self.parts if isinstance(part, LineGroup)]
