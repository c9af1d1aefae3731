"""The half of a strategy that runs in the parsers: it looks at texts, and never learns."""

from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from telusur.crawl.relevance import measure
from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.strategies import Strategy
from telusur.crawl.topic import PageText
from telusur.errors import UsageError
from telusur.models import Document, Link, Reason
from telusur.pipeline.plan.strategy_source import StrategySource

if TYPE_CHECKING:
    from telusur.pipeline.parsing.page_parser import Parsed


class Eyes:
    """The strategy and topic as sent to the parsers; without a source, nothing."""

    def __init__(self, source: StrategySource | None = None) -> None:
        self._source = source

    def __reduce__(self) -> tuple[type["Eyes"], tuple[StrategySource | None]]:
        return Eyes, (self._source,)

    @cached_property
    def _strategy(self) -> Strategy:
        assert self._source is not None
        return self._source.make()

    def warm_up(self) -> None:
        """Make the strategy before the first page arrives."""
        if self._source is not None:
            _ = self._strategy

    def look(
        self, parsed: "Parsed", document: Document, links: Sequence[Link], again: Sequence[int]
    ) -> None:
        """Let the strategy look at a page and its links, and keep its notes."""
        if self._source is None:
            return
        page = PageText(document)
        if again:
            parsed.again = array("I", again)
        if self._source.setup.topic:
            parsed.measure = measure(page, self._source.setup.topic)
        try:
            self._source.guard(lambda: self._ask(parsed, page, [links[place] for place in again]))
        except UsageError as error:
            # An error of the user's strategy is reported with the page.
            parsed.trouble = parsed.trouble or f"{Reason.STRATEGY}: {error}"

    def judge(self, page: Document, found: list[FoundLink]) -> list[FoundLink]:
        """Let the strategy refuse links, if it judges links."""
        if self._source is None or not self._strategy.judges_links:
            return found
        return self._source.guard(lambda: _judged(self._strategy, PageText(page), found))

    def _ask(self, parsed: "Parsed", page: PageText, again: list[Link]) -> None:
        strategy = self._strategy
        if strategy.judges_links:
            parsed.fresh = _judged(strategy, page, parsed.fresh)
        if type(strategy).look is not Strategy.look:
            followed = [found.link for found in parsed.fresh if not found.skip_reason]
            parsed.sight = strategy.look(page, followed + again)


def _judged(strategy: Strategy, page: PageText, found: Sequence[FoundLink]) -> list[FoundLink]:
    """Ask about the links in scope."""
    followed = [one.link for one in found if not one.skip_reason]
    reasons = iter(strategy.refuse(page, followed))
    judged = []
    for one in found:
        reason = "" if one.skip_reason else next(reasons)
        if reason:
            judged.append(one._replace(skip_reason=f"{Reason.STRATEGY}: {reason}"))
        else:
            judged.append(one if one.skip_reason else one._replace(is_wanted=True))
    return judged
