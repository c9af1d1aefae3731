"""The default styles of browsers (HTML standard, section 15.3)."""

INHERITED = (
    "color", "cursor", "font-size", "font-style", "font-weight", "letter-spacing", "line-height",
    "list-style-type", "text-align", "text-indent", "text-transform", "visibility", "white-space",
)  # fmt: skip

_BLOCKS = (
    "address", "article", "aside", "body", "center", "details", "dialog", "div", "dt", "fieldset",
    "figcaption", "footer", "form", "header", "hgroup", "html", "legend", "main", "nav", "optgroup",
    "option", "search", "section", "summary",
)  # fmt: skip
_HEADINGS = {  # size, margin, both in em
    "h1": (2.0, 0.67), "h2": (1.5, 0.83), "h3": (1.17, 1.0), "h4": (1.0, 1.33), "h5": (0.83, 1.67),
    "h6": (0.67, 2.33),
}  # fmt: skip
_TABLES = {
    "caption": "table-caption", "table": "table", "tbody": "table-row-group", "td": "table-cell",
    "tfoot": "table-footer-group", "th": "table-cell", "thead": "table-header-group",
    "tr": "table-row",
}  # fmt: skip


def _spaced(display: str, margin: str, **others: str) -> dict[str, str]:
    style = {"display": display, "margin-top": margin, "margin-bottom": margin}
    return style | {name.replace("_", "-"): value for name, value in others.items()}


def _heading(size: float, margin: float) -> dict[str, str]:
    return _spaced("block", f"{margin}em", font_size=f"{size}em", font_weight="700")


DEFAULT_STYLES: dict[str, dict[str, str]] = {
    **{tag: {"display": "block"} for tag in _BLOCKS},
    **{tag: _heading(*sizes) for tag, sizes in _HEADINGS.items()},
    **{tag: {"display": display} for tag, display in _TABLES.items()},
    "p": _spaced("block", "1em"),
    "pre": _spaced("block", "1em", white_space="pre"),
    "blockquote": _spaced("block", "1em", margin_left="40px", margin_right="40px"),
    "figure": _spaced("block", "1em", margin_left="40px", margin_right="40px"),
    "dl": _spaced("block", "1em"),
    "dd": {"display": "block", "margin-left": "40px"},
    "ul": _spaced("block", "1em", padding_left="40px", list_style_type="disc"),
    "menu": _spaced("block", "1em", padding_left="40px", list_style_type="disc"),
    "ol": _spaced("block", "1em", padding_left="40px", list_style_type="decimal"),
    "li": {"display": "list-item"},
    "th": {"display": "table-cell", "font-weight": "700", "text-align": "center"},
    "center": {"display": "block", "text-align": "center"},
    "address": {"display": "block", "font-style": "italic"},
    "a": {"display": "inline", "color": "rgb(0, 0, 238)", "cursor": "pointer"},
    "b": {"display": "inline", "font-weight": "700"},
    "strong": {"display": "inline", "font-weight": "700"},
    "em": {"display": "inline", "font-style": "italic"},
    "i": {"display": "inline", "font-style": "italic"},
    "small": {"display": "inline", "font-size": "0.83em"},
    "button": {"display": "inline-block", "text-align": "center", "font-size": "13px"},
    "label": {"display": "inline", "cursor": "default"},
}
