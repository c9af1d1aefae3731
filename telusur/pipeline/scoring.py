"""Runs the strategy in the main process: shows it pages, asks for scores, saves its state."""

import json
import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import repeat
from typing import NamedTuple, overload

from telusur.crawl.relevance import Gauge, saved_gauge
from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.strategies import Scored, Strategy, Visit
from telusur.crawl.strategies.breadth_first import BreadthFirst
from telusur.crawl.strategies.depth_first import DepthFirst
from telusur.crawl.urls.link_record import unpack_links
from telusur.errors import UsageError
from telusur.models import Document, Link
from telusur.pipeline.outcomes import Outcome
from telusur.pipeline.parsing.page_parser import Parsed
from telusur.pipeline.plan.strategy_source import StrategySource
from telusur.store.catalogue import StrategyState

_OWN, _COUNTS, _GAUGE = "strategy/", "counts", "relevance"


class PageLinks(Sequence[Link]):
    """The links of a page to score: first those that may be new, then the known ones.

    The texts of known links are unpacked on demand.
    """

    def __init__(self, found: Sequence[FoundLink], parsed: Parsed) -> None:
        self._found = found
        self._parsed = parsed

    def __len__(self) -> int:
        return len(self._found) + len(self._parsed.again or ())

    @cached_property
    def _links(self) -> list[Link]:
        links = [one.link for one in self._found]
        if self._parsed.again:
            known = unpack_links(self._parsed.links)
            links += [known[place] for place in self._parsed.again]
        return links

    @overload
    def __getitem__(self, at: int) -> Link: ...

    @overload
    def __getitem__(self, at: slice) -> list[Link]: ...

    def __getitem__(self, at: int | slice) -> Link | list[Link]:
        return self._links[at]


class PageScores(NamedTuple):
    """The scores of a page's links."""

    # Links that may be new.
    found: list[tuple[FoundLink, Scored]]
    # Known links by url_id: score and note.
    again: dict[bytes, tuple[float, bytes]]


class Scoring:
    """Runs one strategy on one collection; the caller owns transactions."""

    def __init__(self, source: StrategySource, prospects: StrategyState) -> None:
        self.strategy = source.make()
        self._source = source
        self._prospects = prospects
        # These look at no page. A user's subclass may.
        self._goes_by_depth = type(self.strategy) in (BreadthFirst, DepthFirst)
        self._gauge = Gauge()
        # Pages shown to the strategy so far.
        self.pages = 0
        self._saved_pages = 0
        self._rescore_at = 1.0

    def resume(self) -> None:
        """Load the state of the last commit."""
        state = self._prospects.state()
        self._gauge = saved_gauge(state)
        self.pages, self._rescore_at = json.loads(state.get(_COUNTS, b"[0, 1]"))
        own = {
            part.removeprefix(_OWN): value for part, value in state.items() if part.startswith(_OWN)
        }
        if own:
            self.strategy.restore(own)

    def start_over(self) -> None:
        """Forget the state: waiting URLs were scored by another strategy, or for another topic."""
        depths = self._prospects.depths()
        self._prospects.start_over({depth: self.strategy.plain_score(depth) for depth in depths})

    def judge(self, parsed: Parsed, document: Document) -> None:
        """Set the topic score of a document, if the crawl has a topic."""
        if parsed.measure is None:
            return
        document.topic_score = self._gauge.judge(parsed.measure)
        is_relevant = self._gauge.reaches(document.topic_score, self._source.bar)
        document.topic = self._source.setup.topic.name if is_relevant else ""

    def score(self, outcomes: Sequence[Outcome]) -> list[PageScores]:
        """Show the strategy the pages of a group; return the scores of their links."""
        if self._goes_by_depth:
            return [self._by_depth(outcome) for outcome in outcomes]
        return self._source.guard(lambda: self._score(outcomes))

    def _by_depth(self, outcome: Outcome) -> PageScores:
        parsed = outcome.parsed
        if parsed is None or parsed.document is None:
            return PageScores([], {})
        self.pages += 1
        scored = Scored(self.strategy.plain_score(outcome.leased.depth + 1))
        return PageScores([(one, scored) for one in parsed.fresh if not one.skip_reason], {})

    def _score(self, outcomes: Sequence[Outcome]) -> list[PageScores]:
        scored = [PageScores([], {}) for _ in outcomes]
        shown = {
            at: _Shown(outcome, outcome.parsed)
            for at, outcome in enumerate(outcomes)
            if outcome.parsed is not None and outcome.parsed.document is not None
        }
        # Notes are written after each page.
        if self.strategy.keeps_notes:
            for at, page in shown.items():
                (scored[at],) = self._score_pages([page])
        elif shown:
            for at, one in zip(shown, self._score_pages([*shown.values()]), strict=True):
                scored[at] = one
        return scored

    def _score_pages(self, pages: Sequence["_Shown"]) -> list[PageScores]:
        self.pages += len(pages)
        scores = self.strategy.score_pages([(page.links, page.visit) for page in pages])
        return [self._with_notes(page, one) for page, one in zip(pages, scores, strict=True)]

    def _with_notes(self, page: "_Shown", scores: Sequence[float]) -> PageScores:
        links, found = page.links, page.found
        if not len(links):
            return PageScores([], {})
        values = _checked(scores, links, self.strategy)
        notes: Iterable[bytes] = repeat(b"", len(values))
        if self.strategy.keeps_notes:
            notes = self.strategy.notes(links, page.visit)
        scored = list(zip(values, notes, strict=True))
        fresh = [(one, Scored(*scored[at])) for at, one in enumerate(found)]
        return PageScores(fresh, dict(zip(page.again, scored[len(found) :], strict=True)))

    @property
    def is_rescore_due(self) -> bool:
        """Whether the fetched pages have grown enough since waiting URLs were last rescored."""
        return bool(self.strategy.rescore_growth) and self.pages >= self._rescore_at

    def rescore(self) -> None:
        """Rescore waiting URLs."""
        self._source.guard(lambda: self.strategy.rescore(self._prospects))
        self._rescore_at = self.pages + max(1.0, self.strategy.rescore_growth * self.pages)

    def save(self) -> None:
        """Save the strategy's state in the transaction of the pages it came from."""
        self._source.guard(self._save)

    def _save(self) -> None:
        if self.pages == self._saved_pages:
            return
        self._saved_pages = self.pages
        state = {f"{_OWN}{part}": value for part, value in self.strategy.save().items()}
        if self.strategy.topic:
            state[_GAUGE] = self._gauge.save()
        if self.strategy.rescore_growth or state:
            state[_COUNTS] = json.dumps([self.pages, self._rescore_at]).encode()
        self._prospects.put_state(state)


class _Shown:
    """A page as the strategy sees it."""

    def __init__(self, outcome: Outcome, parsed: Parsed) -> None:
        assert parsed.document is not None
        leased, targets = outcome.leased, parsed.targets
        self.found = [one for one in parsed.fresh if not one.skip_reason]
        # The ids of known links.
        self.again = [targets[16 * place : 16 * place + 16] for place in parsed.again or ()]
        self.links = PageLinks(self.found, parsed)
        self.visit = Visit(
            leased.url, leased.depth, outcome.site, leased.url_id, parsed.document, leased.score,
            leased.note, parsed.document.topic_score or 0.0, parsed.sight, self.found,
            b"".join([*(one.url_id for one in self.found), *self.again]),
        )  # fmt: skip


def _checked(scores: Sequence[float], links: PageLinks, strategy: Strategy) -> list[float]:
    scores = [float(score) for score in scores]
    if len(scores) != len(links) or not all(map(math.isfinite, scores)):
        raise UsageError(
            f"--strategy {strategy.name()}: score() must return a finite number for each link; "
            f"for {len(links)} links it returned {len(scores)} numbers: {scores[:5]}."
        )
    return scores
