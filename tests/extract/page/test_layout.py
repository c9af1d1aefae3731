import pytest

from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import Layout, join_lines, read_layout, walk


@pytest.fixture(params=[read_layout, walk], ids=["compiled", "Python"])
def layout_of(request):
    return lambda html: request.param(parse_html(html))


@pytest.fixture
def rows_of(layout_of):
    return lambda html: layout_of(html).texts


def test_lines_end_at_block_boundaries(rows_of):
    assert rows_of("a<b>b</b><div>c<p>d</p>e<hr>f</div>g<p></p>h") == [
        "ab",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
    ]


def test_breaks_stay_within_a_line(rows_of):
    assert rows_of("<p>a<br>b<br><br> c</p>") == ["a\nb\nc"]


def test_preformatted_text_keeps_its_white_space(rows_of):
    assert rows_of("<pre>\n  a\n    <b>b</b>  c\n</pre>") == ["  a\n    b  c"]


def test_cells_of_a_row_stand_beside_each_other(layout_of):
    table = "<table><tr><td>a<td>b<tr><td>c<td><p>d</p></table>"
    assert join_lines(layout_of(table)) == "a b\nc\nd"


def test_characters_of_links_are_counted(layout_of):
    assert layout_of("<p>ab<a href=/>cd<i>e</i></a>").linked.tolist() == [3]


def test_what_shows_nothing_is_no_line(rows_of):
    assert rows_of("<p>&shy;<p> \n<p>&shy; &nbsp;<p>a&shy;b") == ["ab"]


def test_names_within_a_line_are_its_marks(layout_of):
    html = "<p>by <a rel=author>Ada</a>, <span class=day>May</span>"
    (marks,) = layout_of(html).marks
    assert marks.split() == ["a", "author", "span", "day"]


def test_marks_are_bounded_however_deep_elements_nest(layout_of):
    (marks,) = layout_of("<b class=x>" * 5000 + "deep").marks
    assert len(marks) < 300


def test_containers_know_their_parents_and_the_lines_before_them(layout_of):
    layout: Layout = layout_of("<div><p>a</p><ul><li>b</ul></div><p style='x:y'>c")
    tags = [layout.names[number][0] for number in layout.names_of.tolist()]
    assert tags == ["", "html", "body", "div", "p", "ul", "li", "p"]
    assert layout.parents.tolist() == [-1, 0, 1, 2, 3, 3, 5, 2]
    assert layout.starts.tolist() == [0, 0, 0, 0, 0, 1, 1, 2]
    assert layout.containers.tolist() == [4, 6, 7]
    assert layout.styles == {7: "x:y"}
    assert layout.line_tags() == ["p", "li", "p"]
