"""What every index promises: replace, delete, commit; and a view to rank, show and explain."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, overload

from telusur.index.query import Query
from telusur.models import Document, Explanation, FacetCount


class Anchor(NamedTuple):
    """What links that point to a page say: one text, and how many pages say it."""

    text: str
    pages: int = 1


@dataclass(slots=True, frozen=True)
class IndexItem:
    """A document with its identity, and what other pages say about it, as the index takes it."""

    url_id: bytes
    url: str
    document: Document
    site: str = ""
    fetched_at: float | None = None
    anchors: tuple[Anchor, ...] = ()


class Candidate(NamedTuple):
    """A document that matches, before anything of it is read: enough to rank, and to fetch it."""

    score: float
    number: int
    """The document's own number, the same on every machine: see `number_of`."""
    site: int
    """The site as a number; 0 is none."""
    address: object
    """Where the view that ranked it finds it again."""


# In a third of the time of calling the class.
_make_candidate = partial(tuple.__new__, Candidate)


class Candidates(Sequence[Candidate]):
    """Candidates in order, kept as columns: a hundred are ranked, and ten are looked at."""

    __slots__ = ("addresses", "numbers", "scores", "sites")

    def __init__(
        self,
        scores: Sequence[float] = (),
        numbers: Sequence[int] = (),
        sites: Sequence[int] = (),
        addresses: Sequence[object] = (),
    ) -> None:
        self.scores = scores
        self.numbers = numbers
        self.sites = sites
        self.addresses = addresses

    @classmethod
    def of(cls, candidates: Iterable[Candidate]) -> "Candidates":
        """Make them of one after the other."""
        return cls(*zip(*candidates, strict=True))

    def at(self, places: Sequence[int]) -> "Candidates":
        """Return those at some places, in that order."""
        return self._each(lambda column: [column[place] for place in places])

    def _each(self, change: Callable[[Any], Any]) -> "Candidates":
        return Candidates(
            change(self.scores), change(self.numbers), change(self.sites), change(self.addresses)
        )

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[Candidate]:
        rows = zip(self.scores, self.numbers, self.sites, self.addresses, strict=True)
        return map(_make_candidate, rows)

    @overload
    def __getitem__(self, place: int) -> Candidate: ...

    @overload
    def __getitem__(self, place: slice) -> "Candidates": ...

    def __getitem__(self, place: int | slice) -> "Candidate | Candidates":
        if isinstance(place, slice):
            return self._each(itemgetter(place))
        return Candidate(
            self.scores[place], self.numbers[place], self.sites[place], self.addresses[place]
        )

    def __add__(self, others: "Candidates") -> "Candidates":
        return Candidates.of([*self, *others])


NO_CANDIDATES = Candidates()


@dataclass(slots=True, frozen=True)
class Ranking:
    """How many documents match, and the best of them, best first."""

    total: int
    candidates: Candidates = NO_CANDIDATES


class Entry(NamedTuple):
    """A document as the index gives it back, with its score for the query."""

    url_id: bytes
    score: float
    url: str
    title: str
    description: str
    text: str
    site: str
    language: str
    date: str | None
    fetched_at: float | None
    page_type: str = ""
    tokens: str = ""
    """The token table of `text`."""


@dataclass(slots=True, frozen=True)
class Found:
    """How many documents match, and those asked for, best first."""

    total: int
    entries: tuple[Entry, ...] = ()


class View(Protocol):
    """The index as of one commit. What is asked of one view fits together."""

    def rank(self, query: Query, limit: int) -> Ranking:
        """Return the `limit` best documents for a query, and the number of all that match."""

    def entries(self, candidates: Sequence[Candidate]) -> tuple[Entry, ...]:
        """Return the documents of candidates of this view, in their order."""

    def facets(self, query: Query, names: Iterable[str]) -> Mapping[str, tuple[FacetCount, ...]]:
        """Count what matches by `site`, `language`, `type`, `year` or `month`, the most first.

        Years and months come in order of time. Values beyond a bound are left out.
        """

    def explain(self, query: Query, candidate: Candidate) -> Explanation | None:
        """Return how the score of a candidate of this view came about; None if it has none."""

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language, the most first; "" is unknown."""

    def count(self) -> int:
        """Return the number of documents."""

    def frequency(self, term: str, place: str = "everywhere") -> int:
        """Return how many documents have a term in a place (`index.query.PLACES`)."""

    def terms(self, prefix: str, limit: int, place: str = "exact") -> list[tuple[str, int]]:
        """Return terms that begin so, and in how many documents they are, the most first."""


class Index(Protocol):
    """A searchable set of documents, one per `url_id`. What is not committed is not seen."""

    def replace(self, items: Iterable[IndexItem]) -> None:
        """Add documents; one with the same `url_id` takes the place of the old one."""

    def delete(self, url_ids: Iterable[bytes]) -> None:
        """Remove documents; unknown ones are no matter."""

    def commit(self) -> None:
        """Make all changes since the last commit durable and visible, at once."""

    def view(self) -> View:
        """Return the index as of the last commit."""

    def search(self, query: Query, offset: int = 0, limit: int = 10) -> Found:
        """Return the best documents for a query, `limit` of them from `offset` on."""

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language; "" is unknown."""

    def count(self) -> int:
        """Return the number of documents."""

    def close(self) -> None:
        """Let go of files and locks; what is not committed is dropped."""


def number_of(url_id: bytes) -> int:
    """Return the number of a document: the first half of its identity."""
    return int.from_bytes(url_id[:8], "big")
