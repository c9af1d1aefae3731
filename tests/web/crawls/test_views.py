"""What the page of a crawl shows: one speed, and one number for each thing."""

from collections import Counter

import pytest

from telusur.pipeline.control.status import OUTCOMES, Status, with_tallies
from telusur.shelf import Snapshot
from telusur.store.views import ServerAnswers, Tallies, TimelinePoint
from telusur.web.crawls.views import tell, up_to_now, view_crawl
from telusur.web.frame.site_colours import NO_HUES


def sample(at):
    """Counters of a while ago: other than those of now."""
    return TimelinePoint(at, at, 90, 30, at, 41, 7, at, 1000 * at, 5_000_000)


SAMPLES = tuple(sample(at) for at in range(10))


def view(status):
    return view_crawl("c", Snapshot(status, None, ServerAnswers(), (), SAMPLES), NO_HUES)


def test_tiles_and_charts_of_a_running_crawl_tell_the_same():
    tallies = Tallies(failed=Counter({"http 404": 36}), skipped=Counter({"scope": 9}))
    status = with_tallies(
        Status(state="running", waiting=20, in_flight=4, done=12, failed=41, skipped=7, pages=13,
               found=84, pages_per_second=35.8, memory_bytes=6_000_000, processes=3),
        tallies,
    )  # fmt: skip
    shown = view(status)
    tiles = {tile.name: tile.value for tile in shown.tiles}
    charts = {chart.title: chart.now for chart in shown.charts}
    assert tiles["Pages/s"] == charts["Pages per second"] == "35.8"
    for name in ("Waiting", "Done", "Failed", "Memory"):
        assert tiles[name] == charts[name], name
    assert (tiles["Waiting"], charts["Known URLs"]) == ("24", "81"), "those in flight wait too"


def test_failed_and_skipped_are_the_sums_of_their_reasons():
    """Failures that are tried again left the list of reasons, and not the total."""
    tallies = Tallies(failed=Counter({"http 404": 36}), skipped=Counter({"scope": 9, "trap": 1}))
    status = with_tallies(Status(waiting=5, done=10, failed=41, skipped=7, found=63), tallies)
    assert status.failed == sum(status.failed_by_reason.values()) == 36
    assert status.skipped == sum(status.skipped_by_reason.values()) == 10
    assert status.found == 5 + 10 + 36 + 10
    shown = view(status)
    assert sum(row.number for row in shown.failed) == 36
    assert {tile.name: tile.value for tile in shown.tiles}["Failed"] == "36"


def test_a_crawl_without_a_course_has_none():
    assert up_to_now((), Status()) == ()


def test_why_a_crawl_is_paused():
    def told(reason):
        return tell(Status(state="paused", reason=reason, seconds=4.0))

    assert told("on request") == "Paused on request. Started 4 s ago."
    assert told("only 0.5 GB free on the disk") == (
        "Only 0.5 GB free on the disk. Started 4 s ago."
    )


@pytest.mark.parametrize("reason", OUTCOMES)
def test_no_sentence_names_a_command_that_nobody_typed(reason):
    sentence = tell(Status(state="idle", reason=reason))
    assert "command" not in sentence
    assert "`" not in sentence
