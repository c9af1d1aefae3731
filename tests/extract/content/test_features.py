import numpy as np
import pytest

from telusur.extract.content.features import CONTAINER_COLUMNS, LINE_COLUMNS, measure_page
from telusur.extract.facts.metadata import Metadata
from telusur.extract.page.dom import parse_html
from telusur.extract.page.layout import read_layout


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
    page = measure_page(read_layout(parse_html(html)), Metadata(title="T"))
    assert page.lines.shape[1] == LINE_COLUMNS
    assert page.containers.shape[1] == CONTAINER_COLUMNS
    for numbers in (page.lines, page.containers):
        assert numbers.dtype == np.float32
        assert np.isfinite(numbers).all()
        assert np.abs(numbers).max() < 20


def test_the_same_page_gives_the_same_numbers():
    html = "<main class=x><h1>T</h1><p>some words here</p></main>"
    one, other = (measure_page(read_layout(parse_html(html)), Metadata()) for _ in range(2))
    np.testing.assert_array_equal(one.lines, other.lines)
    np.testing.assert_array_equal(one.containers, other.containers)
