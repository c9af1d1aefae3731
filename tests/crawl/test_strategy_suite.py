import pytest

from telusur.crawl.strategies import Again, Strategy
from telusur.crawl.strategies.by_name import STRATEGIES
from tests.crawl.strategy_suite import check_memory, check_strategy


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_passes_the_suite(name):
    # `focused` looks at the links beside a link, in the order in which they come
    check_strategy(STRATEGIES[name], forgets=name != "focused")


def test_fish_search_passes_it_also_when_pages_have_more_links_than_it_takes():
    check_strategy(STRATEGIES["fish-search"], width=1.0)


@pytest.mark.slow
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


class FirstComes(Strategy):
    """Goes by the order in which links come, which depends on what the parsers remember."""

    def score(self, links, page):
        return [1.0 / (n + 1) for n in range(len(links))]


class Counting(Strategy):
    """Counts the links that may be new, though some are not."""

    again = Again.KEEP
    found = 0

    def score(self, links, page):
        self.found += len(links)
        return [float(-self.found)] * len(links)

    def save(self):
        return {"found": str(self.found).encode()}

    def restore(self, parts):
        self.found = int(parts["found"])


class Endless(Strategy):
    def score(self, links, page):
        return [float("inf")] * len(links)


def test_the_suite_finds_what_is_wrong():
    with pytest.raises(AssertionError, match="goes on as if it had not"):
        check_strategy(Forgetful)
    for kind in (FirstComes, Counting):
        with pytest.raises(AssertionError, match=r"goes on as if it had not|learned the same"):
            check_strategy(kind)
    with pytest.raises(AssertionError, match="finite"):
        check_strategy(Endless)
