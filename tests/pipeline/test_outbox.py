"""The outbox: what is under way is counted, and written when it is time."""

import asyncio

import pytest

from telusur.pipeline.outbox import BEAT_SECONDS
from telusur.pipeline.recorder import COMMIT_SECONDS
from tests.pipeline.in_memory import Parts


@pytest.fixture
def parts():
    parts = Parts()
    yield parts
    parts.outbox.close()


def test_a_url_is_under_way_until_its_group_is_written(parts):
    host = parts.take_start()
    parts.end(host, "Coast")
    size = parts.outbox.bytes_under_way
    assert (parts.outbox.under_way, host.uncommitted) == (1, 1)
    assert size > 0
    parts.write()
    assert (parts.outbox.under_way, parts.outbox.bytes_under_way, host.uncommitted) == (0, 0, 0)
    progress = parts.equipment.progress
    assert (progress.pages, progress.bytes) == (1, size)


def test_new_work_comes_in_return_for_a_group(parts):
    host = parts.take_start()
    parts.end(host, links=["/fog", "/gulls"])
    parts.wishes()
    refill = asyncio.run(parts.outbox.write(parts.outbox.next_group(), parts.clock()))
    assert [one.url[-4:] for one in refill.more[host.name]] == ["/fog", "ulls"]
    assert parts.equipment.progress.found == 3


def test_an_empty_group_is_never_due(parts):
    assert parts.outbox.due_at(parts.clock(), is_idle=True) is None


def test_a_group_waits_a_beat_for_more_while_requests_are_under_way(parts):
    host = parts.take_start()
    parts.write()
    written_at = parts.clock()
    parts.clock.now += 0.1
    parts.end(host)
    now = parts.clock()
    assert parts.outbox.due_at(now, is_idle=False) == written_at + BEAT_SECONDS
    assert parts.outbox.due_at(now, is_idle=True) == now


def test_a_large_group_is_due_at_once():
    parts = Parts(is_ordered=True)
    host = parts.take_start()
    parts.end(host)
    assert parts.outbox.due_at(parts.clock(), is_idle=False) == parts.clock()
    parts.outbox.close()


def test_the_first_outcome_of_a_group_wakes_the_crawl(parts):
    host = parts.activate("1", "2", "3")
    for _ in range(3):
        parts.end(host)
    assert parts.wakes == 1
    parts.outbox.next_group()
    host.urls.extend(parts.activate("4").urls)
    parts.end(host)
    assert parts.wakes == 2


def test_what_was_written_is_committed_when_nothing_more_comes():
    parts = Parts(strategy="best-first", topic="fog")
    host = parts.take_start()
    parts.end(host)
    parts.write()
    commit_at = parts.outbox.commit_at
    assert commit_at == pytest.approx(parts.clock() + COMMIT_SECONDS)
    asyncio.run(parts.outbox.commit_when_due(commit_at - 0.1))
    assert parts.outbox.commit_at == commit_at
    asyncio.run(parts.outbox.commit_when_due(commit_at))
    assert parts.outbox.commit_at is None
    parts.outbox.close()


def test_at_the_end_nothing_is_leased(parts):
    parts.take_start()
    assert parts.desk.states() == {"leased": 1}
    asyncio.run(parts.outbox.finish(parts.clock()))
    assert parts.desk.states() == {"waiting": 1}
