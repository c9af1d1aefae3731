from itertools import pairwise

from telusur.backends.files.timeline import MOST_SAMPLES, TIMELINE, TimelineFile, read_timeline
from telusur.store.views import TimelinePoint


def sample(at, pages=0):
    return TimelinePoint(at, pages, 2 * pages, pages, pages, 0, 0, pages, 10 * pages, 1000)


def test_samples_come_back_in_order(tmp_path):
    timeline = TimelineFile(tmp_path, 1.0)
    for second in range(5):
        timeline.add(sample(second, second * 7))
    assert read_timeline(tmp_path) == tuple(sample(second, second * 7) for second in range(5))
    assert [one.at for one in read_timeline(tmp_path, since=3)] == [3, 4]


def test_samples_too_close_are_left_out_but_the_last_is_kept(tmp_path):
    timeline = TimelineFile(tmp_path, 1.0)
    for at in (10.0, 10.2, 11.0, 11.1):
        timeline.add(sample(at))
    timeline.add(sample(11.2), is_last=True)
    assert [one.at for one in read_timeline(tmp_path)] == [10.0, 11.0, 11.2]


def test_the_file_stays_small_and_keeps_both_ends(tmp_path):
    timeline = TimelineFile(tmp_path, 1.0)
    for second in range(50_000):
        timeline.add(sample(second, second))
    timeline.add(sample(50_000, 50_000), is_last=True)
    kept = read_timeline(tmp_path)
    assert MOST_SAMPLES // 3 < len(kept) <= MOST_SAMPLES
    assert (kept[0].at, kept[-1].at) == (0, 50_000)
    gaps = [later.at - earlier.at for earlier, later in pairwise(kept)]
    assert max(gaps) <= 256, "no part of the crawl is forgotten"
    assert (tmp_path / TIMELINE).stat().st_size < 200_000


def test_half_a_line_of_a_killed_crawl_is_passed_over_and_mended(tmp_path):
    TimelineFile(tmp_path, 1.0).add(sample(1, 1))
    with (tmp_path / TIMELINE).open("a") as file:
        file.write('{"at": 2, "pages"')
    assert read_timeline(tmp_path) == (sample(1, 1),)
    TimelineFile(tmp_path, 1.0).add(sample(9, 9))
    assert read_timeline(tmp_path) == (sample(1, 1), sample(9, 9))


def test_strange_lines_and_newer_names_do_no_harm(tmp_path):
    TimelineFile(tmp_path, 1.0).add(sample(1, 1))
    newer = (tmp_path / TIMELINE).read_text().replace("}", ',"harvest":0.5}')
    (tmp_path / TIMELINE).write_text(f"[]\nnull\n{newer}\n{{}}\n\xff\n")
    assert read_timeline(tmp_path) == (sample(1, 1),)


def test_without_a_file_there_are_no_samples(tmp_path):
    assert read_timeline(tmp_path) == ()
    assert read_timeline(tmp_path / "nowhere") == ()


def test_a_disk_that_refuses_does_not_end_a_crawl(tmp_path):
    timeline = TimelineFile(tmp_path / "nowhere", 1.0)
    timeline.add(sample(1))
    assert read_timeline(tmp_path / "nowhere") == ()
