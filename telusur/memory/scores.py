"""The score of a waiting URL that is found again, as the strategy wants it."""

from collections.abc import Mapping, Sequence

from telusur.crawl.frontier_records import NewUrl
from telusur.crawl.strategies.contract import Again, Scored, Strategy
from telusur.store.frontier import Sight


class MemoryScores:
    """Combines scores and notes; without a strategy the shortest path to a URL counts."""

    def __init__(self) -> None:
        self.strategy: Strategy | None = None

    @property
    def again(self) -> Again:
        """Return what a further link to a waiting URL means."""
        return Again.NEAREST if self.strategy is None else self.strategy.again

    @property
    def is_ordered(self) -> bool:
        """Tell whether the best URL over all hosts comes next."""
        return self.strategy is not None and self.strategy.is_ordered

    @property
    def keeps_notes(self) -> bool:
        """Tell whether waiting URLs have notes."""
        return self.strategy is not None and self.strategy.keeps_notes

    def merge(self, old: Sight, new: Sight) -> Sight:
        """Combine score and note of a known URL with those of a further link."""
        if self.again is Again.SUM:
            return old[0] + new[0], old[1]
        if self.again is Again.LATEST:
            return new[0], old[1]
        if self.again is Again.BEST:
            return new if new[0] > old[0] else old
        if self.again is Again.ASK and self.strategy is not None:
            return self.strategy.merge([(Scored(*old), Scored(*new))])[0]
        return old

    def gather(self, totals: dict[bytes, Sight], seen: Mapping[bytes, Sight]) -> None:
        """Add further links to those of a group."""
        if self.again.counts:
            for url_id, sight in seen.items():
                old = totals.get(url_id)
                totals[url_id] = sight if old is None else self.merge(old, sight)

    def combine(self, urls: Sequence[NewUrl], one_of_each: dict[bytes, NewUrl]) -> None:
        """Give each URL of a group its score from all links to it that may be followed."""
        totals: dict[bytes, Sight] = {}
        for new in urls:
            if not new.skip_reason:
                self.gather(totals, {new.url_id: (new.score, new.note)})
        for url_id, (score, note) in totals.items():
            one_of_each[url_id] = one_of_each[url_id]._replace(score=score, note=note)
