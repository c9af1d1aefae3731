"""What every index promises: replace, delete, commit; and a view to rank, show and explain."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, overload

from telusur.index.query import Query
from telusur.language.indexed_text import make_token_table
from telusur.models import Document, Explanation, FacetCount


class Anchor(NamedTuple):
    """The text of links to a page, and how many pages use it."""

    text: str
    pages: int = 1


@dataclass(slots=True, frozen=True)
class IndexItem:
    """A document for the index, with its identity and the texts of links to it."""

    url_id: bytes
    url: str
    document: Document
    site: str = ""
    fetched_at: float | None = None
    anchors: tuple[Anchor, ...] = ()


class Candidate(NamedTuple):
    """A matching document before it is read: enough to rank and to fetch it."""

    score: float
    # The document's own number, the same on every machine: see `number_of`.
    number: int
    # The site as a number; 0 is none.
    site: int
    # Its address in the view that ranked it.
    address: object


# In a third of the time of calling the class.
_make_candidate = partial(tuple.__new__, Candidate)


class Candidates(Sequence[Candidate]):
    """Candidates in order, stored as columns: a hundred are ranked, and ten are read."""

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
        """Make them from single candidates."""
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
    """A document returned by the index, with its score for the query."""

    url_id: bytes
    score: float
    url: str
    title: str
    description: str
    text: str
    site: str
    fetched_at: float | None
    # The values of `document_table.HIT_FIELDS`, by name.
    shown: Mapping[str, Any]
    # The token table of `text`, if the index keeps it.
    tokens: str = ""

    @property
    def token_table(self) -> str:
        """Return the token table of the text."""
        return self.tokens or make_token_table(self.text, self.language)

    @property
    def language(self) -> str:
        """Return the language of the text; empty if unknown."""
        language: str = self.shown["language"]
        return language


@dataclass(slots=True, frozen=True)
class Found:
    """How many documents match, and those asked for, best first."""

    total: int
    entries: tuple[Entry, ...] = ()


class View(Protocol):
    """The index as of one commit. All results of one view are consistent."""

    def rank(self, query: Query, limit: int) -> Ranking:
        """Return the `limit` best documents for a query, and the number of all that match."""

    def entries(self, candidates: Sequence[Candidate]) -> tuple[Entry, ...]:
        """Return the documents of candidates of this view, in their order."""

    def facets(self, query: Query, names: Iterable[str]) -> Mapping[str, tuple[FacetCount, ...]]:
        """Count the matches by facets of `document_table.FIELD_FACETS`, the most frequent first.

        Years and months come in order of time. An index may leave out rare values.
        """

    def explain(self, query: Query, candidate: Candidate) -> Explanation | None:
        """Return how the score of a candidate of this view was calculated; None if it has none.

        The description of a word's node is `word, product of "term"`. Two leaves below it begin
        with `freq,` (how often the word occurs) and `dl,` (how many words the document has).
        """

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language, the most first; "" is unknown."""

    def count(self) -> int:
        """Return the number of documents."""

    def frequency(self, term: str, place: str = "everywhere") -> int:
        """Return how many documents have a term in a place (`index.query.PLACES`)."""

    def terms(self, prefix: str, limit: int, place: str = "exact") -> list[tuple[str, int]]:
        """Return terms with this beginning and their numbers of documents, the largest first."""


class Index(Protocol):
    """A searchable set of documents, one per `url_id`. Uncommitted changes are invisible."""

    def replace(self, items: Iterable[IndexItem]) -> None:
        """Add documents; one with the same `url_id` replaces the old one."""

    def delete(self, url_ids: Iterable[bytes]) -> None:
        """Remove documents; unknown ones are ignored."""

    def commit(self, cursor: str | None = None) -> None:
        """Make all changes since the last commit durable and visible, at once.

        Then the cursor is kept, if one is given: all changes up to it are in the index.
        """

    def cursor(self) -> str:
        """Return the cursor of the last commit that had one; empty if none had."""

    def clear(self) -> None:
        """Remove all documents; until the commit they are still there."""

    def has_leftovers(self) -> bool:
        """Tell whether documents that were replaced or deleted still count in word statistics."""

    def is_outdated(self) -> bool:
        """Tell whether an older program wrote the index: writing to it makes it anew."""

    def view(self) -> View:
        """Return the index as of the last commit."""

    def search(self, query: Query, offset: int = 0, limit: int = 10) -> Found:
        """Return the best documents for a query, `limit` of them from `offset` on."""

    def languages(self) -> Mapping[str, int]:
        """Return how many documents there are in each language; "" is unknown."""

    def count(self) -> int:
        """Return the number of documents."""

    def close(self) -> None:
        """Release files and locks; uncommitted changes are dropped."""

    def close_within(self, seconds: float | None) -> bool:
        """Close, but wait no longer than this for work in the background; tell whether it is done.

        If not, this process should end.
        """


def number_of(url_id: bytes) -> int:
    """Return the number of a document: the first half of its identity."""
    return int.from_bytes(url_id[:8], "big")
