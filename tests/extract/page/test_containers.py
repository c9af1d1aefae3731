from telusur.extract.page.containers import find_containers
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout


def test_elements_around_the_same_lines_are_one_container():
    html = "<div class=a><section id=b><p>x</p><p>y</p></section></div>"
    layout = read_layout(parse_html(html))
    found = find_containers(layout)
    names = [layout.names[number] for number in found.names.tolist()]
    assert names[2:5] == [("body", "", "", ""), ("div", "a", "", ""), ("section", "", "b", "")]
    assert [layout.names[number][0] for number in found.innermost] == ["section", "p", "p"]
    assert found.sizes.tolist() == [5, 1, 1]
    assert found.inside.starts.tolist() == [0, 0, 1]
    assert found.inside.ends.tolist() == [2, 1, 2]
    assert found.own.tolist() == [1, 2]
    assert found.parents.tolist() == [0, 0, 0]


def test_a_container_without_lines_does_not_count():
    found = find_containers(read_layout(parse_html("<div></div><p>x</p><div><hr></div>")))
    assert len(found.names_at) == 1
