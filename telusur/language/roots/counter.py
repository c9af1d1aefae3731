"""Counts the words of texts by root; the texts themselves decide between possible readings.

"menulis" may come from "tulis" or "nulis"; texts with "tulisan", "penulis" and "tulis" suggest the
first. So the root that explains the most different words wins.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from telusur.language.analysis import get_analyser
from telusur.language.normalise import normalise_word
from telusur.language.roots import english, indonesian, turkish
from telusur.language.roots.readings import NOUN, OTHER, VERB, Grammar, RootReading
from telusur.language.words import find_words

GRAMMARS: dict[str, Callable[[], Grammar]] = {
    "en": english.get_grammar,
    "id": indonesian.get_grammar,
    "tr": turkish.get_grammar,
}
# The most different words in memory; when there are more, the rarer half is forgotten.
MOST_FORMS = 200_000
SHOWN_FORMS = 5
# The penalty of a reading for each ending that is removed.
DOUBT = 0.1


@dataclass(slots=True, frozen=True)
class RootCount:
    """A root with the words that were read as its forms, the most frequent first."""

    root: str
    # noun, verb, or empty if it is unknown.
    kind: str
    language: str
    count: int
    forms: tuple[tuple[str, int], ...]


class RootCounter:
    """Counts the roots in texts of one language, in bounded memory."""

    def __init__(self, language: str) -> None:
        self.language = language
        make = GRAMMARS.get(language)
        self._grammar = make() if make is not None else None
        self._analyser = get_analyser(language)
        self._counts: Counter[str] = Counter()
        # How often a word follows a word that precedes nouns, or verbs.
        self._follows: Counter[tuple[str, str]] = Counter()

    def add(self, text: str) -> None:
        """Count the words of one document."""
        words = [normalise_word(word, self.language) for word in find_words(text)]
        kept = [word for word in words if self._is_worth_counting(word)]
        self._counts.update(kept)
        if self._grammar is not None:
            before = self._grammar.before
            self._follows.update(
                (word, before[last]) for last, word in itertools.pairwise(words) if last in before
            )
        if len(self._counts) > MOST_FORMS:
            self._forget_rare()

    def _is_worth_counting(self, word: str) -> bool:
        return len(word) > 1 and not word.isdigit() and word not in self._analyser.stop_words

    def _forget_rare(self) -> None:
        self._counts = Counter(dict(self._counts.most_common(MOST_FORMS // 2)))
        for key in [key for key in self._follows if key[0] not in self._counts]:
            del self._follows[key]

    def roots(self) -> list[RootCount]:
        """Return the roots, the most frequent first."""
        groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for form, name in self.read_all().items():
            groups[name].append(form)
        found = [self._count(root, kind, forms) for (root, kind), forms in groups.items()]
        return sorted(found, key=lambda each: (-each.count, each.root))

    def read_all(self) -> dict[str, tuple[str, str]]:
        """Return root and kind of each word."""
        return {form: self._name(reading) for form, reading in self._choose().items()}

    def most_common(self, limit: int) -> list[tuple[str, int]]:
        """Return the most frequent words as written, with their counts."""
        return self._counts.most_common(limit)

    def _name(self, reading: RootReading) -> tuple[str, str]:
        """Return a root as dictionaries have it, and its kind."""
        if reading.kind == VERB and self._grammar is not None:
            return self._grammar.name_verb(reading.root), VERB
        return reading.root, reading.kind

    def _choose(self) -> dict[str, RootReading]:
        """Return the best reading of each word."""
        if self._grammar is None:
            stem = self._analyser.stem_of
            return {form: RootReading(stem(form), OTHER) for form in self._counts}
        readings = {form: self._grammar.read(form) for form in self._counts}
        support = self._support(readings)
        chosen = {
            form: max(found, key=lambda each: (_merit(each, support), each))
            for form, found in readings.items()
        }
        return self._name_kinds(self._grammar, chosen)

    def _support(self, readings: dict[str, list[RootReading]]) -> Mapping[tuple[str, str], float]:
        """Return the support of words for each root; each word has one vote in all."""
        support: defaultdict[tuple[str, str], float] = defaultdict(float)
        for form, found in readings.items():
            voice = math.log1p(self._counts[form]) / len(found)
            for root, kind in {(each.root, each.kind) for each in found}:
                support[root, kind] += voice
        return support

    def _name_kinds(
        self, grammar: Grammar, chosen: dict[str, RootReading]
    ) -> dict[str, RootReading]:
        """Decide what endings leave open by the preceding words: first of the word, then of its
        root."""
        votes: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for form, reading in chosen.items():
            for kind in (NOUN, VERB):
                votes[reading.root][kind] += self._follows[form, kind]
            votes[reading.root][reading.kind] += self._counts[form]
        settled = {}
        for form, reading in chosen.items():
            kind = reading.kind
            if not kind:
                own = {kind: self._follows[form, kind] for kind in (NOUN, VERB)}
                kind = _majority(own) or _majority(votes[reading.root]) or grammar.otherwise(form)
            settled[form] = reading._replace(kind=kind)
        return settled

    def _count(self, root: str, kind: str, forms: Iterable[str]) -> RootCount:
        counted = sorted(((form, self._counts[form]) for form in forms), key=_largest_first)
        return RootCount(
            root=root,
            kind=kind,
            language=self.language,
            count=sum(count for _, count in counted),
            forms=tuple(counted[:SHOWN_FORMS]),
        )


def _merit(reading: RootReading, support: Mapping[tuple[str, str], float]) -> float:
    """Return the merit of a reading: roots shared by many words, with few endings removed."""
    voices = support[reading.root, reading.kind]
    if reading.kind:
        voices += support.get((reading.root, OTHER), 0.0)
    return math.log(voices) - DOUBT * reading.endings


def _majority(votes: dict[str, int] | Counter[str]) -> str:
    noun, verb = votes.get(NOUN, 0), votes.get(VERB, 0)
    if max(noun, verb) < 2 or noun == verb:
        return OTHER
    return NOUN if noun > verb else VERB


def _largest_first(counted: tuple[str, int]) -> tuple[int, str]:
    return -counted[1], counted[0]
