"""Sanitises style sheets: they may colour and position, but load and cover nothing.

As with elements, the browser gets new text written from the parsed sheet. tinycss2 parses the sheet
by the CSS standard; only known rules, properties and functions are written.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import tinycss2
from tinycss2.ast import (
    AtRule,
    Declaration,
    FunctionBlock,
    IdentToken,
    Node,
    ParenthesesBlock,
    QualifiedRule,
    SquareBracketsBlock,
)

MAX_SHEETS_LENGTH = 300_000  # of all sheets of a page; a browser handles that easily
#: The deepest nesting of rules and brackets: nobody writes more, and each level is a recursive
#: call.
MAX_DEPTH = 20
_REMEMBERED_STYLES = 4096
_REMEMBERED_SHEETS = 16

#: At-rules that contain rules. The others load something, or are not needed to show a page.
_GROUPS = frozenset(("media", "supports", "layer", "container", "scope", "starting-style"))
_FRAMES = frozenset(("keyframes", "-webkit-keyframes", "-moz-keyframes", "-o-keyframes"))
_PLAIN = frozenset((
    "ident", "hash", "string", "number", "percentage", "dimension", "literal", "whitespace",
))  # fmt: skip
#: Functions that load nothing and run nothing; another one is written as `none`.
_FUNCTIONS = frozenset((
    "-moz-linear-gradient", "-moz-radial-gradient", "-ms-linear-gradient", "-o-linear-gradient",
    "-webkit-gradient", "-webkit-linear-gradient", "-webkit-radial-gradient",
    "-webkit-repeating-linear-gradient", "-webkit-repeating-radial-gradient", "abs", "acos",
    "alpha", "anchor", "anchor-size", "asin", "atan", "atan2", "attr", "blur", "brightness",
    "calc", "calc-size", "ceil", "circle", "clamp", "color", "color-mix", "color-stop",
    "conic-gradient", "contrast", "cos", "counter", "counters", "cubic-bezier", "device-cmyk",
    "drop-shadow", "ellipse", "env", "exp", "fit-content", "floor", "format", "frames", "from",
    "grayscale", "hsl", "hsla", "hue-rotate", "hwb", "hypot", "inset", "invert", "lab", "lch",
    "light-dark", "linear", "linear-gradient", "local", "log", "matrix", "matrix3d", "max",
    "min", "minmax", "mod", "oklab", "oklch", "opacity", "path", "perspective", "polygon",
    "pow", "radial-gradient", "ray", "rect", "rem", "repeat", "repeating-conic-gradient",
    "repeating-linear-gradient", "repeating-radial-gradient", "rgb", "rgba", "rotate",
    "rotate3d", "rotatex", "rotatey", "rotatez", "round", "saturate", "scale", "scale3d",
    "scalex", "scaley", "scalez", "sepia", "shape", "sign", "sin", "skew", "skewx", "skewy",
    "spring", "sqrt", "steps", "symbols", "tan", "to", "translate", "translate3d", "translatex",
    "translatey", "translatez", "var", "xywh",
))  # fmt: skip
_SELECTING = frozenset((
    "-moz-any", "-webkit-any", "dir", "font-format", "font-tech", "has", "highlight", "host",
    "host-context", "is", "lang", "not", "nth-child", "nth-col", "nth-last-child",
    "nth-last-col", "nth-last-of-type", "nth-of-type", "part", "selector", "slotted", "state",
    "style", "where",
))  # fmt: skip
_PLACES = frozenset(("static", "relative", "absolute"))
_RUNNING = frozenset(("behavior", "-ms-behavior", "-moz-binding"))
_NAME = re.compile(r"[A-Za-z_-][\w-]*", re.ASCII)
#: The second line of defence: our output is dropped if it looks like anything that a browser could
#: load, run, or take for the end of its element. An escape could spell any of these.
_FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f<\\\ud800-\udfff]|(?:java|vb)script\s*:|@import|expression\s*\(|"
    r"(?:url|src|image|image-set|cross-fade|element|paint)\s*\(",
    re.IGNORECASE,
)


@lru_cache(_REMEMBERED_SHEETS)
def harmless_sheet(sheet: str) -> str:
    """Return a style sheet that loads nothing, runs nothing and cannot end its element.

    It is cached, since the pages of a site share their sheets.
    """
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    return "\n".join(_rules(rules, 0))


@lru_cache(_REMEMBERED_STYLES)
def harmless_style(style: str) -> str:
    """Return the declarations of a style attribute under the same rules, or an empty string."""
    return "; ".join(
        written for node in _read_body(style)
        if isinstance(node, Declaration) and (written := _declaration(node))
    )  # fmt: skip


def _read_body(content: str | Sequence[Node]) -> list[Node]:
    body: list[Node] = tinycss2.parse_blocks_contents(
        content, skip_comments=True, skip_whitespace=True
    )
    return body


def _rules(nodes: Sequence[Node], depth: int) -> Iterator[str]:
    """Yield the rules among these as they may be written."""
    for node in nodes:
        if depth < MAX_DEPTH and isinstance(node, QualifiedRule):
            yield from _style_rule(node, depth)
        elif depth < MAX_DEPTH and isinstance(node, AtRule):
            yield from _at_rule(node, depth, is_nested=False)


def _style_rule(rule: QualifiedRule, depth: int) -> Iterator[str]:
    """Yield a rule with the selectors that can be written without an escape."""
    selectors = ",".join(filter(None, map(_prelude, _split(rule.prelude))))
    if selectors and (body := _body(rule.content, depth + 1)):
        yield f"{selectors}{{{body}}}"


def _at_rule(rule: AtRule, depth: int, *, is_nested: bool) -> Iterator[str]:
    name, prelude = rule.lower_at_keyword, _prelude(rule.prelude)
    if name not in _GROUPS | _FRAMES or prelude is None:
        return
    if rule.content is None:
        if name == "layer":
            yield f"@layer {prelude};"
        return
    if is_nested:
        body = _body(rule.content, depth + 1)
    else:
        inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
        body = "".join(_rules(inner, depth + 1))
    if body:
        yield f"@{name} {prelude}{{{body}}}"


def _body(content: Sequence[Node], depth: int) -> str:
    """Return the body of a style rule: declarations, and nested rules."""
    declarations: list[str] = []
    inner: list[str] = []
    for node in _read_body(content):
        if isinstance(node, Declaration):
            declarations += filter(None, [_declaration(node)])
        elif depth < MAX_DEPTH and isinstance(node, QualifiedRule):
            inner += _style_rule(node, depth)
        elif depth < MAX_DEPTH and isinstance(node, AtRule):
            inner += _at_rule(node, depth, is_nested=True)
    return ";".join(declarations) + (";" if declarations and inner else "") + "".join(inner)


def _declaration(declaration: Declaration) -> str | None:
    """Return a declaration as it may be written, or None."""
    name = declaration.lower_name
    if name in _RUNNING or not _NAME.fullmatch(declaration.name):
        return None
    value = _harmless(declaration.value, _FUNCTIONS)
    if value is None:
        return None
    text = tinycss2.serialize(value).rstrip()
    if name == "position" and _only_word(value) not in _PLACES:
        text = "static"
    return _checked(f"{declaration.name}:{text}{'!important' if declaration.important else ''}")


def _prelude(tokens: Sequence[Node]) -> str | None:
    """Return selectors or conditions as they may be written, or None."""
    kept = _harmless(tokens, _FUNCTIONS | _SELECTING, replaces=False)
    return None if kept is None else _checked(tinycss2.serialize(kept).strip())


def _checked(text: str) -> str | None:
    return None if _FORBIDDEN.search(text) else text


def _split(tokens: Sequence[Node]) -> Iterator[list[Node]]:
    """Yield the parts between commas."""
    part: list[Node] = []
    for node in tokens:
        if node == ",":
            yield part
            part = []
        else:
            part.append(node)
    yield part


def _only_word(value: Sequence[Node]) -> str:
    words = [token for token in value if token.type != "whitespace"]
    return words[0].lower_value if len(words) == 1 and words[0].type == "ident" else ""


def _harmless(
    tokens: Sequence[Node], functions: frozenset[str], depth: int = 0, *, replaces: bool = True
) -> list[Node] | None:
    """Return tokens with `none` instead of loading or unknown ones; None if that is impossible."""
    kept: list[Node] = []
    for token in tokens:
        if token.type in _PLAIN:
            kept.append(token)
        elif token.type == "url" or _is_unknown(token, functions):
            if not replaces:
                return None
            kept.append(IdentToken(token.source_line, token.source_column, "none"))
        elif token.type in ("function", "() block", "[] block") and depth < MAX_DEPTH:
            within = token.arguments if token.type == "function" else token.content
            inner = _harmless(within, functions, depth + 1, replaces=replaces)
            if inner is None:
                return None
            kept.append(_like(token, inner))
        elif token.type != "comment":
            return None
    return kept


def _is_unknown(token: Node, functions: frozenset[str]) -> bool:
    return token.type == "function" and token.lower_name not in functions


def _like(token: Node, inner: list[Node]) -> Node:
    """Return a function or a bracket with other contents."""
    line, column = token.source_line, token.source_column
    if isinstance(token, FunctionBlock):
        return FunctionBlock(line, column, token.name, inner)
    kind = ParenthesesBlock if isinstance(token, ParenthesesBlock) else SquareBracketsBlock
    return kind(line, column, inner)
