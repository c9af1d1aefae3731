"""The dashboard: what stands in it, and what must not."""

from telusur.cli.crawl_report import progress_line
from telusur.cli.status_report import dashboard
from telusur.pipeline.control.progress import Progress
from telusur.pipeline.control.status import Status, status_from
from telusur.store.views import FailedStarts, SiteTally


def shown(**values):
    return dashboard(Status(**values), "c", 80).plain


def test_a_running_crawl():
    text = shown(
        state="running", pid=7, seconds=75.2, found=2000, waiting=1490, in_flight=10, done=400,
        failed=60, skipped=40, fetched=460, bytes=5_000_000, pages_per_second=12.34,
        bytes_per_second=120_000, memory_bytes=250_000_000, processes=3, answers={"200": 1400},
        failed_by_reason={"http 404": 60}, site_count=12,
        sites=(SiteTally("a.example", 1234, 56, 7, 8),), last_url="http://a.example/x",
    )  # fmt: skip
    for words in (
        "c  running  started 1 min 15 s ago, process 7\n",
        "25% of 2,000 found",
        "1,490 waiting · 10 in flight · 400 done · 60 failed · 40 skipped",
        "12.3 pages/s · 120.0 kB/s · 460 pages in this run · 5.0 MB",
        "250.0 MB in 3 processes",
        "1,400 × 200",
        "60 http 404",
        "a.example     1,234        56       7",
        "and 11 more",
        "http://a.example/x",
    ):
        assert words in text
    assert max(map(len, text.splitlines())) <= 80


def test_each_state_says_what_is_going_on():
    assert "only 0.8 GB free" in shown(state="paused", reason="only 0.8 GB free on the disk")
    assert "completing requests in flight" in shown(
        state="stopping", reason="interrupted", in_flight=3
    )
    assert "finishing the index" in shown(state="stopping", reason="done")
    assert "nothing was crawled yet" in shown()
    assert "was killed" in shown(reason="running")
    assert "cannot be asked" in shown(state="busy")
    assert "paused  on request, started 4.0 s ago" in shown(
        state="paused", reason="on request", seconds=4.0
    )


def test_a_crawl_that_brought_nothing_says_why():
    starts = FailedStarts(1, "http://a.example/\x1b[2J", "failed", "http 404")
    text = shown(reason="done", failed_starts=starts)
    assert "the last crawl fetched nothing: http://a.example/ [2J failed (http 404)" in text
    assert "no URLs are left" not in text
    assert "\x1b" not in text


def test_what_the_web_says_does_not_drive_the_terminal():
    text = shown(
        state="running", last_url="http://a/\x1b[2J", failed_by_reason={"x\x1b]0;y\x07": 1},
        sites=(SiteTally("\u202eevil", 1, 0, 0, 0),),
    )  # fmt: skip
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_a_status_of_another_version_is_understood():
    record = {**Status(state="running", found=3).as_record(), "new_counter": 1}
    assert status_from(record) == Status(state="running", found=3)
    assert status_from({"state": "paused"}).state == "paused"


def test_the_line_of_a_paused_crawl_says_so():
    progress = Progress(0.0, fetched=10)
    assert "10 pages  5.0/s  " in progress_line(progress, 2.0)
    progress.paused = "only 0.1 GB free"
    assert "10 pages  paused  " in progress_line(progress, 2.0)
