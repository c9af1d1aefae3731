"""The contract of a strategy: a score for each link; everything else is optional.

Only `score` is required. A strategy runs in the process that owns the collection. Slow work, such
as the analysis of text, belongs in `look`, which runs in the parser processes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from telusur.crawl.rules.discovery import FoundLink
from telusur.crawl.topic import PageText, Topic
from telusur.errors import UsageError
from telusur.models import Document, Link


class Again(StrEnum):
    """The score of a waiting URL when another link to it is found."""

    # The score from the page nearest to a start URL.
    NEAREST = "nearest"
    # Its first score.
    KEEP = "keep"
    # The best score, and the note that came with it.
    BEST = "best"
    # The sum of all scores.
    SUM = "sum"
    # The latest score; its note stays.
    LATEST = "latest"
    # The result of `merge`.
    ASK = "ask"

    @property
    def counts(self) -> bool:
        """Tell whether further links to a known URL matter even if they are no nearer."""
        return self not in (Again.NEAREST, Again.KEEP)


class Scored(NamedTuple):
    """A score, and the strategy's note about the URL while it waits."""

    score: float
    note: bytes = b""


class Vectors(Protocol):
    """Turns words into vectors of length 1; similar meanings have similar vectors."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a vector for each text, in rows."""


@dataclass(slots=True, frozen=True)
class Setup:
    """What a strategy is created with; the same in every process of a crawl."""

    topic: Topic = field(default_factory=Topic)
    seed: int = 0
    parameters: tuple[tuple[str, float], ...] = ()
    # The encoder of word meanings, if there is a model.
    vectors: Vectors | None = None


@dataclass(slots=True)
class Visit:
    """A page that was fetched, as a strategy sees it."""

    url: str
    depth: int
    site: str = ""
    url_id: bytes = b""
    document: Document = field(default_factory=Document)
    # Its score when it was handed out.
    score: float = 0.0
    # The strategy's note about it.
    note: bytes = b""
    # Its topic score, 0 to 1; see crawl/relevance.py.
    relevance: float = 0.0
    # What `look` returned.
    sight: Any = None
    # The links that may be new; they come first among the scored links. This depends on what a
    # parser remembers; with `counts_new` they are certainly new.
    found: Sequence[FoundLink] = ()
    # The url_ids of all scored links, concatenated.
    link_ids: bytes = b""


class WaitingUrl(NamedTuple):
    """A waiting URL, as `rescore` sees it; `row` is valid for this call only."""

    row: int
    url_id: bytes
    url: str
    depth: int
    score: float
    note: bytes


class Prospects(Protocol):
    """All waiting URLs, and the links known so far: the input of `rescore`."""

    def count(self) -> int:
        """Return how many URLs wait."""

    def best(self, limit: int) -> list[WaitingUrl]:
        """Return the URLs with the best scores, best first."""

    def walk(self, batch: int = 5000) -> Iterator[list[WaitingUrl]]:
        """Yield all of them in the order of discovery, a bounded number at a time."""

    def walk_ids(self, batch: int = 5000) -> Iterator[tuple[list[int], bytes]]:
        """Yield only rows and concatenated url_ids, in a quarter of the time."""

    def put_scores(self, rows: Sequence[int], scores: Sequence[float]) -> None:
        """Give waiting URLs new scores."""

    def put_scores_of(self, url_ids: Sequence[bytes], scores: Sequence[float]) -> None:
        """Give waiting URLs new scores, by their ids."""

    def edges(self) -> Iterator[tuple[NDArray[np.uint64], NDArray[np.uint64]]]:
        """Yield the links of fetched pages, from and to, by the numbers of their url_ids."""


def numbers_of(ids: bytes) -> NDArray[np.uint64]:
    """Return the numbers of concatenated url_ids: their first halves."""
    return np.frombuffer(ids, ">u8")[::2].astype(np.uint64)


class Strategy:
    """Scores the links of pages; a higher score is fetched earlier, the first found among equals.

    A subclass needs `score` alone.
    """

    # What `--tune` may set, with defaults.
    parameters: ClassVar[Mapping[str, float]] = {}
    needs_topic: ClassVar[bool] = False
    # The best URL of all sites comes next. False: sites share equally, each in its own order.
    is_ordered: ClassVar[bool] = True
    again: ClassVar[Again] = Again.BEST
    # The score of a start URL.
    start_score: ClassVar[float] = 1.0
    # `notes` returns notes to store.
    keeps_notes: ClassVar[bool] = False
    # Score only links to unknown URLs: for strategies that count them.
    #
    # `look` still sees them all.
    counts_new: ClassVar[bool] = False
    # `refuse` may reject links.
    judges_links: ClassVar[bool] = False
    # `rescore` is called when the fetched pages have grown by this share; 0 is never.
    rescore_growth: ClassVar[float] = 0.0

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
        """Return its name, made from the class name: `best-first` for `BestFirst`."""
        letters = (f"-{c.lower()}" if c.isupper() else c for c in cls.__name__)
        return "".join(letters).lstrip("-")

    # In the parser processes: on a separate instance that never learns

    def refuse(self, page: PageText, links: Sequence[Link]) -> Sequence[str]:
        """Return for each link why it is rejected, or ""; called only with `judges_links`."""
        return [""] * len(links)

    def look(self, page: PageText, links: Sequence[Link]) -> Any:
        """Return what `score` and `learn` need to know about page and links; it is pickled."""
        return None

    # In the owner process: once per page, in the order of the pages

    def learn(self, page: Visit) -> None:
        """Learn from a page, before its links are scored."""

    def score(self, links: Sequence[Link], page: Visit) -> Sequence[float]:
        """Return a finite score for each link. `len(links)` costs nothing, their texts little."""
        raise NotImplementedError

    def score_pages(
        self, pages: Sequence[tuple[Sequence[Link], Visit]]
    ) -> Sequence[Sequence[float]]:
        """Learn from a batch of pages and score the links of each; override it if that is faster.

        With `keeps_notes` it is called for one page at a time."""
        scores: list[Sequence[float]] = []
        for links, page in pages:
            self.learn(page)
            scores.append(self.score(links, page) if len(links) else ())
        return scores

    def notes(self, links: Sequence[Link], page: Visit) -> Sequence[bytes]:
        """Return the note to store with each link; called after `score`."""
        return [b""] * len(links)

    def merge(self, pairs: Sequence[tuple[Scored, Scored]]) -> Sequence[Scored]:
        """Return the new score of waiting URLs, from pairs of (current, found again)."""
        return [old for old, _ in pairs]

    def plain_score(self, depth: int) -> float:
        """Return the score of a URL of which only the depth is known."""
        return 0.0

    def rescore(self, prospects: Prospects) -> None:
        """Score waiting URLs again with everything learned so far."""

    # In the transaction that completes the pages

    def save(self) -> Mapping[str, bytes]:
        """Return the parts of what was learned that changed since the last call, by name."""
        return {}

    def restore(self, parts: Mapping[str, bytes]) -> None:
        """Continue from a saved state."""
