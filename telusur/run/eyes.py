"""The half of a strategy that runs beside the parsers: it looks at texts, and never learns."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from telusur.crawl.discovery import FoundLink
from telusur.crawl.relevance import measure
from telusur.crawl.strategies import Strategy
from telusur.crawl.topic import PageText
from telusur.models import Document, Link, Reason
from telusur.run.strategy_source import StrategySource, shared_strategy

if TYPE_CHECKING:
    from telusur.run.parsing import Parsed


@dataclass(slots=True, frozen=True)
class Eyes:
    """What of a strategy and its topic is sent to the parsers; without a source, nothing."""

    source: StrategySource | None = None

    def warm_up(self) -> None:
        """Make the strategy before the first page waits."""
        if self.source is not None:
            shared_strategy(self.source)

    def look(
        self, parsed: "Parsed", document: Document, links: Sequence[Link], again: Sequence[int]
    ) -> None:
        """Have the strategy look at a page and its links, and note what it saw."""
        if self.source is None:
            return
        strategy = shared_strategy(self.source)
        page = PageText(document)
        if self.source.setup.topic:
            parsed.measure = measure(page, self.source.setup.topic)
        if strategy.judges_links:
            parsed.fresh = _judged(strategy, page, parsed.fresh)
        if again:
            parsed.again = array("I", again)
        if type(strategy).look is not Strategy.look:
            followed = [found.link for found in parsed.fresh if not found.skip_reason]
            parsed.sight = strategy.look(page, followed + [links[place] for place in again])


def _judged(strategy: Strategy, page: PageText, found: Sequence[FoundLink]) -> list[FoundLink]:
    """Ask about the links that may be followed."""
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
