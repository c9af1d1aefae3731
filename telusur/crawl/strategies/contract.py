"""What a strategy offers: a score for each link, and as much more as it likes.

The least is `score`. A strategy lives in the process that owns the collection; what takes time, the
analysis of text, it may do in `look`, which runs beside the parsers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.discovery import FoundLink
from telusur.crawl.topic import PageText, Topic
from telusur.errors import UsageError
from telusur.models import Document, Link


class Again(StrEnum):
    """What a waiting URL is worth when a further link to it is found."""

    NEAREST = "nearest"
    """The score of the way that is nearest to a start URL."""
    KEEP = "keep"
    """Its first score."""
    BEST = "best"
    """The best score, and the note that came with it."""
    SUM = "sum"
    """The sum of all scores."""
    LATEST = "latest"
    """The latest score; its note stays."""
    ASK = "ask"
    """What `merge` says."""

    @property
    def counts(self) -> bool:
        """Tell whether it matters that a known URL is seen again, no nearer than before."""
        return self not in (Again.NEAREST, Again.KEEP)


class Scored(NamedTuple):
    """A score, and what the strategy wants to remember about the URL while it waits."""

    score: float
    note: bytes = b""


class Vectors(Protocol):
    """Turns words into vectors of length 1, near each other where they mean the same."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector for each text, in rows."""


@dataclass(slots=True, frozen=True)
class Setup:
    """What a strategy is made from; it is the same in every process of a crawl."""

    topic: Topic = field(default_factory=Topic)
    seed: int = 0
    parameters: tuple[tuple[str, float], ...] = ()
    vectors: Vectors | None = None
    """What knows the meaning of words, if there is a model."""


@dataclass(slots=True)
class Visit:
    """A page that was fetched, as a strategy sees it."""

    url: str
    depth: int
    site: str = ""
    url_id: bytes = b""
    document: Document = field(default_factory=Document)
    score: float = 0.0
    """What it was worth when it was handed out."""
    note: bytes = b""
    """What the strategy had noted about it."""
    relevance: float = 0.0
    """How much it is about the topic, 0 to 1; see crawl/relevance.py."""
    sight: Any = None
    """What `look` returned."""
    found: Sequence[FoundLink] = ()
    """Those of its links that may be new: the first of the links that are scored.

    Which these are depends on what a parser remembers: with `counts_new` they are new for sure.
    """
    link_ids: bytes = b""
    """The url_ids of all links that are scored, one after the other."""


class WaitingUrl(NamedTuple):
    """A URL that waits, as `rescore` sees it; `row` is good for this call only."""

    row: int
    url_id: bytes
    url: str
    depth: int
    score: float
    note: bytes


class Prospects(Protocol):
    """Everything that waits, and the links known so far: what `rescore` works on."""

    def count(self) -> int:
        """Return how many URLs wait."""

    def best(self, limit: int) -> list[WaitingUrl]:
        """Return those with the best scores, the best first."""

    def walk(self, batch: int = 5000) -> Iterator[list[WaitingUrl]]:
        """Walk over all of them in the order of their discovery, a bounded number at a time."""

    def walk_ids(self, batch: int = 5000) -> Iterator[tuple[list[int], bytes]]:
        """Do so with rows and url_ids alone, one behind the other, in a quarter of the time."""

    def put_scores(self, rows: Sequence[int], scores: Sequence[float]) -> None:
        """Give waiting URLs new scores."""

    def put_scores_of(self, url_ids: Sequence[bytes], scores: Sequence[float]) -> None:
        """Give waiting URLs that are known by their ids new scores."""

    def edges(self) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
        """Yield the links of fetched pages, from and to, by the numbers of their url_ids."""


def numbers_of(ids: bytes) -> NDArray[np.uint64]:
    """Return the numbers of url_ids that stand one after the other: their first halves."""
    return np.frombuffer(ids, ">u8")[::2].astype(np.uint64)


class Strategy:
    """Scores the links of pages; a higher score is fetched earlier, the first found among equals.

    A subclass needs `score` alone.
    """

    parameters: ClassVar[Mapping[str, float]] = {}
    """What `--tune` may set, with defaults."""
    needs_topic: ClassVar[bool] = False
    is_ordered: ClassVar[bool] = True
    """The best URL of all comes next. False: sites share equally, each in its own order."""
    again: ClassVar[Again] = Again.BEST
    start_score: ClassVar[float] = 1.0
    """What a start URL is worth."""
    keeps_notes: ClassVar[bool] = False
    """`notes` returns something to remember."""
    counts_new: ClassVar[bool] = False
    """Only links to URLs that nobody has found before are scored: for those who count them.

    `look` still sees them all."""
    judges_links: ClassVar[bool] = False
    """`refuse` keeps links from being followed."""
    rescore_growth: ClassVar[float] = 0.0
    """`rescore` is called when the fetched pages have grown by this share; 0 is never."""

    def __init__(self, setup: Setup) -> None:
        self.topic = setup.topic
        self.seed = setup.seed
        self.tuned = {**self.parameters, **dict(setup.parameters)}
        if self.needs_topic and not self.topic:
            raise UsageError(
                f"--strategy {self.name()} needs words to look for: add --topic WORDS."
            )

    @classmethod
    def name(cls) -> str:
        """Return how it is called: its class's name, `best-first` of `BestFirst`."""
        letters = (f"-{c.lower()}" if c.isupper() else c for c in cls.__name__)
        return "".join(letters).lstrip("-")

    # Beside the parsers: on an instance of its own, that never learns

    def refuse(self, page: PageText, links: Sequence[Link]) -> Sequence[str]:
        """Return for each link why it is not followed, or "": only with `judges_links`."""
        return [""] * len(links)

    def look(self, page: PageText, links: Sequence[Link]) -> Any:
        """Return what `score` and `learn` need to know of page and links; it is pickled."""
        return None

    # In the owner: once a page, in the order of the pages

    def learn(self, page: Visit) -> None:
        """Learn from a page, before its links are scored."""

    def score(self, links: Sequence[Link], page: Visit) -> Sequence[float]:
        """Return a finite score for each link. `len(links)` costs nothing, their texts little."""
        raise NotImplementedError

    def score_pages(
        self, pages: Sequence[tuple[Sequence[Link], Visit]]
    ) -> Sequence[Sequence[float]]:
        """Learn from pages that came together and score the links of each: for who does so faster.

        With `keeps_notes` it is called for one page at a time."""
        scores: list[Sequence[float]] = []
        for links, page in pages:
            self.learn(page)
            scores.append(self.score(links, page) if len(links) else ())
        return scores

    def notes(self, links: Sequence[Link], page: Visit) -> Sequence[bytes]:
        """Return what is to be remembered about each link; called after `score`."""
        return [b""] * len(links)

    def merge(self, pairs: Sequence[tuple[Scored, Scored]]) -> Sequence[Scored]:
        """Return what waiting URLs are worth of which (as it is, as seen again)."""
        return [old for old, _ in pairs]

    def plain_score(self, depth: int) -> float:
        """Return what a URL is worth of which nothing but its distance from the start is known."""
        return 0.0

    def rescore(self, prospects: Prospects) -> None:
        """Score again what waits, in the light of everything learned."""

    # With the transaction that completes the pages

    def save(self) -> Mapping[str, bytes]:
        """Return the parts of what was learned that changed since the last call, by name."""
        return {}

    def restore(self, parts: Mapping[str, bytes]) -> None:
        """Go on from what was saved."""
