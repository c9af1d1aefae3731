import xml.etree.ElementTree as ElementTree

import pytest

from telusur.extract.page.dom import parse_html
from telusur.extract.writing.mathml import mathml_of, tex_from


def formula(html: str):
    return parse_html(f"<math>{html}</math>").select("math")[0]


@pytest.mark.parametrize(
    ("html", "tex"),
    [
        ("<mi>x</mi><mo>+</mo><mn>1.5</mn>", "x + 1.5"),
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>−</mo><mi>c</mi></mrow></mfrac>",
         r"\frac{a}{b - c}"),
        ("<msubsup><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></msubsup>",
         r"\sum_{i = 0}^{n}"),
        ("<munder><mi>lim</mi><mi>x</mi></munder>", r"\lim_{x}"),
        ("<msup><mrow><mi>a</mi><mi>b</mi></mrow><mn>2</mn></msup>", "{a b}^{2}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", r"\vec{v}"),
        ("<msqrt><mi>x</mi><mi>y</mi></msqrt><mroot><mi>z</mi><mn>3</mn></mroot>",
         r"\sqrt{x y} \sqrt[3]{z}"),
        ("<mtext>50% of $</mtext><mi>rate</mi>", r"\text{50\% of \$} \mathrm{rate}"),
        ("<mfenced open='['><mi>a</mi><mi>b</mi></mfenced>", "[a, b)"),
        ("<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>",
         r"\begin{matrix}1 & 2\end{matrix}"),
        ("<mi>α</mi><mo>≤</mo><mi>∞</mi>", r"\alpha \leq \infty"),
        ("plain", "plain"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_formula_without_source_is_written_as_tex(html, tex):
    assert tex_from(formula(html)) == tex


def test_only_presentation_is_kept():
    written = mathml_of(formula(
        "<mrow href='javascript:a' onclick=b style=c class=d><mi mathvariant='bold'>x&lt;</mi>"
        "<maction><mn>1</mn></maction><script>e</script></mrow>"
    ))  # fmt: skip
    assert written == (
        '<math xmlns="http://www.w3.org/1998/Math/MathML">'
        '<mrow><mi mathvariant="bold">x&lt;</mi><mn>1</mn>e</mrow></math>'
    )


def test_deep_formulas_are_written_as_text_from_some_depth_on():
    deep = formula("<mrow>" * 3000 + "<mi>x</mi>" + "</mrow>" * 3000)
    ElementTree.fromstring(mathml_of(deep))
    assert "x" in mathml_of(deep)
    assert tex_from(deep) == "x"
