"""Semantic search: pages similar to a query in meaning, fused by rank with the hits by words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

from telusur.arrays import Floats
from telusur.index.contract import Candidate, Candidates, View, number_of
from telusur.index.query import Match, Query
from telusur.models import Explanation
from telusur.search.query.syntax import Tree, wishes_of

# Measured as a set on test collections: docs/decisions/0020-search-by-meaning.md.
RANK_OFFSET = 10
# How many semantic matches are fused with as many hits by words.
NEAR_DOCUMENTS = 100
# How many are examined when the query also filters: `site:`, -not, phrases ...
NEAR_WITH_FILTERS = 1_000
PASSAGE_WORDS = 120
# Passages overlap, so that every sentence is whole in one of them.
PASSAGE_STEP = 100
MOST_PASSAGES = 100
_MEANT_FIELDS = ("", "title", "topic")


class Encoder(Protocol):
    """Turns texts into vectors of length 1; texts with similar meanings have similar vectors.

    `weight` is the weight of its ranking relative to the ranking by words. Texts with a cosine
    below `least_cosine` are unrelated. `version` changes when the vectors do.
    """

    name: str
    version: str
    dimensions: int
    weight: float
    least_cosine: float

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return a vector for each text, in rows."""


class Near(NamedTuple):
    """A document whose nearest passage has this cosine with the query."""

    url_id: bytes
    cosine: float


class Meaning(NamedTuple):
    """The input of a semantic search: the nearest documents, and the weight of their ranking."""

    find_near: Callable[[str, int], Sequence[Near]]
    weight: float


@dataclass(slots=True, frozen=True)
class Fusion:
    """Candidates in their new order, how many have none of the words, and their explanations."""

    candidates: Candidates
    added: int = 0
    reasons: dict[int, Explanation] = field(default_factory=dict)


def split_passages(title: str, text: str) -> list[str]:
    """Return the passages of a document: runs of about 120 words, each under the title."""
    words = text.split()
    head = f"{title.strip()}. " if title.strip() else ""
    last = max(1, len(words) - (PASSAGE_WORDS - PASSAGE_STEP))
    starts = range(0, last, PASSAGE_STEP)[:MOST_PASSAGES]
    return [head + " ".join(words[start : start + PASSAGE_WORDS]) for start in starts]


def meant_words(tree: Tree) -> str:
    """Return the words of a query whose meaning counts: no filters, nothing excluded."""
    return " ".join(wish.text for wish in wishes_of(tree) if wish.field in _MEANT_FIELDS)


def add_meaning(
    view: View, query: Query, words: str, ranked: Candidates, meaning: Meaning
) -> Fusion:
    """Return the first candidates fused with the semantic matches; the others follow.

    All of them satisfy what the query requires and excludes.
    """
    if not words.strip() or query.is_empty:
        return Fusion(ranked)
    has_filters = bool(query.required or query.excluded)
    near = meaning.find_near(words, NEAR_WITH_FILTERS if has_filters else NEAR_DOCUMENTS)
    found, have_words = _look_up(view, query, near)
    first, rest = ranked[:NEAR_DOCUMENTS], ranked[NEAR_DOCUMENTS:]
    fusion = fuse(first, found[:NEAR_DOCUMENTS], meaning.weight)
    placed = set(fusion.candidates.numbers)
    behind = [place for place, number in enumerate(rest.numbers) if number not in placed]
    added = len([None for each in found[:NEAR_DOCUMENTS] if each.number not in have_words])
    return replace(fusion, candidates=fusion.candidates + rest.at(behind), added=added)


def _look_up(view: View, query: Query, near: Sequence[Near]) -> tuple[list[Candidate], set[int]]:
    """Return the near documents that a query allows, nearest first, and which have its words."""
    if not near:
        return [], set()
    cosines = {number_of(each.url_id): each.cosine for each in near}
    named = Match("id", tuple(each.url_id.hex() for each in near))
    allowed = Query(required=(named, *query.required), excluded=query.excluded)
    candidates = view.rank(allowed, len(near)).candidates
    found = [candidate._replace(score=cosines[candidate.number]) for candidate in candidates]
    found.sort(key=lambda candidate: (-candidate.score, candidate.number))
    with_words = view.rank(Query(required=(named, replace(query, bonus=()))), len(near))
    return found, set(with_words.candidates.numbers)


def fuse(by_words: Sequence[Candidate], by_meaning: Sequence[Candidate], weight: float) -> Fusion:
    """Return both rankings as one, by reciprocal rank fusion."""
    parts: dict[int, list[Explanation]] = {}
    known: dict[int, Candidate] = {}
    for ranking, factor, kind in ((by_words, 1.0, "words"), (by_meaning, weight, "meaning")):
        for place, candidate in enumerate(ranking, 1):
            worth = factor / (RANK_OFFSET + place)
            known.setdefault(candidate.number, candidate)
            told = f"place {place} by {kind} ({candidate.score:.3f}), "
            told += f"{factor:g} / ({RANK_OFFSET} + {place})"
            parts.setdefault(candidate.number, []).append(Explanation(worth, told))
    reasons = {
        number: Explanation(sum(part.value for part in found), "score: the sum of", tuple(found))
        for number, found in parts.items()
    }
    fused = [candidate._replace(score=reasons[number].value) for number, candidate in known.items()]
    fused.sort(key=lambda candidate: (-candidate.score, candidate.number))
    return Fusion(Candidates.of(fused), 0, reasons)
