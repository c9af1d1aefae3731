"""Tables: where a cell stands, and which tables only place things."""

from dataclasses import dataclass, field

from telusur.extract.writing.structure import HEADINGS, Leaf, LineGroup

MAX_SPAN = 20


@dataclass(slots=True)
class Grid:
    """The cells of a table met so far, as far as they reach into the next rows."""

    row: int = -1
    is_head: bool = False
    _width: int = 0
    # For each column: how many rows it is taken for.
    _taken: dict[int, int] = field(default_factory=dict)

    def begin_row(self) -> int:
        """Begin a row and return its number, from 0."""
        self.row += 1
        self._width = 0
        self._taken = {column: left - 1 for column, left in self._taken.items() if left > 1}
        return self.row

    def place(self, columns: int, rows: int) -> int:
        """Return the column of the next cell, which covers so many columns and rows."""
        column = self._width
        while column in self._taken:
            column += 1
        self._width = column + columns
        if rows > 1:
            self._taken |= dict.fromkeys(range(column, self._width), rows)
        return column


def span(written: str | None) -> int:
    """Return how many columns or rows a cell covers."""
    written = written or "1"
    is_number = written.isascii() and written.isdecimal() and len(written) < 5
    return min(max(1, int(written)), MAX_SPAN) if is_number else 1


def take_layout_apart(group: LineGroup) -> None:
    """Replace a layout table by the contents of its cells."""
    parts: list[LineGroup | Leaf] = []
    for part in group.parts:
        is_layout = isinstance(part, LineGroup) and part.kind == "table" and _is_layout(part)
        if isinstance(part, LineGroup):
            take_layout_apart(part)
        parts += _contents(part) if is_layout else [part]
    group.parts = parts


def _is_layout(table: LineGroup) -> bool:
    """Tell whether a table has a single column, or parts that no data cell has."""
    rows = [row.groups() for row in table.groups()]
    if max(map(len, rows), default=0) < 2:
        return True
    return any(_is_no_cell(part) for row in rows for cell in row for part in cell.parts)


def _is_no_cell(part: LineGroup | Leaf) -> bool:
    return part.kind in ("table", "blockquote", "pre", *HEADINGS)


def _contents(table: LineGroup | Leaf) -> list[LineGroup | Leaf]:
    assert isinstance(table, LineGroup)
    captions: list[LineGroup | Leaf] = [
        Leaf("p", part.runs, names=part.names) for part in table.parts if isinstance(part, Leaf)
    ]
    cells = [cell for row in table.groups() for cell in row.groups()]
    return captions + [part for cell in cells for part in cell.parts]
