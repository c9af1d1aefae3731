"""How fast a crawl is, over the last few seconds."""

from telusur.pipeline.control.progress import Progress, Speed, Speedometer


def test_speed_forgets_what_is_long_ago():
    progress, speedometer = Progress(0.0), Speedometer()
    assert speedometer.measure(progress, 0.0) == Speed(0, 0)
    for second in range(1, 11):
        progress.fetched += 10
        progress.bytes += 1000
        speed = speedometer.measure(progress, float(second))
        assert speed == Speed(10, 1000)
    for second in range(11, 16):
        speed = speedometer.measure(progress, float(second))
    assert speed == Speed(0, 0)


def test_speed_of_a_moment_is_not_infinite():
    progress, speedometer = Progress(5.0), Speedometer()
    speedometer.measure(progress, 5.0)
    progress.fetched = 3
    assert speedometer.measure(progress, 5.0) == Speed(0, 0)
    assert speedometer.measure(progress, 6.0) == Speed(3, 0)


def test_a_paused_crawl_has_no_speed():
    progress, speedometer = Progress(0.0), Speedometer()
    speedometer.measure(progress, 0.0)
    progress.fetched, progress.paused = 70, "on request"
    assert speedometer.measure(progress, 2.0) == Speed(0, 0)
    progress.paused = ""
    assert speedometer.measure(progress, 4.0) == Speed(17.5, 0)
