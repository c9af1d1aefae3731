from telusur.extract.dom import join_lines, parse_html, walk


def rows_of(html: str) -> list[str]:
    return [line.text for line in walk(parse_html(html)).lines]


def test_lines_end_at_block_boundaries():
    assert rows_of("a<b>b</b><div>c<p>d</p>e<hr>f</div>g<p></p>h") == [
        "ab",
        "c",
        "d",
        "e",
        "f",
        "g",
        "h",
    ]


def test_breaks_stay_within_a_line():
    assert rows_of("<p>a<br>b<br><br> c</p>") == ["a\nb\nc"]


def test_preformatted_text_keeps_its_white_space():
    assert rows_of("<pre>\n  a\n    <b>b</b>  c\n</pre>") == ["  a\n    b  c"]


def test_cells_of_a_row_stand_beside_each_other():
    table = "<table><tr><td>a<td>b<tr><td>c<td><p>d</p></table>"
    assert join_lines(walk(parse_html(table)).lines) == "a b\nc\nd"


def test_characters_of_links_are_counted():
    (line,) = walk(parse_html("<p>ab<a href=/>cd<i>e</i></a>")).lines
    assert line.linked == 3


def test_what_shows_nothing_is_no_line():
    assert rows_of("<p>&shy;<p> \n<p>&shy; &nbsp;<p>a&shy;b") == ["ab"]


def test_names_within_a_line_are_its_marks():
    (line,) = walk(parse_html("<p>by <a rel=author>Ada</a>, <span class=day>May</span>")).lines
    assert line.marks.split() == ["a", "author", "span", "day"]


def test_marks_are_bounded_however_deep_elements_nest():
    (line,) = walk(parse_html("<b class=x>" * 5000 + "deep")).lines
    assert len(line.marks) < 300


def test_containers_know_their_parents_and_the_lines_before_them():
    layout = walk(parse_html("<div><p>a</p><ul><li>b</ul></div><p>c"))
    tags = [getattr(element, "tag", "") for element in layout.elements]
    assert tags == ["", "html", "body", "div", "p", "ul", "li", "p"]
    assert layout.parents == [-1, 0, 1, 2, 3, 3, 5, 2]
    assert layout.starts == [0, 0, 0, 0, 0, 1, 1, 2]
    assert [line.container for line in layout.lines] == [4, 6, 7]
