import pytest
from turbohtml import Document as Tree

from telusur.extract.document import extract_document
from telusur.extract.page.dom import TagIndex, parse_html
from telusur.extract.page.formulas import MOST_FORMULAS, is_display, settle_formulas, tex_of

MATHML = (
    "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation>"
    "<annotation-xml encoding='MathML-Content'><ci>x</ci></annotation-xml></semantics></math>"
)
SCRIPT = "<script type='math/tex'>x_1</script>"


def settled(html: str) -> Tree:
    tree = parse_html(html)
    settle_formulas(tree, TagIndex(tree))
    return tree


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (MATHML, "x"),
        (f"<span class=katex><span class=katex-mathml>{MATHML}</span>"
         "<span class=katex-html aria-hidden=true>x1</span></span>", "x"),
        (f"<span class=MathJax_Preview>x1</span> <span class=MathJax>x1</span>{SCRIPT}", "x_1"),
        (f"<span class=MathJax>x1<span class=MJX_Assistive_MathML>{MATHML}</span></span>{SCRIPT}",
         "x_1"),
        (f"<mjx-container><mjx-math>1</mjx-math><mjx-assistive-mml>{MATHML}</mjx-assistive-mml>"
         "</mjx-container>", "x"),
        (f"<span class=mwe-math-element><span style='display:none'>{MATHML}</span></span>", "x"),
        (r"<img class='wp latex' alt='{\displaystyle x_1}'>", "x_1"),
    ],
)  # fmt: skip
def test_a_formula_is_there_once_with_its_source(html, text):
    tree = settled(f"<p>a {html} b</p>")
    [formula] = tree.select("math")
    assert tex_of(formula) == "x_1"
    assert " ".join(tree.text.split()) == f"a {text} b"


@pytest.mark.parametrize(
    "html",
    [
        f"<span class=katex-display><span class=katex>{MATHML}</span></span>",
        "<script type='math/tex; mode=display'>x_1</script>",
        f"<mjx-container display=true>{MATHML}</mjx-container>",
        "<math display=block><mi>x</mi></math>",
    ],
)
def test_a_formula_in_a_row_of_its_own_is_told_apart(html):
    assert is_display(settled(html).select("math")[0])


def test_two_formulas_side_by_side_stay_two():
    assert len(settled(f"<p>{MATHML}{MATHML}{SCRIPT}{SCRIPT}</p>").select("math")) == 4


def test_hidden_formulas_of_an_encyclopedia_are_part_of_the_text():
    inner = f"<span class=mwe-math-mathml-inline style='display:none'>{MATHML}</span>"
    html = f"<p>The mass <span class=mwe-math-element>{inner}</span> is constant.</p>"
    assert extract_document(html).text == "The mass x is constant."


def test_other_scripts_and_images_stay_as_they_are():
    tree = settled("<script>a</script><img src=i alt=b class='latexmk'><img alt='' class=tex>")
    assert (len(tree.select("script")), len(tree.select("img")), tree.select("math")) == (1, 2, [])


def test_no_page_has_too_many():
    tree = settled("<p>" + SCRIPT * (MOST_FORMULAS + 5))
    assert len(tree.select("math")) == MOST_FORMULAS
