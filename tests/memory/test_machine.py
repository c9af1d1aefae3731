"""Random schedules on the memory store; those that break a promise are found."""

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from telusur.memory import MemoryStore
from telusur.testing.machine import SharedFrontierMachine
from tests.memory.test_broken_copies import (
    ForgetsRest,
    FreesEverybody,
    HandsOutTwice,
    KeepsAfterRollback,
    LeasesTwice,
    NeverReaps,
    with_parts,
)

SCHEDULES = settings(
    max_examples=60, stateful_step_count=30, deadline=None, derandomize=True, database=None
)
# Looking for a shorter schedule that fails takes longer than finding one.
FIRST = settings(SCHEDULES, max_examples=1000, phases=[Phase.generate], report_multiple_bugs=False)


def run(kind, schedules):
    class Machine(SharedFrontierMachine):
        def make_store(self, clock):
            return kind(clock)

    run_state_machine_as_test(Machine, settings=schedules)


def test_any_schedule_of_sessions_keeps_the_promises():
    run(MemoryStore, SCHEDULES)


@pytest.mark.parametrize(
    "kind",
    [
        with_parts(frontier=LeasesTwice),
        with_parts(frontier=HandsOutTwice),
        with_parts(frontier=ForgetsRest),
        KeepsAfterRollback,
        NeverReaps,
        FreesEverybody,
    ],
)
def test_a_broken_copy_is_found(kind):
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        run(kind, FIRST)
