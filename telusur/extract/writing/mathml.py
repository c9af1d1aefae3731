"""A formula as MathML that holds nothing but presentation, and as TeX."""

import re
from collections.abc import Iterator

from turbohtml import Element, Text

from telusur.extract.page.formulas import is_display, tex_of
from telusur.extract.writing.escaping import escape

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
# Deeper parts are written as their text.
_MAX_DEPTH = 30
_LEAVES = frozenset(("mi", "mn", "mo", "ms", "mtext"))
_ROWS = frozenset((
    "mrow", "mfrac", "msqrt", "mroot", "mstyle", "mpadded", "mphantom", "merror", "mfenced",
    "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mprescripts",
    "none", "mtable", "mtr", "mlabeledtr", "mtd", "menclose", "mspace",
))  # fmt: skip
_ATTRIBUTES = frozenset((
    "mathvariant", "accent", "accentunder", "stretchy", "fence", "separator", "displaystyle",
    "linethickness", "open", "close", "separators", "columnalign", "rowspan", "columnspan",
    "width", "height", "depth", "notation", "largeop", "movablelimits", "form", "lspace", "rspace",
))  # fmt: skip
_SPECIAL = {"%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_", "{": r"\{", "}": r"\}",
            "\\": r"\backslash ", "~": r"\sim ", "^": r"\hat{}"}  # fmt: skip
_NAMED = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "varphi",
    "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta",
    "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
    "∞": "infty", "∂": "partial", "∇": "nabla", "∑": "sum", "∏": "prod", "∫": "int", "√": "surd",
    "±": "pm", "×": "times", "·": "cdot", "⋅": "cdot", "÷": "div", "≤": "leq", "≥": "geq",
    "≠": "neq", "≈": "approx", "≡": "equiv", "∈": "in", "∉": "notin", "⊂": "subset",
    "⊆": "subseteq", "∪": "cup", "∩": "cap", "→": "to", "←": "leftarrow", "⇒": "Rightarrow",
    "↦": "mapsto", "∀": "forall", "∃": "exists", "…": "ldots", "⋯": "cdots", "−": "-", "′": "prime",
    "∼": "sim", "∧": "wedge", "∨": "vee", "¬": "neg", "⟨": "langle", "⟩": "rangle", "‖": "|",
}  # fmt: skip
_FUNCTIONS = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "log", "ln", "exp", "lim", "max", "min", "sup", "inf",
    "det", "dim", "ker", "gcd", "arg", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
))  # fmt: skip
# What stands above or below a letter.
_ACCENTS = {"¯": "bar", "‾": "overline", r"\hat{}": "hat", "ˆ": "hat", r"\sim": "tilde",
            "˜": "tilde", r"\to": "vec", "˙": "dot", "¨": "ddot", r"\_": "underline"}  # fmt: skip
_PLAIN_NUMBER = re.compile(r"[\d.,]+")


def mathml_of(formula: Element) -> str:
    """Return a formula as MathML with its TeX as annotation, well-formed and harmless."""
    tex = tex_of(formula)
    inner = "".join(_write(formula, 0))
    if "<" not in inner:  # only its source is known
        inner = f"<mtext>{inner}</mtext>"
    if tex:
        note = f'<annotation encoding="application/x-tex">{escape(tex)}</annotation>'
        inner = f"<semantics><mrow>{inner}</mrow>{note}</semantics>"
    display = ' display="block"' if is_display(formula) else ""
    return f'<math xmlns="{NAMESPACE}"{display}>{inner}</math>'


def _write(element: Element, depth: int) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, Text):
            yield escape(child.data)
        elif isinstance(child, Element):
            yield from _write_element(child, depth)


def _write_element(element: Element, depth: int) -> Iterator[str]:
    tag = element.tag
    if depth > _MAX_DEPTH or tag in _LEAVES:
        text = escape(element.text)
        yield f"<{tag}{_attributes(element)}>{text}</{tag}>" if tag in _LEAVES else text
    elif tag in _ROWS:
        yield f"<{tag}{_attributes(element)}>"
        yield from _write(element, depth + 1)
        yield f"</{tag}>"
    else:
        yield from _write(element, depth + 1)


def _attributes(element: Element) -> str:
    found = [(name, element.attr(name)) for name in element.attrs if name in _ATTRIBUTES]
    return "".join(f' {name}="{escape(value)}"' for name, value in found if value is not None)


def tex_from(formula: Element) -> str:
    """Return the TeX of a formula: the page's own, else one made from the MathML."""
    return tex_of(formula) or " ".join(_join(formula, 0).split())


def _join(element: Element, depth: int) -> str:
    return " ".join(filter(None, _pieces(element, depth)))


def _pieces(element: Element, depth: int) -> list[str]:
    """Return the children of an element as TeX, one each."""
    found = []
    for child in element.children:
        if isinstance(child, Element):
            found.append(_tex(child, depth + 1))
        elif isinstance(child, Text) and not child.data.isspace():
            found.append(_letters(child.data.strip()))
    return found


def _tex(element: Element, depth: int) -> str:
    tag = element.tag
    if depth > _MAX_DEPTH:
        return _letters(element.text.strip())
    if tag in _LEAVES:
        return _leaf(tag, element.text.strip())
    if tag == "mtable":
        rows = [_pieces(row, depth + 1) for row in element.children if isinstance(row, Element)]
        lines = r" \\ ".join(" & ".join(row) for row in rows)
        return rf"\begin{{matrix}}{lines}\end{{matrix}}"
    if tag in ("mspace", "mphantom", "none", "mprescripts"):
        return ""
    if tag == "mfenced":
        inner = ", ".join(_pieces(element, depth))
        return f"{element.attr('open') or '('}{inner}{element.attr('close') or ')'}"
    if tag == "msqrt":
        return rf"\sqrt{{{_join(element, depth)}}}"
    parts = _pieces(element, depth)
    return _script(tag, parts) if len(parts) in (2, 3) else " ".join(filter(None, parts))


def _script(tag: str, parts: list[str]) -> str:
    """Return a fraction, a root, or something with marks above and below."""
    first, second, *third = parts
    accent = _ACCENTS.get(second)
    if tag == "mfrac":
        return rf"\frac{{{first}}}{{{second}}}"
    if tag == "mroot":
        return rf"\sqrt[{second}]{{{first}}}"
    if tag in ("mover", "munder") and accent:
        return rf"\{accent}{{{first}}}"
    base = first if len(first) == 1 or first.startswith("\\") else f"{{{first}}}"
    if tag in ("msub", "munder"):
        return f"{base}_{{{second}}}"
    if tag in ("msup", "mover"):
        return f"{base}^{{{second}}}"
    if tag in ("msubsup", "munderover") and third:
        return f"{base}_{{{second}}}^{{{third[0]}}}"
    return " ".join(filter(None, parts))


def _leaf(tag: str, text: str) -> str:
    if tag in ("mtext", "ms"):
        return rf"\text{{{_letters(text)}}}" if text else ""
    if text in _FUNCTIONS:
        return f"\\{text}"
    if tag == "mi" and len(text) > 1 and text.isalpha():
        return rf"\mathrm{{{text}}}"
    return _letters(text)


def _letters(text: str) -> str:
    if _PLAIN_NUMBER.fullmatch(text):
        return text
    found = []
    for letter in text:
        name = _NAMED.get(letter)
        if name is None:
            found.append(_SPECIAL.get(letter, letter))
        else:
            found.append(name if not name.isalpha() else f"\\{name} ")
    return "".join(found).strip()
