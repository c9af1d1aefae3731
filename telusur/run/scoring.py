"""The strategy at work in the owner: shown every page in order, asked for scores, saved."""

import json
import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import repeat
from typing import NamedTuple, overload

from telusur.adapters.sqlite_prospects import SqliteProspects
from telusur.crawl.discovery import FoundLink
from telusur.crawl.link_record import unpack_links
from telusur.crawl.relevance import Gauge, saved_gauge
from telusur.crawl.strategies import Scored, Strategy, Visit
from telusur.errors import UsageError
from telusur.models import Document, Link
from telusur.run.outcomes import Outcome
from telusur.run.parsing import Parsed
from telusur.run.strategy_source import StrategySource

_OWN, _COUNTS, _GAUGE = "strategy/", "counts", "relevance"


class PageLinks(Sequence[Link]):
    """The links of a page that are scored: those that may be new, then those known before.

    The texts of the latter are unpacked when a strategy asks for them.
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
    """What the links of a page are worth."""

    found: list[tuple[FoundLink, Scored]]
    """Those that may be new."""
    again: dict[bytes, tuple[float, bytes]]
    """Those known before, by url_id: score and note."""


class Scoring:
    """One strategy over one collection; the caller owns transactions."""

    def __init__(self, source: StrategySource, prospects: SqliteProspects) -> None:
        self.strategy = source.make()
        self._source = source
        self._prospects = prospects
        self._gauge = Gauge()
        self.pages = 0
        """How many pages the strategy was shown."""
        self._rescore_at = 1.0

    def resume(self) -> None:
        """Go on from what the last commit has."""
        state = self._prospects.state()
        self._gauge = saved_gauge(state)
        self.pages, self._rescore_at = json.loads(state.get(_COUNTS, b"[0, 1]"))
        own = {
            part.removeprefix(_OWN): value for part, value in state.items() if part.startswith(_OWN)
        }
        if own:
            self.strategy.restore(own)

    def start_over(self) -> None:
        """Begin anew: what waits was scored by another strategy, or for another topic."""
        depths = self._prospects.depths()
        self._prospects.start_over({depth: self.strategy.plain_score(depth) for depth in depths})

    def judge(self, parsed: Parsed, document: Document) -> None:
        """Write into a document how much it is about the topic, if there is one."""
        if parsed.measure is None:
            return
        document.topic_score = self._gauge.judge(parsed.measure)
        is_relevant = self._gauge.reaches(document.topic_score, self._source.bar)
        document.topic = self._source.setup.topic.name if is_relevant else ""

    def score(self, outcome: Outcome) -> PageScores:
        """Show the strategy a page; return what its links are worth."""
        return self._source.guard(lambda: self._score(outcome))

    def _score(self, outcome: Outcome) -> PageScores:
        parsed = outcome.parsed
        if parsed is None or parsed.document is None:
            return PageScores([], {})
        found = [one for one in parsed.fresh if not one.skip_reason]
        again = _known_ids(parsed)
        page = _visit(outcome, parsed, found, again)
        self.pages += 1
        self.strategy.learn(page)
        links = PageLinks(found, parsed)
        if not len(links):
            return PageScores([], {})
        scores = _checked(self.strategy.score(links, page), links, self.strategy)
        notes: Iterable[bytes] = repeat(b"", len(scores))
        if self.strategy.keeps_notes:
            notes = self.strategy.notes(links, page)
        scored = list(zip(scores, notes, strict=True))
        fresh = [(one, Scored(*scored[at])) for at, one in enumerate(found)]
        return PageScores(fresh, dict(zip(again, scored[len(found) :], strict=True)))

    def end_group(self) -> None:
        """Score again what waits when it is time, and save what was learned."""
        self._source.guard(self._end_group)

    def _end_group(self) -> None:
        growth = self.strategy.rescore_growth
        if growth and self.pages >= self._rescore_at:
            self.strategy.rescore(self._prospects)
            self._rescore_at = self.pages + max(1.0, growth * self.pages)
        state = {f"{_OWN}{part}": value for part, value in self.strategy.save().items()}
        if self.strategy.topic:
            state[_GAUGE] = self._gauge.save()
        if growth or state:
            state[_COUNTS] = json.dumps([self.pages, self._rescore_at]).encode()
        self._prospects.put_state(state)


def _visit(
    outcome: Outcome, parsed: Parsed, found: Sequence[FoundLink], again: Sequence[bytes]
) -> Visit:
    assert parsed.document is not None
    leased = outcome.leased
    return Visit(
        leased.url, leased.depth, outcome.site, leased.url_id, parsed.document, leased.score,
        leased.note, parsed.document.topic_score or 0.0, parsed.sight, found,
        b"".join([*(one.url_id for one in found), *again]),
    )  # fmt: skip


def _known_ids(parsed: Parsed) -> list[bytes]:
    """Return the ids of the links that were known before, as they are scored."""
    targets = parsed.targets
    return [targets[16 * place : 16 * place + 16] for place in parsed.again or ()]


def _checked(scores: Sequence[float], links: PageLinks, strategy: Strategy) -> list[float]:
    scores = [float(score) for score in scores]
    if len(scores) != len(links) or not all(map(math.isfinite, scores)):
        raise UsageError(
            f"--strategy {strategy.name()}: score() must return a finite number for each link; "
            f"for {len(links)} links it returned {len(scores)} numbers: {scores[:5]}."
        )
    return scores
