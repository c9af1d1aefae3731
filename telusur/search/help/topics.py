"""Hits grouped by topic, each group named by its own words: "cat" the animal, "Cat" the company."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from telusur.index.contract import Entry
from telusur.search.help.clusters import OTHER, cluster, weigh
from telusur.search.help.topic_words import TopicWords, read_topic_words

WORDS_OF_A_NAME = 3
OTHER_NAME = "other"
CANDIDATES = 20
FORMS_READ = 30
SMOOTHING = 0.02
# A word of a name must be in at least this share of the group's hits.
_LEAST_SHARE = 0.2
# A phrase replaces its words when at least this share of their hits has it.
_PHRASE_SHARE = 0.5

Rarity = Callable[[str, str], float]


class HitTopic(NamedTuple):
    """Some of the hits, by their indexes, and the name of their topic."""

    name: str
    places: tuple[int, ...]


def find_topics(
    entries: Sequence[Entry], query_terms: Iterable[int], rarity: Rarity
) -> tuple[HitTopic, ...]:
    """Return the hits in groups, the largest first; hits in no group come last, as "other".

    `rarity` returns how rare a word of a language is in the whole collection.
    """
    if not entries:
        return ()
    words = read_topic_words(entries, query_terms)
    labels = cluster(weigh(words.counts))
    languages = [entry.language for entry in entries]
    topics = []
    for number in range(int(labels.max()) + 1):
        inside = labels == number
        name = _Namer(words, inside, languages, rarity).name()
        topics.append(HitTopic(name, tuple(np.flatnonzero(inside).tolist())))
    rest = tuple(np.flatnonzero(labels == OTHER).tolist())
    return (*topics, HitTopic(OTHER_NAME, rest)) if rest else tuple(topics)


class _Namer:
    """Names one group of hits."""

    def __init__(
        self,
        words: TopicWords,
        inside: NDArray[np.bool_],
        languages: Sequence[str],
        rarity: Rarity,
    ) -> None:
        self._words = words
        self._inside = inside
        self._languages = languages
        self._rarity = rarity
        self._rows_inside = inside[words.hit]

    def name(self) -> str:
        """Return the words that most hits of a group have, and few others."""
        chosen: list[str] = []
        for name in self._names():
            if not _is_said(name, chosen):
                chosen.append(name)
            if len(chosen) == WORDS_OF_A_NAME:
                break
        return ", ".join(chosen) or OTHER_NAME

    def _names(self) -> Iterator[str]:
        """Yield each term as it is written, or the phrase it mostly occurs in."""
        ranked = []
        for term, worth in self._telling():
            rows = np.flatnonzero(self._rows_inside & (self._words.term == term))
            written = self._words.written(rows[:FORMS_READ].tolist())
            if _is_word(written):
                language = self._languages[int(self._words.hit[rows[0]])]
                ranked.append((-worth * self._rarity(written, language), written, rows))
        ranked.sort(key=lambda each: each[:2])
        for _, written, rows in ranked:
            yield self._phrase_of(rows) or written

    def _telling(self) -> Iterator[tuple[int, float]]:
        has = self._words.counts > 0
        within = has[self._inside].mean(axis=0)
        outside = has[~self._inside].mean(axis=0) if not self._inside.all() else 0.0 * within
        worth = within * np.log((within + SMOOTHING) / (outside + SMOOTHING))
        worth[within < _LEAST_SHARE] = 0.0
        best = np.argsort(-worth, kind="stable")[:CANDIDATES]
        return ((int(term), float(worth[term])) for term in best if worth[term] > 0)

    def _phrase_of(self, rows: NDArray[np.int64]) -> str:
        """Return the phrase of two words that a term mostly occurs in, or nothing."""
        words = self._words
        hits = len(np.unique(words.hit[rows]))
        best = (1, "")
        for firsts in (rows[words.follows[rows]] - 1, rows):
            seconds = firsts + 1
            inside = seconds < len(words.term)
            pairs = firsts[inside][words.follows[seconds[inside]]]
            keys = words.term[pairs] * words.counts.shape[1] + words.term[pairs + 1]
            for key in np.unique(keys).tolist():
                found = pairs[keys == key]
                in_hits = len(np.unique(words.hit[found]))
                if in_hits > best[0] and in_hits >= _PHRASE_SHARE * hits:
                    best = (in_hits, self._written_phrase(found))
        return best[1]

    def _written_phrase(self, firsts: NDArray[np.int64]) -> str:
        read = firsts[:FORMS_READ]
        parts = (self._words.written(read.tolist()), self._words.written((read + 1).tolist()))
        return " ".join(parts) if all(map(_is_word, parts)) else ""


def _is_word(written: str) -> bool:
    """Tell whether something is a word: numbers and single letters are not."""
    return len(written) > 1 and not any(character.isdigit() for character in written)


def _is_said(name: str, chosen: list[str]) -> bool:
    """Tell whether a name has a word, or the beginning of one, that was chosen before."""
    said = {word[:6] for one in chosen for word in one.casefold().split()}
    return any(word[:6] in said for word in name.casefold().split())
