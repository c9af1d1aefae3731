from telusur.extract.dom import join_lines, parse_html, walk


def rows_of(html: str) -> list[str]:
    return [line.text for line in walk(parse_html(html))]


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
    assert join_lines(walk(parse_html(table))) == "a b\nc\nd"


def test_characters_of_links_are_counted():
    (line,) = walk(parse_html("<p>ab<a href=/>cd<i>e</i></a>"))
    assert line.linked == 3
