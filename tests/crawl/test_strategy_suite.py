import pytest

from telusur.crawl.strategies import STRATEGIES, Strategy
from tests.crawl.strategy_suite import check_memory, check_strategy


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_passes_the_suite(name):
    check_strategy(STRATEGIES[name])


@pytest.mark.parametrize("name", STRATEGIES)
def test_no_strategy_grows_without_end(name):
    check_memory(STRATEGIES[name], most_bytes=4_000_000)


class Forgetful(Strategy):
    """Learns, and does not save it."""

    def __init__(self, setup):
        super().__init__(setup)
        self.pages = 0

    def score(self, links, page):
        self.pages += 1
        return [float(-(self.pages**2) % 7 + n) for n in range(len(links))]


class Endless(Strategy):
    def score(self, links, page):
        return [float("inf")] * len(links)


def test_the_suite_finds_what_is_wrong():
    with pytest.raises(AssertionError, match="goes on as if it had not"):
        check_strategy(Forgetful)
    with pytest.raises(AssertionError, match="finite"):
        check_strategy(Endless)
