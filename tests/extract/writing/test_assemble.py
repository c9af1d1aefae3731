import pytest
from hypothesis import given, settings
from turbohtml import Document as Tree

from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout
from telusur.extract.page.runs import RunLine, read_lines
from telusur.extract.writing.assemble import MAX_DEPTH, assemble
from telusur.extract.writing.structure import Leaf, LineGroup
from tests.extract.page.test_runs import MARKUP
from tests.extract.test_hostile import NESTED


def outline(part: LineGroup | Leaf) -> object:
    """Return kinds and texts as nested tuples."""
    if isinstance(part, Leaf):
        return (part.kind, part.text)
    return (part.kind, *map(outline, part.parts))


def lines_of(tree: Tree) -> list[RunLine]:
    return list(read_lines(tree, "", lambda element, tag, place: None))


def assembled(html: str) -> list[object]:
    return list(outline(assemble(parse_html(html), "", None))[1:])


def depth_of(group: LineGroup) -> int:
    return 1 + max(
        (depth_of(part) for part in group.parts if isinstance(part, LineGroup)), default=0
    )


def test_only_the_lines_of_the_content_are_kept_with_the_groups_around_them():
    tree = parse_html("<ul><li>menu</ul><blockquote><ul><li>a<li>b</ul></blockquote><ol><li>c</ol>")
    lines = {(line.container, line.text) for line in lines_of(tree) if line.text in ("b", "c")}
    assert outline(assemble(tree, "", lines)) == (
        "body",
        ("blockquote", ("ul", ("li", ("p", "b")))),
        ("ol", ("li", ("p", "c"))),
    )


def test_a_line_of_the_content_is_known_by_its_element_and_text():
    tree = parse_html("<div>same<p>x</p>other</div><div>same</div>")
    first = lines_of(tree)[0]
    kept = assemble(tree, "", {(first.container, first.text)})
    assert outline(kept) == ("body", ("p", "same"))


def test_lines_have_the_numbers_that_the_layout_gives_them():
    tree = parse_html("<div>a<ul><li>b<li>c</ul>d</div><table><tr><td>e</table>")
    layout = read_layout(tree)
    assert [line.container for line in lines_of(tree)] == layout.containers.tolist()


def test_a_heading_with_elements_in_it_is_one_heading():
    assert assembled("<h2><div>A</div> <div><b>B</b></div></h2>") == [("h2", "A B")]


def test_what_follows_a_heading_that_was_never_closed_is_no_heading():
    assert assembled("<h2>A<p>b<ul><li>c") == [("h2", "A"), ("p", "b"), ("ul", ("li", ("p", "c")))]


def test_lists_hold_only_items():
    html = "<ul>stray<li>a</li><ul><li>b</li></ul></ul>"
    inner = ("ul", ("li", ("p", "b")))
    assert assembled(html) == [("ul", ("li", ("p", "stray")), ("li", ("p", "a"), inner))]


def test_items_without_a_list_get_one():
    assert assembled("<li>a</li><li>b</li><p>c</p><li>d</li>") == [
        ("ul", ("li", ("p", "a")), ("li", ("p", "b"))),
        ("p", "c"),
        ("ul", ("li", ("p", "d"))),
    ]


def test_cells_know_their_column_when_others_are_empty_or_wide():
    tree = parse_html("<table><tr><td>a<td><td>b<tr><td colspan=2>c<td>d<td colspan=x>e<td>f")
    [table] = assemble(tree, "", None).parts
    columns = [[cell.column for cell in row.parts] for row in table.parts]
    assert columns == [[0, 2], [0, 2, 3, 4]]


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>x<tr><td>y</table>",
        "<table><tr><td><table><tr><td>x</table><td>y</table>",
        "<table><tr><td><h3></h3>x<td><blockquote>y</blockquote></table>",
    ],
)
def test_tables_that_only_place_things_are_taken_apart(html):
    assert "table" not in str(assembled(html))


def test_lines_of_a_pre_stay_together():
    assert assembled("<pre><div>a</div><div>  b</div></pre>") == [("pre", "a\n  b")]


@pytest.mark.parametrize("name", ["formatting", "tables", "lists", "headings"])
def test_deep_nesting_is_cut_and_no_text_is_lost(name):
    body = assemble(parse_html(NESTED[name] + "<p>bottom of the well"), "", None)
    assert [leaf.text for leaf in body.leaves()][-1] == "bottom of the well"
    assert depth_of(body) <= 2 * MAX_DEPTH + 2


@settings(deadline=None)
@given(MARKUP)
def test_each_line_of_a_page_stands_in_its_structure_once(html):
    tree = parse_html(html)
    words = [word for leaf in assemble(tree, "", None).leaves() for word in leaf.text.split()]
    assert words == [word for line in lines_of(tree) for word in line.text.split()]
