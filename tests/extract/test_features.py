import numpy as np
import pytest

from telusur.extract.dom import parse_html, walk
from telusur.extract.features import CONTAINER_COLUMNS, LINE_COLUMNS, find_containers, measure_page
from telusur.extract.metadata import Metadata


def test_elements_around_the_same_lines_are_one_container():
    found = find_containers(
        walk(parse_html("<div class=a><section id=b><p>x</p><p>y</p></section></div>"))
    )
    assert found.names[0][-2:] == [("div", "a", "", ""), ("section", "", "b", "")]
    assert [each[-1][0] for each in found.names] == ["section", "p", "p"]
    assert found.inside.starts.tolist() == [0, 0, 1]
    assert found.inside.ends.tolist() == [2, 1, 2]
    assert found.own.tolist() == [1, 2]
    assert found.parents.tolist() == [0, 0, 0]


def test_a_container_without_lines_does_not_count():
    found = find_containers(walk(parse_html("<div></div><p>x</p><div><hr></div>")))
    assert len(found.names) == 1


@pytest.mark.parametrize(
    "html",
    [
        "x",
        "<p>a<p>b",
        "<h1>T</h1>" + "<ul><li>1<li>2</ul>" * 50,
        "<table><tr><td>日本<td>2 €</table>",
    ],
)
def test_numbers_are_complete_finite_and_moderate(html):
    page = measure_page(walk(parse_html(html)), Metadata(title="T"))
    assert page.lines.shape[1] == LINE_COLUMNS
    assert page.containers.shape[1] == CONTAINER_COLUMNS
    for numbers in (page.lines, page.containers):
        assert numbers.dtype == np.float32
        assert np.isfinite(numbers).all()
        assert np.abs(numbers).max() < 20


def test_the_same_page_gives_the_same_numbers():
    html = "<main class=x><h1>T</h1><p>some words here</p></main>"
    one, other = (measure_page(walk(parse_html(html)), Metadata()) for _ in range(2))
    np.testing.assert_array_equal(one.lines, other.lines)
    np.testing.assert_array_equal(one.containers, other.containers)
