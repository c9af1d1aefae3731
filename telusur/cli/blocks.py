"""How a block is shown to a person: its label, text, position and look."""

from telusur.models import Block

_INDENT = " " * 8
# The initial values of CSS. A person sees only what differs; JSON has everything.
_USUAL = {
    "color": "rgb(0, 0, 0)", "font-style": "normal", "font-variant-caps": "normal",
    "font-weight": "400", "letter-spacing": "normal", "line-height": "normal",
    "text-align": "start", "text-decoration-line": "none", "text-indent": "0px",
    "text-transform": "none", "white-space": "normal", "word-spacing": "0px",
    "direction": "ltr", "visibility": "visible",
    "display": "block", "position": "static", "float": "none", "clear": "none", "z-index": "auto",
    "opacity": "1", "overflow-x": "visible", "overflow-y": "visible", "max-width": "none",
    "box-sizing": "content-box", "vertical-align": "baseline", "list-style-type": "disc",
    "cursor": "auto", "background-color": "rgba(0, 0, 0, 0)", "background-image": "none",
    "border-top-style": "none", "column-count": "auto",
}  # fmt: skip


def describe_block(block: Block, *, with_html: bool = False) -> list[str]:
    """Return the rows about a block: label, tag and text; then, indented, its details.

    Details are the path with ids and classes; from a browser also bounds, look and, if asked, HTML.
    """
    tag = block.tag_path.rpartition("/")[2]
    rows = [f"{block.label:<8}{tag:<11}{_one_row(block.text)}"]
    details = [block.selectors or block.tag_path]
    if block.bounds is not None:
        x, y, width, height = (f"{value:g}" for value in block.bounds)
        hidden = ", hidden" if block.is_hidden else ""
        details.append(f"at {x}, {y}, {width} wide, {height} high{hidden}")
    if block.css is not None:
        details.append(_look(block.css))
    if with_html and block.html:
        details.append(_one_row(block.html))
    return rows + [_INDENT + detail for detail in details if detail]


def _look(css: dict[str, str]) -> str:
    """Return the properties that differ from the initial values of CSS."""
    return "; ".join(
        f"{name}: {value}"
        for name, value in css.items()
        if value not in (_USUAL.get(name), "") and not (value == "0px" and name not in _USUAL)
    )


def _one_row(text: str) -> str:
    return " ".join(text.split())
