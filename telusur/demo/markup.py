"""The small markup the written texts use: one source gives both the HTML and the plain text.

Paragraphs are separated by blank lines. `## ` to `#### ` are headings, `- ` and `1. ` lists,
`> ` quotes, lines that start with `|` tables (the first row is the head), and three backticks
fence code. Inside a line: `**strong**`, `*emphasis*`, `` `code` `` and `[words](link)`.
"""

import re
from collections.abc import Callable, Iterator
from html import escape

Href = Callable[[str], str]

_INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*\s][^*]*)\*"
    r"|\[(?P<words>[^\]]+)\]\((?P<link>[^)]+)\)"
)
_LIST_MARK = re.compile(r"(- |\d+\. )")


def to_html(text: str, href: Href) -> str:
    """Return the text as HTML; `href` turns the link of the source into the one of the page."""
    return "\n".join(_block_html(kind, lines, href) for kind, lines in _blocks(text))


def to_plain(text: str) -> str:
    """Return the words of the text as a reader would copy them, a line per block, item or row."""
    lines: list[str] = []
    for kind, block in _blocks(text):
        if kind == "code":
            lines += block
        elif kind == "table":
            lines += ["\t".join(_inline_plain(cell) for cell in _cells(row)) for row in block]
        else:
            lines += [_inline_plain(line) for line in block]
    return "\n".join(lines)


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each block as its kind and its lines without their marks."""
    for fenced, part in enumerate(re.split(r"^```\n?", text, flags=re.MULTILINE)):
        if fenced % 2:
            yield "code", part.rstrip("\n").split("\n")
            continue
        for chunk in re.split(r"\n\s*\n", part):
            if chunk.strip():
                yield _block(chunk.strip().split("\n"))


def _block(lines: list[str]) -> tuple[str, list[str]]:
    first = lines[0]
    if heading := re.match(r"(#{2,4}) ", first):
        return f"h{len(heading[1])}", [first[heading.end() :]]
    if first.startswith("|"):
        return "table", [row for row in lines if not set(row) <= set("|- ")]
    if first.startswith("> "):
        return "quote", [" ".join(line.removeprefix("> ") for line in lines)]
    if mark := _LIST_MARK.match(first):
        return ("ul" if mark[0] == "- " else "ol"), _items(lines)
    return "p", [" ".join(lines)]


def _items(lines: list[str]) -> list[str]:
    items: list[str] = []
    for line in lines:
        if mark := _LIST_MARK.match(line):
            items.append(line[mark.end() :])
        else:
            items[-1] += " " + line.strip()
    return items


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _block_html(kind: str, lines: list[str], href: Href) -> str:
    if kind == "code":
        return "<pre><code>" + escape("\n".join(lines)) + "</code></pre>"
    if kind == "table":
        return _table_html(lines, href)
    if kind == "quote":
        return f"<blockquote><p>{_inline_html(lines[0], href)}</p></blockquote>"
    if kind in ("ul", "ol"):
        items = "\n".join(f"<li>{_inline_html(line, href)}</li>" for line in lines)
        return f"<{kind}>\n{items}\n</{kind}>"
    return f"<{kind}>{_inline_html(lines[0], href)}</{kind}>"


def _table_html(rows: list[str], href: Href) -> str:
    html = []
    for number, row in enumerate(rows):
        tag = "td" if number else "th"
        cells = " ".join(f"<{tag}>{_inline_html(cell, href)}</{tag}>" for cell in _cells(row))
        html.append(f"<tr>{cells}</tr>")
    return "<table>\n" + "\n".join(html) + "\n</table>"


def _inline_html(line: str, href: Href) -> str:
    parts, end = [], 0
    for match in _INLINE.finditer(line):
        parts.append(escape(line[end : match.start()], quote=False))
        parts.append(_span_html(match, href))
        end = match.end()
    return "".join(parts) + escape(line[end:], quote=False)


def _span_html(match: re.Match[str], href: Href) -> str:
    if match["words"]:
        return f'<a href="{escape(href(match["link"]))}">{escape(match["words"], quote=False)}</a>'
    tag = match.lastgroup
    return f"<{tag}>{escape(match[match.lastgroup or 0], quote=False)}</{tag}>"


def _inline_plain(line: str) -> str:
    return _INLINE.sub(
        lambda match: match["code"] or match["strong"] or match["em"] or match["words"], line
    )
