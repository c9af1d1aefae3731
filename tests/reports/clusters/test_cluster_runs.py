"""Runs in the background, and how long their clusters are shown."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from telusur.collection import open_collection
from telusur.errors import UsageError
from telusur.reports.clusters.cluster_runs import (
    FAILURE_SECONDS,
    LEAST_SECONDS,
    LONGEST_SECONDS,
    MOST_SECONDS,
    ClusterRun,
    ClusterRuns,
)

SITE = "blog.localhost"
LONG = 100


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@contextmanager
def held() -> Iterator[tuple[ClusterRun, threading.Event]]:
    """A run that waits in the middle of its work until the block ends."""
    begun, go = threading.Event(), threading.Event()

    def work(watch):
        watch(1, 3)
        begun.set()
        assert go.wait(LONG)
        raise UsageError("it was held")

    run = ClusterRun(work, 3)
    try:
        assert begun.wait(LONG)
        yield run, go
    finally:
        go.set()
        assert run.wait(LONG)


def test_a_run_shows_how_far_it_is_and_has_the_clusters_at_its_end(demo):
    with open_collection(demo.directory) as collection:
        run = ClusterRun(lambda watch: collection.clusters(SITE, pages=10, watch=watch), 37)
        assert run.wait(LONG)
        assert (run.read, run.of, run.is_cut, run.problem) == (10, 10, False, "")
        assert run.view.clusters == collection.clusters(SITE, pages=10).clusters


def test_pages_that_take_too_long_are_left_out(demo):
    clock = Clock()

    def work(watch):
        def slowly(read, of):
            clock.now += MOST_SECONDS / 4.5
            return watch(read, of)

        return collection.clusters(SITE, pages=12, watch=slowly)

    with open_collection(demo.directory) as collection:
        run = ClusterRun(work, 37, clock=clock)
        assert run.wait(LONG)
    assert (run.read, run.of, run.is_cut) == (4, 12, True)
    assert len(run.view.urls) == 4


def test_a_run_that_nobody_wants_any_more_reads_no_more(demo):
    read = []

    def work(watch):
        return collection.clusters(
            SITE, pages=12, watch=lambda at, of: read.append(at) or watch(at, of)
        )

    with open_collection(demo.directory) as collection:
        run = ClusterRun(work, 37, is_unwanted=lambda: len(read) == 3)
        assert run.wait(LONG)
    assert read == [0, 1, 2]


def test_one_run_at_a_time():
    with held() as (first, _):
        second = ClusterRun(lambda watch: watch(5, 5), 3)
        assert not second.wait(0.05)
        assert (first.read, first.of, second.of) == (1, 3, 0)
    assert second.wait(LONG)
    assert (first.problem, second.of) == ("it was held", 5)


def test_clusters_are_shown_again_for_a_while():
    clock = Clock()
    run = ClusterRun(lambda watch: "a view", 10, clock=clock)
    assert run.wait(LONG)
    clock.now = LEAST_SECONDS - 1
    assert run.is_good(pages=11)
    clock.now = LEAST_SECONDS + 1
    assert (run.is_good(pages=11), run.is_good(pages=10)) == (False, True)
    clock.now = LONGEST_SECONDS + 1
    assert not run.is_good(pages=10)


def fail(watch):
    raise UsageError("the disk is gone")


def test_a_failure_is_shown_for_a_moment():
    clock = Clock()
    run = ClusterRun(fail, 10, clock=clock)
    assert run.wait(LONG)
    assert (run.view, run.problem, run.is_good(10)) == (None, "the disk is gone", True)
    clock.now = FAILURE_SECONDS + 1
    assert not run.is_good(10)


def test_a_bug_is_a_problem_too(capsys):
    run = ClusterRun(lambda watch: 1 / 0, 10)
    assert run.wait(LONG)
    assert "the terminal of the server says why" in run.problem
    assert "ZeroDivisionError" in capsys.readouterr().err


def test_a_server_that_closes_says_nothing(capsys):
    run = ClusterRun(lambda watch: 1 / 0, 10, is_unwanted=lambda: True)
    assert run.wait(LONG)
    assert capsys.readouterr().err == ""


def test_runs_are_kept_by_site_and_the_oldest_is_forgotten():
    runs = ClusterRuns(most=2)

    def get(key):
        run = runs.get(key, 10, lambda: ClusterRun(lambda watch: key, 10))
        assert run.wait(LONG)
        return run

    first, second = get("a"), get("b")
    assert get("a") is first
    get("c")  # b was asked for longest ago
    assert get("a") is first
    assert get("b") is not second


def test_too_many_runs_at_once_are_refused():
    runs = ClusterRuns(most=1)
    with held() as (run, _):
        assert runs.get("a", 3, lambda: run) is run
        assert runs.get("b", 3, lambda: pytest.fail("it must not start")) is None
        assert runs.get("a", 3, lambda: pytest.fail("it must not start")) is run
