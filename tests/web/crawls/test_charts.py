import re

import pytest

from telusur.store.views import TimelinePoint
from telusur.web.crawls.charts import HEIGHT, WIDTH, draw, draw_all, draw_spark, show_count, speeds


def sample(at, pages, memory=None):
    return TimelinePoint(at, pages, 2 * pages, pages, pages, 1, 0, pages, 100 * pages, memory)


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
    assert chart.text == "X: now 2, maximum 4"


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
    assert speeds([]) == []


def test_speeds_are_averages_over_the_last_seconds():
    pages = [0, 20, 20, 20, 20, 20, 20, 20]
    found = speeds([sample(at, number) for at, number in enumerate(pages)])
    assert [value for _, value in found] == [20, 10, pytest.approx(20 / 3), 5, 4, 0, 0]


def test_a_pause_brings_the_line_down_to_zero():
    """The line must not rise again at its end, whatever the current speed is said to be."""
    samples = [sample(at, 10 * min(at, 20)) for at in range(40)]
    assert [value for _, value in speeds(samples)[-10:]] == [0.0] * 10
    chart = draw_all(samples, str, 0.0)[0]
    assert (chart.now, chart.most) == ("0.0", "10.0")
    assert numbers(chart.line)[-1][1] == HEIGHT - 1


def test_the_speeds_of_long_crawls_are_smoothed():
    """A crawl of two hours that fetches ten pages every ten seconds, sampled every second."""
    found = speeds([sample(at, at // 10 * 10) for at in range(7200)])
    assert found[-1][0] == 7199
    assert all(0.9 <= value <= 1.1 for _, value in found[120:])


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


def test_the_line_ends_in_the_current_speed():
    """The counters of the last moment are not those from which the speed was measured."""
    samples = [sample(at, 5 * at) for at in range(10)]
    speed = draw_all(samples, str, 6.0)[0]
    assert (speed.now, speed.most) == ("6.0", "6.0")
    assert numbers(speed.line)[-1][1] == 1, "the top"


def test_the_smoothed_line_of_a_long_crawl_does_not_jump_at_its_end():
    """Ten pages every ten seconds are one page per second, but none or two in the last five."""
    samples = [sample(at, at // 10 * 10) for at in range(7200)]
    speed = draw_all(samples, str, 2.0)[0]
    assert (speed.now, speed.most) == ("2.0", "2.0")
    assert numbers(speed.line)[-1][1] == pytest.approx(HEIGHT / 2, abs=2)
    paused = draw_all(samples, str, 0.0)[0]
    assert numbers(paused.line)[-1][1] == HEIGHT - 1


def test_after_the_end_the_caption_shows_the_average_speed():
    samples = [sample(at, min(10 * at, 100)) for at in range(21)]
    speed = draw_all(samples, str)[0]
    assert speed.caption == "average 5.0, maximum 10.0"
    assert speed.text == f"Pages per second: {speed.caption}"
    assert draw_all(samples, str)[1].caption == "last 100, maximum 100"
    assert draw_all(samples, str, 1.0)[1].caption == "now 100, maximum 100"
