"""What every strategy must do, one of your own too: call `check_strategy(YourClass)` in a test.

A small made-up web is visited as a crawl would visit it: each page looked at by an instance that
never learns, then learned from and scored by another.
"""

import json
import math
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from telusur.crawl.discovery import FoundLink
from telusur.crawl.strategies import Again, Scored, Setup, Strategy, Visit, make_strategy
from telusur.crawl.strategies.contract import WaitingUrl, numbers_of
from telusur.crawl.topic import PageText, Topic
from telusur.models import Document, Link, url_id_of

PAGES = 60
SUBJECTS = ("coffee roast bean", "harbour boat sail", "owl night forest")


def address(number: int) -> str:
    return f"http://site{number % 4}.test/{SUBJECTS[number % 3].split()[0]}/{number}"


def targets(number: int) -> list[int]:
    return sorted({(number * 2 + 1) % PAGES, (number * 7 + 3) % PAGES, (number + 5) % PAGES})


def document(number: int) -> Document:
    words = SUBJECTS[number % 3]
    return Document(address(number), words.title(), text=f"{words} and page {number}. " * 5,
                    language="en")  # fmt: skip


def links(number: int) -> list[Link]:
    return [
        Link(address(n), f"the {SUBJECTS[n % 3].split()[1]} {n}", f"near {SUBJECTS[n % 3]}", "", n)
        for n in targets(number)
    ]


def found_link(link: Link) -> FoundLink:
    site = link.url.split("/")[2]
    return FoundLink(url_id_of(link.url), site, site, "", link)


@dataclass
class Frontier:
    """Waiting URLs in memory; does with a strategy's scores what the one on disk does."""

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

    def best(self, limit):
        return sorted(self._all(), key=lambda url: -url.score)[:limit]

    def walk(self, batch=5000):
        if self.waiting:
            yield self._all()

    def _all(self):
        return [
            WaitingUrl(n, url_id_of(address(n)), address(n), 1, *scored)
            for n, scored in sorted(self.waiting.items())
        ]

    def put_scores(self, rows, scores):
        for row, score in zip(rows, scores, strict=True):
            assert math.isfinite(score)
            self.waiting[row] = self.waiting[row]._replace(score=score)

    def put_scores_of(self, url_ids, scores):
        number_of = {url_id_of(address(n)): n for n in self.waiting}
        for url_id, score in zip(url_ids, scores, strict=True):
            if url_id in number_of:
                self.put_scores([number_of[url_id]], [score])

    def edges(self):
        for n in self.done:
            ids = b"".join(url_id_of(address(to)) for to in targets(n))
            to = numbers_of(ids)
            yield np.repeat(numbers_of(url_id_of(address(n))), len(to)), to


@dataclass
class Run:
    """A crawl of the made-up web that can be stopped and gone on with."""

    kind: type[Strategy]
    setup: Setup
    state: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.strategy = make_strategy(self.kind, self.setup)
        self.eyes = make_strategy(self.kind, self.setup)
        self.frontier = Frontier(self.strategy)
        self.frontier.see(0, Scored(self.strategy.start_score))

    def go(self, pages: int) -> list[int]:
        for _ in range(pages):
            if not self.frontier.waiting:
                break
            self.visit(self.frontier.take())
            self.state.update(self.strategy.save())
        return self.frontier.done

    def visit(self, number: int) -> None:
        score, note = self.frontier.waiting.pop(number)
        page, found = PageText(document(number)), links(number)
        if self.strategy.judges_links:
            reasons = self.eyes.refuse(page, found)
            assert len(reasons) == len(found)
            found = [link for link, reason in zip(found, reasons, strict=True) if not reason]
        sight = pickle.loads(pickle.dumps(self.eyes.look(page, found)))
        visit = Visit(
            address(number), 1, address(number).split("/")[2], url_id_of(address(number)),
            page.document, score, note, 0.5 * (number % 3 == 0), sight,
            [found_link(link) for link in found], b"".join(url_id_of(link.url) for link in found),
        )  # fmt: skip
        self.strategy.learn(visit)
        scores = [float(score) for score in self.strategy.score(found, visit)]
        assert len(scores) == len(found), "a score for each link"
        assert all(map(math.isfinite, scores)), "finite scores"
        notes = self.strategy.notes(found, visit) if self.strategy.keeps_notes else [b""] * 99
        for link, one, remembered in zip(found, scores, notes, strict=False):
            self.frontier.see(link.position, Scored(one, remembered))
        if self.strategy.rescore_growth:
            self.strategy.rescore(self.frontier)

    def killed(self) -> "Run":
        """Return the run as it is after a kill: what was saved, and the frontier."""
        again = Run(self.kind, self.setup, dict(self.state))
        if self.state:
            again.strategy.restore(dict(self.state))
        again.frontier.waiting = dict(self.frontier.waiting)
        again.frontier.order = list(self.frontier.order)
        again.frontier.done = list(self.frontier.done)
        return again


def check_strategy(kind: type[Strategy], topic: str = "coffee bean", **parameters: float) -> None:
    """Check that a strategy is deterministic, gives finite scores and survives a kill."""
    setup = Setup(Topic(topic), seed=7, parameters=tuple(parameters.items()))
    whole = Run(kind, setup)
    order = list(whole.go(PAGES))
    assert order, "it fetches something"
    assert Run(kind, setup).go(PAGES) == order, "the same order twice"
    for pages in (1, 2, len(order) // 2):
        first = Run(kind, setup)
        first.go(pages)
        then = first.killed()
        assert then.go(PAGES) == order, f"killed after {pages} pages it goes on as if it had not"
        assert _read(then.state) == _read(whole.state), "and has learned the same"
    empty = make_strategy(kind, setup)
    sight = empty.look(PageText(Document()), [])
    visit = Visit("http://a.test/", 0, sight=sight)
    empty.learn(visit)
    assert list(empty.score([], visit)) == [], "a page without links"


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
