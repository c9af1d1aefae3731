"""A structure as Markdown: CommonMark with the tables, footnotes and formulas of GitHub.

turbohtml turns the markup of the structure into Markdown. What Markdown has no sign for is left out
of that markup: a token holds its place.
"""

import re
from dataclasses import replace

import turbohtml
from turbohtml import Element, Markdown

from telusur.extract.page.formulas import is_display
from telusur.extract.page.runs import EMPHASIS, STRONG
from telusur.extract.writing.escaping import clean, escape
from telusur.extract.writing.markup import MarkupStyle, image_element, markup_of
from telusur.extract.writing.mathml import tex_from
from telusur.extract.writing.structure import Leaf, LineGroup

_MARKDOWN = Markdown(
    document=Markdown.Document(line_break="backslash"),
    tables=Markdown.Tables(cell_blocks="text", header="detect"),
)
_CAPTION = re.compile(r"<table>\n<caption>([^\n]*)</caption>")
# Formulas as they are typed into a page whose script draws them.
_TYPED = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]|\$\$(.+?)\$\$")
_LONGEST_TYPED = 5_000
_FURTHER_ROW = re.compile(r"\n(?=[^\n])")
# A pipe in a formula would end the cell of a table.
_PIPE = re.compile(r"(\\?)\|")
# A character that no text of ours contains stands around the number of a token.
_TOKEN = re.compile("\ufffe(\\d+)\ufffe")


def markdown_of(body: LineGroup) -> str:
    """Return a structure as Markdown; footnotes stand at its end."""
    notes: list[LineGroup] = []
    prepared = _prepare(body, notes)
    writer = _Writer(body)
    written = [writer.write(note) for note in notes]
    rows = [
        f"[^{note.note}]: {_FURTHER_ROW.sub(chr(10) + ' ' * 4, text)}"
        for note, text in zip(notes, written, strict=True)
    ]
    return "\n\n".join(filter(None, [writer.write(prepared), *rows]))


def markdown_of_line(text: str, tag: str = "p") -> str:
    """Return a text as one line of Markdown: a paragraph, or a heading."""
    line = " ".join(text.split())
    return turbohtml.parse(f"<{tag}>{escape(line)}</{tag}>").to_markdown(_MARKDOWN)


class _Writer:
    """Writes parts of one body; remembers what the tokens in them stand for."""

    def __init__(self, body: LineGroup) -> None:
        self._tokens: list[str] = []
        self._numbers: dict[str, int] = {}
        runs = [run for leaf in body.leaves() for run in leaf.runs]
        self._has_formulas = any(run.formula or _typed_in(run.text) for run in runs)
        self._style = MarkupStyle(image_element, self._formula, self._mark, self._text, self._sign)

    def write(self, body: LineGroup) -> str:
        """Return a body as Markdown."""
        markup = _CAPTION.sub(r"<p>\1</p>\n<table>", markup_of(body, self._style))
        found = turbohtml.parse(f"<body>{markup}</body>").to_markdown(_MARKDOWN)
        return _TOKEN.sub(lambda token: self._tokens[int(token[1])], found)

    def _token(self, text: str) -> str:
        number = self._numbers.setdefault(text, len(self._tokens))
        if number == len(self._tokens):
            self._tokens.append(text)
        return f"\ufffe{number}\ufffe"

    def _formula(self, formula: Element) -> str:
        return self._tex(tex_from(formula), in_own_row=is_display(formula))

    def _tex(self, tex: str, *, in_own_row: bool) -> str:
        sign = "$$" if in_own_row else "$"
        tex = _PIPE.sub(lambda pipe: r"\Vert " if pipe[1] else r"\vert ", clean(tex))
        # A reader without formulas must not see a tag or a link in it.
        tex = tex.replace("<", r"\lt ").replace(">", r"\gt ").replace("](", "] (")
        tex = " ".join(tex.split())
        return self._token(f"{sign}{tex}{sign}") if tex else ""

    def _mark(self, mark: str) -> str:
        return self._token(f"[^{mark}]")

    def _sign(self, sign: str) -> str:
        """Return the start or end of an element that Markdown takes over from HTML."""
        return self._token(sign)

    def _text(self, text: str) -> str:
        if not self._has_formulas:
            return escape(text)
        out, at = [], 0
        for found in _TYPED.finditer(text) if _typed_in(text) else ():
            out.append(self._words(text[at : found.start()]))
            tex = (found[1] or found[2] or found[3]).strip()
            out.append(self._tex(tex, in_own_row=found[1] is None))
            at = found.end()
        return "".join([*out, self._words(text[at:])])

    def _words(self, text: str) -> str:
        """Return text beside formulas, where a dollar sign must not begin one."""
        return escape(text).replace("$", self._token(r"\$")) if "$" in text else escape(text)


def _typed_in(text: str) -> bool:
    return len(text) <= _LONGEST_TYPED and _TYPED.search(text) is not None


def _prepare(body: LineGroup, notes: list[LineGroup]) -> LineGroup:
    """Return a structure of what Markdown has, the same parts in other groups; collect notes."""
    parts: list[LineGroup | Leaf] = []
    for part in body.parts:
        if isinstance(part, Leaf):
            if part.note:
                notes.append(LineGroup("body", [replace(part, note="")], note=part.note))
            else:
                parts.append(part)
        elif part.kind in ("ol", "ul"):
            parts += _without_notes(part, notes)
        elif part.kind == "figure":
            inner = _prepare(part, notes)
            inner.parts = [_marked(each, EMPHASIS, "figcaption") for each in inner.parts]
            parts.append(inner)
        elif part.kind == "dl":
            parts += _defined(part, notes)
        elif part.kind == "table":
            parts.append(_flat(part))
        else:
            parts.append(_prepare(part, notes))
    return replace(body, parts=parts)


def _without_notes(group: LineGroup, notes: list[LineGroup]) -> list[LineGroup | Leaf]:
    """Return a list without the items that are footnotes, in pieces between them."""
    out: list[LineGroup | Leaf] = []
    for item in group.groups():
        inner = _prepare(item, notes)
        if item.note:
            notes.append(replace(inner, kind="body"))
        elif out and isinstance(out[-1], LineGroup) and out[-1].kind == group.kind:
            out[-1].parts.append(inner)
        else:
            out.append(replace(group, parts=[inner]))
    return out


def _defined(group: LineGroup, notes: list[LineGroup]) -> list[LineGroup | Leaf]:
    """Return a list of definitions as terms in bold, each with a list of what they mean."""
    out: list[LineGroup | Leaf] = []
    for part in group.groups():
        inner = _prepare(part, notes)
        if part.kind == "dt":
            out += [_marked(each, STRONG, "p") for each in inner.parts]
        elif out and isinstance(out[-1], LineGroup) and out[-1].kind == "ul":
            out[-1].parts.append(replace(inner, kind="li"))
        else:
            out.append(LineGroup("ul", [replace(inner, kind="li")]))
    return out


def _marked(part: LineGroup | Leaf, mark: int, kind: str) -> LineGroup | Leaf:
    """Return a term or a caption with a mark on all of its words."""
    if isinstance(part, LineGroup) or part.kind != kind:
        return part
    runs = [
        run._replace(marks=run.marks | mark) if not (run.target or run.formula) else run
        for run in part.runs
    ]
    return replace(part, runs=runs)


def _flat(table: LineGroup) -> LineGroup:
    """Return a table without cells that cover several places, and with a row of headings."""
    rows = []
    for row in table.groups():
        cells = [replace(cell, columns=1, rows=1) for cell in row.groups()]
        rows.append(replace(row, parts=list[LineGroup | Leaf](cells)))
    captions = [part for part in table.parts if isinstance(part, Leaf)]
    is_marked = any(cell.kind == "th" for row in rows for cell in row.groups())
    if rows and not is_marked:  # old pages do not say which row has the headings: it is the first
        for cell in rows[0].groups():
            cell.kind = "th"
    return replace(table, parts=[*captions, *rows])
