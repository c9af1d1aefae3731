"""What every strategy must do, also one of your own: `check_strategy(YourClass)`.

A small synthetic web is visited as a crawl would visit it: each page looked at by an instance that
never learns, then learned from and scored by another. A simulated kill loses what a real one does:
pages that were not committed, and what the parsers remember of links they have passed on.
"""

import json
import math
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.strategies import Again, Scored, Setup, Strategy, Visit
from telusur.crawl.strategies.by_name import make_strategy
from telusur.crawl.strategies.contract import WaitingUrl, numbers_of
from telusur.crawl.topic import PageText, Topic
from telusur.models import Document, Link, url_id_of

PAGES = 60
SUBJECTS = ("coffee roast bean", "harbour boat sail", "owl night forest")


def address(number: int) -> str:
    """Return the URL of a page."""
    return f"http://site{number % 4}.test/{SUBJECTS[number % 3].split()[0]}/{number}"


def targets(number: int) -> list[int]:
    """Return which pages a page links to."""
    return sorted({(number * 2 + 1) % PAGES, (number * 7 + 3) % PAGES, (number + 5) % PAGES})


def document(number: int) -> Document:
    """Return the text of a page."""
    words = SUBJECTS[number % 3]
    return Document(address(number), words.title(), text=f"{words} and page {number}. " * 5,
                    language="en")  # fmt: skip


def links(number: int) -> list[Link]:
    """Return the links of a page."""
    return [
        Link(address(n), f"the {SUBJECTS[n % 3].split()[1]} {n}", f"near {SUBJECTS[n % 3]}", "", n)
        for n in targets(number)
    ]


def found_link(link: Link) -> FoundLink:
    """Return a link as a parser passes it on."""
    site = link.url.split("/")[2]
    return FoundLink(url_id_of(link.url), site, site, "", link)


@dataclass
class SmallFrontier:
    """Waiting URLs in memory; uses a strategy's scores like the one on disk."""

    strategy: Strategy
    waiting: dict[int, Scored] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    done: list[int] = field(default_factory=list)

    def take(self) -> int:
        best = max(self.waiting, key=lambda n: (self.waiting[n].score, -self.order.index(n)))
        self.done.append(best)
        return best

    def see(self, number: int, scored: Scored) -> None:
        old = self.waiting.get(number)
        if number in self.done:
            return
        if old is None:
            self.waiting[number] = scored
            self.order.append(number)
        elif self.strategy.again is Again.SUM:
            self.waiting[number] = Scored(old.score + scored.score, old.note)
        elif self.strategy.again is Again.BEST and scored.score > old.score:
            self.waiting[number] = scored
        elif self.strategy.again is Again.LATEST:
            self.waiting[number] = Scored(scored.score, old.note)
        elif self.strategy.again is Again.ASK:
            (self.waiting[number],) = self.strategy.merge([(old, scored)])

    # What `rescore` works on

    def count(self) -> int:
        return len(self.waiting)

    def best(self, limit: int) -> list[WaitingUrl]:
        return sorted(self._all(), key=lambda url: -url.score)[:limit]

    def walk(self, batch: int = 5000) -> Iterator[list[WaitingUrl]]:
        if self.waiting:
            yield self._all()

    def walk_ids(self, batch: int = 5000) -> Iterator[tuple[list[int], bytes]]:
        for urls in self.walk(batch):
            yield [url.row for url in urls], b"".join(url.url_id for url in urls)

    def _all(self) -> list[WaitingUrl]:
        return [
            WaitingUrl(n, url_id_of(address(n)), address(n), 1, *scored)
            for n, scored in sorted(self.waiting.items())
        ]

    def put_scores(self, rows: Sequence[int], scores: Sequence[float]) -> None:
        for row, score in zip(rows, scores, strict=True):
            assert math.isfinite(score)
            self.waiting[row] = self.waiting[row]._replace(score=score)

    def put_scores_of(self, url_ids: Sequence[bytes], scores: Sequence[float]) -> None:
        number_of = {url_id_of(address(n)): n for n in self.waiting}
        for url_id, score in zip(url_ids, scores, strict=True):
            if url_id in number_of:
                self.put_scores([number_of[url_id]], [score])

    def edges(self) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
        for n in self.done:
            ids = b"".join(url_id_of(address(to)) for to in targets(n))
            to = numbers_of(ids)
            yield np.repeat(numbers_of(url_id_of(address(n))), len(to)), to


@dataclass
class SmallCrawl:
    """A crawl of the synthetic web that can be stopped and resumed."""

    kind: type[Strategy]
    setup: Setup
    state: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.strategy = make_strategy(self.kind, self.setup)
        self.eyes = make_strategy(self.kind, self.setup)
        self.frontier = SmallFrontier(self.strategy)
        self.frontier.see(0, Scored(self.strategy.start_score))
        # What the parsers remember: links that the frontier may have by now.
        self.passed_on: set[int] = set()
        self.commit()

    def go(self, pages: int) -> list[int]:
        for _ in range(pages):
            if not self.frontier.waiting:
                break
            self.visit(self.frontier.take())
            if self.strategy.rescore_growth:
                self.strategy.rescore(self.frontier)
            self.state.update(self.strategy.save())
            self.commit()
        return self.frontier.done

    def commit(self) -> None:
        frontier = self.frontier
        self.committed = dict(frontier.waiting), list(frontier.order), list(frontier.done)

    def visit(self, number: int) -> None:
        score, note = self.frontier.waiting.pop(number)
        page, found = PageText(document(number)), links(number)
        fresh, again = self.tell_apart(found)
        if self.strategy.judges_links:
            reasons = self.eyes.refuse(page, fresh)
            assert len(reasons) == len(fresh)
            fresh = [link for link, reason in zip(fresh, reasons, strict=True) if not reason]
        sight = pickle.loads(pickle.dumps(self.eyes.look(page, fresh + again)))  # noqa: S301 - made here
        if self.strategy.counts_new:
            fresh = [link for link in fresh if link.position not in self.frontier.order]
        found = fresh + again
        visit = Visit(
            address(number), 1, address(number).split("/")[2], url_id_of(address(number)),
            page.document, score, note, 0.5 * (number % 3 == 0), sight,
            [found_link(link) for link in fresh], b"".join(url_id_of(link.url) for link in found),
        )  # fmt: skip
        self.strategy.learn(visit)
        scores = [float(score) for score in self.strategy.score(found, visit)]
        assert len(scores) == len(found), "a score for each link"
        assert all(map(math.isfinite, scores)), "finite scores"
        notes = self.strategy.notes(found, visit) if self.strategy.keeps_notes else [b""] * 99
        for link, one, remembered in zip(found, scores, notes, strict=False):
            self.frontier.see(link.position, Scored(one, remembered))

    def tell_apart(self, found: list[Link]) -> tuple[list[Link], list[Link]]:
        """Return the links that may be new, and those that were passed on before, if wanted."""
        # With `judges_links` every link is judged each time.
        if self.strategy.judges_links:
            return found, []
        fresh = [link for link in found if link.position not in self.passed_on]
        again = [link for link in found if link.position in self.passed_on]
        self.passed_on.update(link.position for link in found)
        return fresh, again if self.strategy.again not in (Again.KEEP, Again.NEAREST) else []

    def killed(self) -> "SmallCrawl":
        """Return the run after a kill: what was committed, and nothing else."""
        again = SmallCrawl(self.kind, self.setup, dict(self.state))
        if self.state:
            again.strategy.restore(dict(self.state))
        waiting, order, done = self.committed
        again.frontier.waiting, again.frontier.order = dict(waiting), list(order)
        again.frontier.done = list(done)
        again.commit()
        return again


def check_strategy(
    kind: type[Strategy], topic: str = "coffee bean", *, forgets: bool = True, **parameters: float
) -> None:
    """Check that a strategy is deterministic, gives finite scores and survives a kill.

    With `forgets`, it must not matter in which order the links of a page come, that is, what the
    parsers remember of them.
    """
    setup = Setup(Topic(topic), seed=7, parameters=tuple(parameters.items()))
    whole = SmallCrawl(kind, setup)
    order = list(whole.go(PAGES))
    assert order, "it fetches something"
    assert SmallCrawl(kind, setup).go(PAGES) == order, "the same order twice"
    for pages in (1, 7, len(order) // 2):
        check_kill(SmallCrawl(kind, setup), SmallCrawl(kind, setup), pages, forgets=forgets)
    empty = make_strategy(kind, setup)
    sight = empty.look(PageText(Document()), [])
    visit = Visit("http://a.test/", 0, sight=sight)
    empty.learn(visit)
    assert list(empty.score([], visit)) == [], "a page without links"


def check_kill(first: SmallCrawl, other: SmallCrawl, pages: int, *, forgets: bool) -> None:
    """Kill a run that has committed some pages and learned from two more; compare it with one
    that was not killed, at once and after some more pages."""
    first.go(pages)
    other.go(pages)
    remembered = set(first.passed_on)
    for _ in range(min(2, len(first.frontier.waiting))):
        first.visit(first.frontier.take())
    then = first.killed()
    then.passed_on = set() if forgets else remembered
    assert _read(then.state) == _read(other.state), "a kill leaves what the committed pages give"
    assert then.frontier.waiting == other.frontier.waiting
    for more in (PAGES // 3, PAGES):
        assert then.go(more) == other.go(more), (
            f"killed after {pages} pages it goes on as if it had not"
        )
        assert _read(then.state) == _read(other.state), "and has learned the same"
        assert then.frontier.waiting == other.frontier.waiting, "and values what waits alike"


def check_memory(kind: type[Strategy], most_bytes: int) -> None:
    """Check that what a strategy saves does not grow with the pages and sites it has seen."""
    strategy = make_strategy(kind, Setup(Topic("coffee bean")))
    state: dict[str, bytes] = {}
    for number in range(3000):
        site = f"s{number}.test"
        found = [Link(f"http://{site}/{n}", f"word{number} other{n * number}") for n in range(3)]
        page = PageText(document(number))
        visit = Visit(
            f"http://{site}/", 1, site, document=page.document, score=1.0,
            sight=strategy.look(page, found),
            found=[found_link(link) for link in found],
            link_ids=b"".join(url_id_of(link.url) for link in found),
        )  # fmt: skip
        strategy.learn(visit)
        strategy.score(found, visit)
        state.update(strategy.save())
    assert sum(map(len, state.values())) <= most_bytes


def _read(state: Mapping[str, bytes]) -> dict[str, object]:
    """Return what was saved, whatever the order of names in it."""
    read: dict[str, object] = {}
    for part, value in state.items():
        try:
            read[part] = json.loads(value)
        except ValueError:
            read[part] = value
    return read
