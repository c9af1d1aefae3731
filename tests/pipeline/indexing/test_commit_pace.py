from telusur.pipeline.indexing.commit_pace import BEHIND_SECONDS, MOST_SECONDS, CommitPace


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def wait_until_due(pace: CommitPace, clock: Clock) -> float:
    start = clock.now
    while not pace.is_due():
        clock.now += 0.05
    return clock.now - start


def test_nothing_is_due_before_anything_changed():
    pace = CommitPace(Clock())
    assert not pace.has_changes
    assert not pace.is_due()


def test_the_first_change_is_due_at_once_and_later_ones_wait_longer_and_longer():
    clock = Clock()
    pace = CommitPace(clock)
    waits = []
    for _ in range(6):
        pace.note_change()
        waits.append(wait_until_due(pace, clock))
        pace.note_commit()
        assert not pace.has_changes
    assert waits[0] == 0
    assert waits[:4] == sorted(waits[:4])
    assert MOST_SECONDS - 0.1 < waits[-1] < MOST_SECONDS + 0.1


def test_the_oldest_change_counts():
    clock = Clock()
    pace = CommitPace(clock)
    pace.note_change()
    pace.note_commit()
    pace.note_change()
    clock.now += 0.2
    pace.note_change()
    clock.now += 0.2
    assert pace.is_due()


def test_while_more_is_to_come_changes_wait_longer():
    clock = Clock()
    pace = CommitPace(clock)
    for _ in range(9):
        pace.note_change()
        pace.note_commit()
    pace.note_change()
    clock.now += MOST_SECONDS
    assert pace.is_due()
    assert not pace.is_due(is_behind=True)
    clock.now += BEHIND_SECONDS - MOST_SECONDS
    assert pace.is_due(is_behind=True)
