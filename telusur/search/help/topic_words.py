"""The words of hits that distinguish topics, and their spelling."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.arrays import Floats, Ints
from telusur.index.contract import Entry
from telusur.language.analysis import joined_terms
from telusur.language.stop_words import stop_words_of
from telusur.language.token_table import (
    NO_TERM,
    Hashes,
    hash_terms,
    pack_tokens,
    unpack_tokens,
)

# The first tokens of a text show its subject ...
READ_TOKENS = 300
# ... and tokens this close to a word of the query show its meaning here.
NEAR = 20
TITLE_WEIGHT = 3.0
NEAR_WEIGHT = 2.0
# How many occurrences of a word of the query are examined per hit.
MOST_PLACES = 10
MOST_TERMS = 600


class Tokens(NamedTuple):
    """Some tokens: their hits, terms, positions and weights."""

    hit: Ints
    hashes: Hashes
    start: Ints
    end: Ints
    weight: NDArray[np.float64]


@dataclass(slots=True, frozen=True)
class TopicWords:
    """The tokens of hits that at least two of them have: hit, term, place, one row each."""

    texts: tuple[str, ...]
    hit: Ints
    term: Ints
    start: Ints
    end: Ints
    # The token directly follows the one of the row before.
    follows: NDArray[np.bool_]
    # How much each term counts in each hit.
    counts: Floats

    def written(self, rows: Iterable[int]) -> str:
        """Return the form in which these tokens are written most often."""
        forms = Counter(self.texts[self.hit[row]][self.start[row] : self.end[row]] for row in rows)
        return min(forms, key=lambda form: (-forms[form], form), default="")


def read_topic_words(entries: Sequence[Entry], query_terms: Iterable[int]) -> TopicWords:
    """Return the words of hits, without small words and those of the query."""
    asked = np.array(sorted(query_terms), np.uint32)
    codes = {entry.language for entry in entries}
    parts = [_titles(entries, code) for code in sorted(codes)]
    parts += [_body(number, entry, asked) for number, entry in enumerate(entries)]
    hit, hashes, start, end, weight = (
        np.concatenate(column) for column in zip(*parts, strict=True)
    )
    known, term = np.unique(hashes, return_inverse=True)
    counts = _count(hit * len(known) + term, weight, (len(entries), len(known)))
    dull = np.concatenate([asked, *map(_small_words, codes)])
    kept = _kept(counts, ~np.isin(known, dull) & (known != NO_TERM))
    rows = kept[term]
    return TopicWords(
        texts=tuple(f"{entry.title}\n{entry.text}" for entry in entries),
        hit=hit[rows],
        term=(np.cumsum(kept) - 1)[term[rows]],
        start=start[rows],
        end=end[rows],
        follows=_follows(hit, start, end, rows)[rows],
        counts=counts[:, kept],
    )


def _count(cells: Ints, weights: NDArray[np.float64], shape: tuple[int, int]) -> Floats:
    """Return a table of sums of weights by cell."""
    sums = np.bincount(cells, weights, shape[0] * shape[1])
    return sums.astype(np.float32).reshape(shape)


def _kept(counts: Floats, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell for each term whether it is one of the most characteristic that several hits have."""
    in_hits = np.count_nonzero(counts, axis=0)
    worth = counts.sum(axis=0) * np.log(len(counts) / np.maximum(in_hits, 1)) * allowed
    worth[in_hits < 2] = 0.0
    if len(worth) > MOST_TERMS:
        worth[np.argsort(-worth, kind="stable")[MOST_TERMS:]] = 0.0
    kept: NDArray[np.bool_] = worth > 0
    return kept


def _follows(hit: Ints, start: Ints, end: Ints, rows: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell for each token whether a counted token directly precedes it, with a space between."""
    follows = np.zeros(len(hit), bool)
    follows[1:] = rows[:-1] & (hit[1:] == hit[:-1]) & (start[1:] == end[:-1] + 1)
    return follows


def _titles(entries: Sequence[Entry], language: str) -> Tokens:
    """Return the tokens of all titles of a language, which are analysed as one text."""
    numbers = [n for n, entry in enumerate(entries) if entry.language == language]
    titles = [entries[n].title.replace("\n", " ") for n in numbers]
    ends = np.cumsum([len(title) + 1 for title in titles])
    table = unpack_tokens(pack_tokens("\n".join(titles), language))
    which = np.minimum(np.searchsorted(ends, table.starts, side="right"), len(titles) - 1)
    begins = np.concatenate([[0], ends])[which]
    hits = np.array(numbers, np.int64)[which]
    weights = np.full(len(which), TITLE_WEIGHT)
    return Tokens(hits, table.hashes, table.starts - begins, table.ends - begins, weights)


def _body(number: int, entry: Entry, asked: Hashes) -> Tokens:
    """Return the tokens of the characteristic parts of a text."""
    table = unpack_tokens(entry.token_table)
    weights = np.zeros(len(table.hashes))
    weights[:READ_TOKENS] = 1.0
    for term in asked:
        for place in np.flatnonzero(table.hashes == term)[:MOST_PLACES].tolist():
            weights[max(0, place - NEAR) : place + NEAR + 1] = NEAR_WEIGHT
    read = weights > 0
    shift = len(entry.title) + 1
    starts, ends = table.starts[read] + shift, table.ends[read] + shift
    hits = np.full(len(starts), number, np.int64)
    return Tokens(hits, table.hashes[read], starts, ends, weights[read])


@lru_cache(maxsize=64)
def _small_words(language: str) -> Hashes:
    """Return the terms of the stop words of a language."""
    return hash_terms(joined_terms(" ".join(sorted(stop_words_of(language))), language))
