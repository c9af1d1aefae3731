import pytest
from markdown_it import MarkdownIt

from telusur.extract.page.dom import TagIndex, parse_html
from telusur.extract.page.formulas import settle_formulas
from telusur.extract.writing.assemble import assemble
from telusur.extract.writing.markdown import markdown_of


def markdown(html: str) -> str:
    tree = parse_html(html)
    settle_formulas(tree, TagIndex(tree))
    return markdown_of(assemble(tree, "", None))


@pytest.mark.parametrize(
    "tex", ["<img src=x onerror=y>", "[a](javascript:b)", "a\n\n<b>", "![a](b)"]
)
def test_a_formula_brings_no_markup_into_markdown(tex):
    html = MarkdownIt("commonmark").render(markdown(f"<p><script type='math/tex'>{tex}</script>"))
    inner = html.removeprefix("<p>$").removesuffix("$</p>\n")
    assert "<" not in inner


def test_dollar_signs_are_escaped_only_beside_formulas():
    assert markdown("<p>5$ and $6 or <code>$x</code></p>") == "5$ and $6 or `$x`"
    html = "<p>5$ and <code>$x</code> and <math alttext='a|b'><mi>a</mi></math></p>"
    assert markdown(html) == r"5\$ and `$x` and $a\vert b$"


def test_a_table_without_headings_gets_those_of_its_first_row():
    assert markdown("<table><tr><td>a<td>b<tr><td>1<td>2</table>") == (
        "| a | b |\n| --- | --- |\n| 1 | 2 |"
    )


def test_text_that_looks_like_a_footnote_is_escaped():
    assert markdown("<p>[^1]: no note</p>") == r"\[^1\]: no note"
