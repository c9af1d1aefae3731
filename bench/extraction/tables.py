"""A table of figures, as text for a terminal and as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass

Cell = str | int | float | None


@dataclass(slots=True, frozen=True)
class Table:
    """Rows under heads; the first column is text. Floats are shown as shares of one."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def as_text(self) -> str:
        """Return the table in aligned columns."""
        shown = [self.heads, *(list(map(_shown, row)) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if at else cell.ljust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in shown
        ]
        lines.insert(1, "-" * len(lines[0]))
        return "\n".join([self.title, *(line.rstrip() for line in lines)])

    def as_markdown(self) -> str:
        """Return the table as Markdown, below its title."""
        lines = [self.heads, ["---", *["---:"] * (len(self.heads) - 1)]]
        lines += [list(map(_shown, row)) for row in self.rows]
        return "\n".join([f"{self.title}\n", *(f"| {' | '.join(line)} |" for line in lines)])


def mean(values: Sequence[float | None]) -> float | None:
    """Return the mean of those that are known."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _shown(cell: Cell) -> str:
    if isinstance(cell, float):
        sign = "-" if cell < 0 else ""
        return sign + f"{abs(cell):.3f}".removeprefix("0")
    return "-" if cell is None else str(cell)
