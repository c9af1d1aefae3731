"""How a query was understood, in a form that can be read and typed again."""

import re

from telusur.search.query.syntax import VALUES, All, Either, Not, QueryWish, Row, Tree

_PLAIN_VALUE = re.compile(r"[^\s()]+")


def describe(tree: Tree) -> str:
    """Return the tree as text: `cats AND (dogs OR "guinea pig") site:example.org`."""
    match tree:
        case QueryWish():
            return _describe_wish(tree)
        case Not():
            return f"-{_inside(tree.part)}"
        case All():
            return " AND ".join(map(_inside, tree.parts))
        case Either():
            return " OR ".join(map(_inside, tree.parts))
        case Row():
            alone = len(tree.parts) == 1
            return " ".join(map(describe if alone else _within_row, tree.parts))


def _inside(part: Tree) -> str:
    return describe(part) if isinstance(part, (QueryWish, Not)) else f"({describe(part)})"


def _within_row(part: Tree) -> str:
    return f"({describe(part)})" if isinstance(part, Either) else describe(part)


def _describe_wish(wish: QueryWish) -> str:
    text = wish.text
    if wish.kind == "phrase" or (wish.field in VALUES and not _PLAIN_VALUE.fullmatch(text)):
        text = f'"{text}"'
    ending = {"prefix": "*", "fuzzy": f"~{wish.distance}"}.get(wish.kind, "")
    return f"{wish.field}:{text}{ending}" if wish.field else f"{text}{ending}"
