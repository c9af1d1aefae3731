"""Code listings: the language that the page names, and line numbers beside the code."""

import re
from itertools import islice

from turbohtml import Element

from telusur.extract.writing.structure import Leaf, LineGroup

_NAME = r"([A-Za-z][A-Za-z0-9+#.-]{0,19})"
_CLASS = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?-|brush:\s*|highlight-source-|highlight-(?!text)|sourceCode\s+|"
    rf"hljs\s+(?!language-)|CodeMirror-){_NAME}(?:[\s;]|$)"
)
_ATTRIBUTES = ("data-lang", "data-language", "data-enlighter-language")
_PLAIN_NAME = re.compile(_NAME)
# Words in such classes that are no language.
_NO_LANGUAGE = frozenset(("default", "none", "plaintext", "text", "plain", "nohighlight", "light"))
_MOST_AROUND = 7
_AROUND = frozenset(("div", "figure", "td", "tr", "tbody", "table", "span"))
_FEWEST_ROWS = 2


def language_of(pre: Element) -> str:
    """Return the programming language of a `pre`, as a class or attribute of it names it."""
    first = next((each for each in pre.children if isinstance(each, Element)), None)
    elements = [first, pre] if first is not None else [pre]
    parent = pre.parent
    for _ in range(_MOST_AROUND):
        if not isinstance(parent, Element) or parent.tag not in _AROUND:
            break
        elements.append(parent)
        parent = parent.parent
    found = (_named(element) for element in elements)
    return next((name for name in found if name), "")


def _named(element: Element) -> str:
    for name in _ATTRIBUTES:
        value = (element.attr(name) or "").strip()
        if _PLAIN_NAME.fullmatch(value) and value.lower() not in _NO_LANGUAGE:
            return value.lower()
    matches = islice(_CLASS.finditer((element.attr("class") or "")[:200]), 5)
    names = (match[1].lower() for match in matches)
    return next((name for name in names if name not in _NO_LANGUAGE), "")


def drop_line_numbers(group: LineGroup) -> None:
    """Drop a `pre` that only counts the rows of the `pre` after it."""
    kept: list[LineGroup | Leaf] = []
    for number, part in enumerate(group.parts):
        after = group.parts[number + 1] if number + 1 < len(group.parts) else None
        if isinstance(part, LineGroup):
            drop_line_numbers(part)
        elif isinstance(after, Leaf) and part.kind == after.kind == "pre" and _counts(part, after):
            continue
        kept.append(part)
    group.parts = kept


def _counts(numbers: Leaf, code: Leaf) -> bool:
    rows = numbers.text.split()
    if len(rows) < _FEWEST_ROWS or not all(row.isdecimal() and len(row) < 6 for row in rows):
        return False
    first = int(rows[0])
    is_count = [int(row) for row in rows] == list(range(first, first + len(rows)))
    return is_count and abs(code.text.count("\n") + 1 - len(rows)) <= 1
