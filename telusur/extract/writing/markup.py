"""A structure as markup that is XML and HTML at once."""

import posixpath
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from turbohtml import Element

from telusur.extract.page.runs import CODE, DELETED, EMPHASIS, LOWER, STRONG, UPPER, TextRun
from telusur.extract.writing.escaping import escape
from telusur.extract.writing.mathml import mathml_of
from telusur.extract.writing.structure import Leaf, LineGroup

_ROWS = frozenset(("ul", "ol", "dl", "blockquote", "figure"))
# Elements that need no paragraph around a single line.
_BARE = frozenset(("li", "td", "th", "dt", "dd"))
_MARKS = (
    (LOWER, "sub"), (UPPER, "sup"), (STRONG, "strong"), (EMPHASIS, "em"), (DELETED, "del"),
    (CODE, "code"),
)  # fmt: skip

_SMALL = ("sub", "sup")
# Rows are padded to equal length in tables of up to this many cells.
MAX_PLACES = 20_000


@dataclass(slots=True, frozen=True)
class MarkupStyle:
    """How the parts are written that not every format has."""

    image: Callable[[TextRun], str]
    formula: Callable[[Element], str]
    # The mark of a footnote in the text.
    mark: Callable[[str], str]
    text: Callable[[str], str] = escape
    # The tags of small letters above and below the line.
    sign: Callable[[str], str] = str


def markup_of(body: LineGroup, style: MarkupStyle | None = None) -> str:
    """Return the parts of a body as markup, one line each; it loads nothing: images are links."""
    return "\n".join(_parts(body, style or OFFLINE))


def link_to_image(run: TextRun) -> str:
    """Return a link to an image, named by its alt text."""
    name = run.text or posixpath.basename(unquote(urlsplit(run.image).path)) or run.image
    return f'<a href="{escape(run.image)}">{escape(name)}</a>'


def image_element(run: TextRun) -> str:
    """Return an image as an element."""
    return f'<img src="{escape(run.image)}" alt="{escape(run.text)}"/>'


def _linked_mark(mark: str) -> str:
    return f'<sup><a href="#note-{escape(mark)}">{escape(mark)}</a></sup>'


OFFLINE = MarkupStyle(link_to_image, mathml_of, _linked_mark)
WITH_IMAGES = MarkupStyle(image_element, mathml_of, _linked_mark)


def _parts(group: LineGroup, style: MarkupStyle) -> Iterator[str]:
    is_alone = group.kind in _BARE and sum(isinstance(part, Leaf) for part in group.parts) == 1
    for part in group.parts:
        if isinstance(part, LineGroup):
            yield _group(part, style)
        elif is_alone and part.kind == "p":
            yield _line_of(part.runs, style)
        else:
            yield leaf_markup(part, style)


def _group(group: LineGroup, style: MarkupStyle) -> str:
    if group.kind == "table":
        return _table(group, style)
    between = "\n" if group.kind in _ROWS else ""
    if group.kind == "ol":
        return _ordered(group, style)
    inner = between.join(["", *_parts(group, style), ""])
    note = f' id="note-{escape(group.note)}"' if group.note else ""
    return f"<{group.kind}{note}{_spans(group)}>{inner}</{group.kind}>"


def _ordered(group: LineGroup, style: MarkupStyle) -> str:
    """Return an ordered list whose items keep their numbers."""
    items = group.groups()
    first = items[0].number if items and items[0].number else 1
    out = [f'<ol start="{first}">' if first != 1 else "<ol>"]
    expected = first
    for item in items:
        markup = _group(item, style)
        if item.number and item.number != expected:
            markup = f'<li value="{item.number}"{markup.removeprefix("<li")}'
        expected = (item.number or expected) + 1
        out.append(markup)
    return "\n".join([*out, "</ol>"])


def _spans(cell: LineGroup) -> str:
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return columns + (f' rowspan="{cell.rows}"' if cell.rows > 1 else "")


def _table(table: LineGroup, style: MarkupStyle) -> str:
    """Return a table with rows of equal length; missing cells are left empty."""
    rows = table.groups()
    _fit_spans(rows)
    cells = [row.groups() for row in rows]
    width = max((row[-1].column + row[-1].columns for row in cells if row), default=0)
    is_padded = width * len(rows) <= MAX_PLACES
    out = [leaf_markup(part, style) for part in table.parts if isinstance(part, Leaf)]
    taken: dict[int, int] = {}
    for row in cells:
        out.append(f"<tr>{''.join(_row(row, width if is_padded else 0, taken, style))}</tr>")
    return "\n".join(["<table>", *out, "</table>"])


def _fit_spans(rows: list[LineGroup]) -> None:
    """Shorten cells that reach over rows which are not part of the content."""
    numbers = [row.number for row in rows]
    for at, row in enumerate(rows):
        for cell in row.groups():
            if cell.rows > 1:
                reached = numbers[at : at + cell.rows]
                cell.rows = max(1, sum(number < row.number + cell.rows for number in reached))


def _row(
    cells: list[LineGroup], width: int, taken: dict[int, int], style: MarkupStyle
) -> Iterator[str]:
    """Yield the cells of a row; `taken` are the columns that cells above reach into."""
    here = {column for column, left in taken.items() if left}
    for column in here:
        taken[column] -= 1
    column = 0
    for cell in cells:
        yield from _empty_cells(range(column, min(cell.column, width)), here)
        yield _group(cell, style)
        column = max(column, cell.column) + cell.columns
        if cell.rows > 1:
            taken |= dict.fromkeys(range(cell.column, column), cell.rows - 1)
    yield from _empty_cells(range(column, width), here)


def _empty_cells(columns: range, taken: set[int]) -> list[str]:
    return ["<td></td>" for column in columns if column not in taken]


def leaf_markup(leaf: Leaf, style: MarkupStyle) -> str:
    """Return a paragraph, heading, caption or listing as markup."""
    if leaf.kind == "pre":
        language = f' class="language-{escape(leaf.language)}"' if leaf.language else ""
        return f"<pre><code{language}>{escape(leaf.text)}</code></pre>"
    note = f' id="note-{escape(leaf.note)}"' if leaf.note else ""
    return f"<{leaf.kind}{note}>{_line_of(leaf.runs, style)}</{leaf.kind}>"


def _line_of(runs: list[TextRun], style: MarkupStyle) -> str:
    """Return runs as markup; what neighbours share is opened once."""
    out: list[str] = []
    is_open: list[tuple[str, str]] = []
    for run in runs:
        wanted = _elements_of(run, style)
        same = 0
        while same < len(is_open) and is_open[same : same + 1] == wanted[same : same + 1]:
            same += 1
        out += [_end(tag, style) for tag, _ in reversed(is_open[same:])]
        out += [_start(tag, href, style) for tag, href in wanted[same:]]
        out.append(_run(run, style))
        is_open = wanted
    out += [_end(tag, style) for tag, _ in reversed(is_open)]
    return "".join(out)


def _elements_of(run: TextRun, style: MarkupStyle) -> list[tuple[str, str]]:
    """Return the elements around a run, each with the address of a link."""
    if run.target:
        return []
    has_link = bool(run.href) and not (run.image and style.image is link_to_image)
    around = [("a", run.href)] if has_link else []
    if run.formula is not None or run.image:
        return around
    return around + [(tag, "") for mark, tag in _MARKS if run.marks & mark]


def _run(run: TextRun, style: MarkupStyle) -> str:
    if run.image:
        return style.image(run)
    if run.target:
        return style.mark(run.target)
    if run.formula is not None:
        lead = " " if run.text[:1].isspace() else ""
        trail = " " if run.text[-1:].isspace() else ""
        return f"{lead}{style.formula(run.formula)}{trail}"
    write = escape if run.marks & CODE else style.text
    return write(run.text).replace("\n", "<br/>")


def _start(tag: str, href: str, style: MarkupStyle) -> str:
    if tag in _SMALL:
        return style.sign(f"<{tag}>")
    return f'<{tag} href="{escape(href)}">' if href else f"<{tag}>"


def _end(tag: str, style: MarkupStyle) -> str:
    return style.sign(f"</{tag}>") if tag in _SMALL else f"</{tag}>"
