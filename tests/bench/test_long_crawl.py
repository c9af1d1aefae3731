from xml.etree import ElementTree

import pytest

from bench.long_crawl.picture import WINDOW_SECONDS, Moment, draw, speeds_of, ticks


@pytest.mark.parametrize("most", [0.7, 3, 55, 99, 100, 101, 999, 12_345, 100_000])
def test_an_axis_has_a_few_round_numbers_that_reach_its_end(most):
    found = ticks(most)
    assert found[0] == 0
    assert found[-1] >= most
    assert 3 <= len(found) <= 8


def test_the_speed_is_that_of_the_last_seconds():
    slow = [Moment(at, 10 * at, 0, 0, 2 * at) for at in range(30)]
    fast = [Moment(30 + at, 290 + 100 * at, 0, 0, 60 + 2 * at) for at in range(1, 30)]
    found = list(speeds_of(slow + fast, lambda moment: moment.at))
    assert found[0] == (10 * WINDOW_SECONDS / 2, pytest.approx(10))
    by_cpu = list(speeds_of(slow + fast, lambda moment: moment.cpu))
    assert by_cpu[0][1] == pytest.approx(5)
    assert found[-1] == (slow[-1].pages + 2900, pytest.approx(100))


def test_the_picture_is_xml_with_two_lines_for_speed_and_two_for_memory():
    root = ElementTree.fromstring(draw([Moment(at, 50 * at, 200, 150, 2 * at) for at in range(60)]))
    lines = [each for each in root.iter() if each.tag.endswith("polyline")]
    assert len(lines) == 4
    assert all(len(line.attrib["points"].split()) > 40 for line in lines)
