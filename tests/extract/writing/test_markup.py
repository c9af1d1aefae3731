import xml.etree.ElementTree as ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from telusur.extract.page.runs import EMPHASIS, STRONG, TextRun
from telusur.extract.writing.escaping import clean, escape
from telusur.extract.writing.markup import MAX_PLACES, markup_of
from telusur.extract.writing.structure import Leaf, LineGroup


def paragraph(*runs: TextRun) -> str:
    return markup_of(LineGroup("body", [Leaf("p", list(runs))]))


@settings(deadline=None)
@given(st.text(alphabet=st.characters(codec=None, exclude_categories=())))
def test_any_text_survives_xml_but_for_what_xml_cannot_hold(text):
    found = ElementTree.fromstring(f'<a b="{escape(text)}">{escape(text)}</a>')
    assert (found.text or "") == clean(text)


def test_text_and_addresses_are_escaped():
    assert paragraph(TextRun("<b>&\"'", 0, 'http://x.example/"><script>')) == (
        '<p><a href="http://x.example/&quot;&gt;&lt;script&gt;">&lt;b&gt;&amp;&quot;\'</a></p>'
    )


def test_what_neighbours_share_is_opened_once():
    runs = [
        TextRun("a", 0, "http://x/"),
        TextRun("b", STRONG, "http://x/"),
        TextRun("c", STRONG | EMPHASIS),
    ]
    assert paragraph(*runs) == (
        '<p><a href="http://x/">a<strong>b</strong></a><strong><em>c</em></strong></p>'
    )


def test_a_single_line_of_an_item_needs_no_paragraph():
    items = [
        LineGroup("li", [Leaf("p", [TextRun("a")])]),
        LineGroup("li", [Leaf("p", [TextRun("b")]), Leaf("p", [TextRun("c")])]),
    ]
    listed = "<ul>\n<li>a</li>\n<li><p>b</p><p>c</p></li>\n</ul>"
    assert markup_of(LineGroup("body", [LineGroup("ul", items)])) == listed


def test_a_table_of_enormous_width_is_not_filled_up():
    wide = LineGroup("tr", [LineGroup("td", [Leaf("p", [TextRun("x")])], column=MAX_PLACES)])
    slim = LineGroup("tr", [LineGroup("td", [Leaf("p", [TextRun("y")])])])
    written = markup_of(LineGroup("body", [LineGroup("table", [wide, slim])]))
    assert written == "<table>\n<tr><td>x</td></tr>\n<tr><td>y</td></tr>\n</table>"
