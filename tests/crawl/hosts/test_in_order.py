"""Pages of a host come in the order they were fetched."""

from hypothesis import given
from hypothesis import strategies as st

from telusur.crawl.hosts.in_order import MOST_HELD, InOrder


@given(st.permutations(range(12)))
def test_outcomes_come_in_the_order_of_their_places(finished):
    line: InOrder[int] = InOrder()
    places = [line.take_place() for _ in finished]
    delivered = [one for number in finished for one in line.deliver(places[number], number)]
    assert delivered == sorted(finished)


def test_each_comes_as_soon_as_nothing_before_it_is_open():
    line: InOrder[str] = InOrder()
    first, second, third = (line.take_place() for _ in range(3))
    assert line.deliver(second, "b") == []
    assert line.deliver(first, "a") == ["a", "b"]
    assert line.deliver(third, "c") == ["c"]


def test_what_waits_at_the_end_is_not_lost():
    line: InOrder[str] = InOrder()
    first, second = line.take_place(), line.take_place()
    assert line.deliver(second, "b") == []
    assert line.deliver_all() == ["b"]
    assert line.deliver_all() == []
    assert line.deliver(first, "a") == ["a"]


def test_a_page_that_takes_forever_does_not_hold_back_its_host_forever():
    line: InOrder[int] = InOrder()
    stuck = line.take_place()
    places = [line.take_place() for _ in range(MOST_HELD + 1)]
    delivered = [line.deliver(place, number) for number, place in enumerate(places)]
    assert delivered[:-1] == [[]] * MOST_HELD
    assert delivered[-1] == list(range(MOST_HELD + 1))
    assert line.deliver(stuck, -1) == [-1]


def test_nobody_waits_for_a_page_that_left_the_line():
    line: InOrder[str] = InOrder()
    first, second, third = (line.take_place() for _ in range(3))
    assert line.deliver(third, "c") == []
    assert line.deliver(second, "b") == []
    assert line.leave(first) == ["b", "c"]
    assert line.leave(first) == []
    assert line.deliver(first, "a") == ["a"]
