"""Formulas: each one once, as a `math` element with its TeX, however the page shows it.

KaTeX and MathJax write a formula two or three times: for the eye, for screen readers, as source.
Encyclopedias add a picture of it. What remains is the MathML, with the TeX as its `alttext`.
"""

import re
from collections.abc import Iterator
from itertools import islice

from turbohtml import Document as Tree
from turbohtml import Element, Text

from telusur.extract.page.dom import TagIndex

MOST_FORMULAS = 5_000
_MOST_AROUND = 6
_LONGEST_TEX = 10_000
# Elements that hold nothing but the different forms of one formula.
_WRAPPER = re.compile(r"(?:^|\s)(?:katex|mathjax|mjx|mwe-math)", re.IGNORECASE)
_WRAPPER_TAGS = frozenset(("mjx-container", "mjx-assistive-mml", "mjx-math"))
_RENDERED = re.compile(r"mathjax", re.IGNORECASE)
_DISPLAY = re.compile(r"katex-display|mathjax_display|fallback-image-display", re.IGNORECASE)
_PICTURE = re.compile(r"(?:^|\s)(?:latex|tex|mwe-math-fallback-image-\w+)(?:\s|$)", re.IGNORECASE)
_STYLED = re.compile(r"^\{\s*\\(?:display|text)style\s+(.*)\}$", re.DOTALL)
_SCRIPT = re.compile(r"^math/(?:tex|latex|asciimath)", re.IGNORECASE)


def settle_formulas(tree: Tree, tags: TagIndex) -> None:
    """Leave one `math` element of each formula; pages without formulas cost nothing."""
    scripts = [each for each in tags["script"] if _SCRIPT.match(each.attr("type") or "")]
    pictures = [each for each in tags["img"] if _PICTURE.search(each.attr("class") or "")]
    formulas = tags["math"][:MOST_FORMULAS]
    for script in scripts[:MOST_FORMULAS]:
        _settle_script(script)
    for formula in formulas:
        _settle_math(formula)
    for picture in pictures[:MOST_FORMULAS]:
        _settle_picture(picture)


def tex_of(formula: Element) -> str:
    """Return the TeX of a formula that was settled; empty if the page does not give it."""
    return formula.attr("alttext") or ""


def is_display(formula: Element) -> bool:
    """Tell whether a formula stands in a row of its own."""
    return formula.attr("display") == "block"


def _settle_script(script: Element) -> None:
    """Put the source of a formula in the place of the script that holds it."""
    tex = _clean(script.text)
    if not tex or script.parent is None:
        return
    for element in _rendered_before(script):
        element.extract()
    formula = _new_formula(tex)
    if "display" in (script.attr("type") or ""):
        formula.attrs["display"] = "block"
    script.replace_with(formula)


def _rendered_before(script: Element) -> list[Element]:
    """Return what a script has drawn before its source: a preview, and the formula."""
    found = []
    for node in islice(script.previous_siblings, _MOST_AROUND):
        if isinstance(node, Element) and _RENDERED.search(_name_of(node)):
            found.append(node)
        elif not (isinstance(node, Text) and node.data.isspace()):
            break
    return found


def _settle_picture(picture: Element) -> None:
    tex = _clean(picture.attr("alt") or "")
    if tex and picture.parent is not None:
        formula = _new_formula(tex)
        if _DISPLAY.search(_name_of(picture)):
            formula.attrs["display"] = "block"
        picture.replace_with(formula)


def _settle_math(formula: Element) -> None:
    """Note the TeX of a formula, and let it take the place of everything that repeats it."""
    if formula.parent is None:
        return
    tex = ""
    for note in formula.select("annotation, annotation-xml"):
        if not tex and "tex" in (note.attr("encoding") or "").lower():
            tex = _clean(note.text)
        note.extract()
    tex = tex or _clean(formula.attr("alttext") or "")
    if tex:
        formula.attrs["alttext"] = tex
    outermost = None
    for element in islice(_around(formula), _MOST_AROUND):
        if element.tag not in _WRAPPER_TAGS and not _WRAPPER.search(_name_of(element)):
            break
        outermost = element
        if _DISPLAY.search(_name_of(element)) or element.attr("display") == "true":
            formula.attrs["display"] = "block"
    if outermost is not None and outermost.parent is not None:
        outermost.replace_with(formula.extract())


def _around(element: Element) -> Iterator[Element]:
    parent = element.parent
    while isinstance(parent, Element):
        yield parent
        parent = parent.parent


def _name_of(element: Element) -> str:
    return element.attr("class") or ""


def _new_formula(tex: str) -> Element:
    formula = Element("math", {"alttext": tex})
    formula.append(Text(tex))
    return formula


def _clean(tex: str) -> str:
    """Return TeX without the wrapping that only sets its style, on one line."""
    tex = " ".join(tex[:_LONGEST_TEX].replace("\xad", "").split())
    found = _STYLED.match(tex)
    return found[1].strip() if found else tex
