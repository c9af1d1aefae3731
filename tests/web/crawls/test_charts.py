import re

from telusur.adapters.timeline_file import Sample
from telusur.web.charts import HEIGHT, WIDTH, draw, draw_all, draw_spark, show_count, speeds


def sample(at, pages, memory=None):
    return Sample(at, pages, 2 * pages, pages, pages, 1, 0, pages, 100 * pages, memory)


def numbers(path):
    return [tuple(map(float, pair)) for pair in re.findall(r"([\d.]+) ([\d.]+)", path)]


def test_a_line_spans_the_whole_width_and_stays_inside():
    chart = draw("x", "X", [(10, 0.0), (15, 4.0), (20, 2.0)], show_count)
    points = numbers(chart.line)
    assert [x for x, _ in points] == [0, WIDTH / 2, WIDTH]
    assert all(0 <= y <= HEIGHT for _, y in points)
    assert points[1][1] < points[2][1] < points[0][1], "more is higher"
    assert chart.area.startswith(chart.line)
    assert (chart.now, chart.most) == ("2", "4")
    assert chart.text == "X: now 2, at most 4"


def test_nothing_is_drawn_of_nothing():
    assert draw("x", "X", [], show_count).line == ""
    assert draw("x", "X", [(1, 5.0)], show_count).line == ""
    assert draw_all([sample(1, 1), sample(2, 2)], str) == []
    flat = draw("x", "X", [(1, 0.0), (1, 0.0)], show_count)
    assert "nan" not in flat.line


def test_speed_is_pages_a_second():
    found = speeds([sample(at, 5 * at) for at in range(10)])
    assert [round(value, 6) for _, value in found] == [5.0] * 9
    assert speeds([sample(0, 9), sample(1, 4)]) == [(1, 0.0)], "a new run counts from zero"


def test_long_crawls_are_smoothed_and_reach_their_end():
    found = speeds([sample(at, 5 * at) for at in range(721)])
    assert len(found) < 70
    assert found[-1][0] == 720


def test_memory_is_drawn_where_it_is_known():
    samples = [sample(at, at) for at in range(5)]
    assert [chart.name for chart in draw_all(samples, str)] == [
        "speed", "done", "waiting", "found", "failed",
    ]  # fmt: skip
    known = [sample(at, at, 1000) for at in range(5)]
    assert draw_all(known, str)[-1].name == "memory"


def test_a_spark_is_small():
    chart = draw_spark([sample(at, at) for at in range(5)])
    assert (chart.width, chart.height) == (120, 24)
    assert max(x for x, _ in numbers(chart.line)) == 120
