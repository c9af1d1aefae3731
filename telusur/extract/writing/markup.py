"""A structure as markup that is XML and HTML at once."""

import re
from collections.abc import Iterator

from telusur.extract.page.runs import CODE, EMPHASIS, STRONG, TextRun
from telusur.extract.writing.assemble import Leaf, LineGroup

# Characters that XML 1.0 cannot represent, escaped or not.
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")
_ROWS = frozenset(("ul", "ol", "dl", "blockquote"))
# Elements that need no paragraph around a single line.
_BARE = frozenset(("li", "td", "th", "dt", "dd"))
_MARKS = ((STRONG, "strong"), (EMPHASIS, "em"), (CODE, "code"))

# Rows are padded to equal length in tables of up to this many cells.
MAX_PLACES = 20_000


def clean(text: str) -> str:
    """Return text without characters that XML cannot hold: controls and lone surrogates."""
    return _IMPOSSIBLE.sub("", text)


def escape(text: str) -> str:
    """Return text escaped for markup, between tags or in double quotes."""
    text = clean(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace('"', "&quot;").replace("\r", "&#13;")


def markup_of(body: LineGroup) -> str:
    """Return the parts of a body as markup, one line each."""
    return "\n".join(_parts(body))


def _parts(group: LineGroup) -> Iterator[str]:
    is_alone = group.kind in _BARE and sum(isinstance(part, Leaf) for part in group.parts) == 1
    for part in group.parts:
        if isinstance(part, LineGroup):
            yield _group(part)
        else:
            yield _line_of(part.runs) if is_alone and part.kind == "p" else _leaf(part)


def _group(group: LineGroup) -> str:
    if group.kind == "table":
        return _table(group)
    between = "\n" if group.kind in _ROWS else ""
    inner = between.join(["", *_parts(group), ""])
    return f"<{group.kind}>{inner}</{group.kind}>"


def _table(table: LineGroup) -> str:
    """Return a table with rows of equal length; missing cells are left empty."""
    rows = [row for row in table.parts if isinstance(row, LineGroup)]
    cells = [[cell for cell in row.parts if isinstance(cell, LineGroup)] for row in rows]
    width = max((row[-1].column + 1 for row in cells if row), default=0)
    is_padded = width * len(rows) <= MAX_PLACES
    out = [_leaf(part) for part in table.parts if isinstance(part, Leaf)]
    out += [f"<tr>{''.join(_row(row, width if is_padded else 0))}</tr>" for row in cells]
    return "\n".join(["<table>", *out, "</table>"])


def _row(cells: list[LineGroup], width: int) -> Iterator[str]:
    column = 0
    for cell in cells:
        yield from ["<td></td>"] * (min(cell.column, width) - column)
        yield _group(cell)
        column = max(column, cell.column) + 1
    yield from ["<td></td>"] * (width - column)


def _leaf(leaf: Leaf) -> str:
    if leaf.kind == "pre":
        language = f' class="language-{escape(leaf.language)}"' if leaf.language else ""
        return f"<pre><code{language}>{escape(leaf.text)}</code></pre>"
    line = f"<{leaf.kind}>{_line_of(leaf.runs)}</{leaf.kind}>"
    return f"<figure>{line}</figure>" if leaf.kind == "figcaption" else line


def _line_of(runs: list[TextRun]) -> str:
    """Return runs as markup; what neighbours share is opened once."""
    out: list[str] = []
    is_open: list[tuple[str, str]] = []
    for run in runs:
        wanted = [("a", run.href)] if run.href else []
        wanted += [(tag, "") for mark, tag in _MARKS if run.marks & mark]
        same = 0
        while same < len(is_open) and is_open[same : same + 1] == wanted[same : same + 1]:
            same += 1
        out += [f"</{tag}>" for tag, _ in reversed(is_open[same:])]
        out += [_start(tag, href) for tag, href in wanted[same:]]
        out.append(escape(run.text).replace("\n", "<br/>"))
        is_open = wanted
    out += [f"</{tag}>" for tag, _ in reversed(is_open)]
    return "".join(out)


def _start(tag: str, href: str) -> str:
    return f'<{tag} href="{escape(href)}">' if href else f"<{tag}>"
