"""Counts the words of a collection by root: all documents, each site, or topics."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from telusur.errors import UsageError
from telusur.language.roots.counter import RootCount, RootCounter
from telusur.language.roots.readings import NOUN, VERB
from telusur.models import Document
from telusur.store.reader import ColumnRow

LARGEST_SITES = 10
# Languages counted separately in one group; texts in others are left out.
MOST_LANGUAGES = 8
LONGEST_TEXT = 1_000_000


class RootText(NamedTuple):
    """The text of one document, and its group."""

    group: str
    language: str
    text: str


@dataclass(slots=True, frozen=True)
class GroupWords:
    """The words of one group of documents: a site, a topic, or "" for all."""

    name: str
    documents: int
    roots: tuple[RootCount, ...]


@dataclass(slots=True, frozen=True)
class WordWishes:
    """Which words to return: kind, language, and how many per group."""

    kind: str = ""
    language: str = ""
    limit: int = 20

    def check(self) -> None:
        """Raise UsageError for invalid values."""
        if self.kind not in ("", NOUN, VERB):
            raise UsageError(f"kind: there is no {self.kind!r}; choose {NOUN} or {VERB}.")
        if self.limit < 1:
            raise UsageError(f"limit must be at least 1, not {self.limit}.")


ALL_WORDS = WordWishes()


def texts_of_all(rows: Iterable[ColumnRow], sites: Sequence[str] = ()) -> Iterator[RootText]:
    """Yield all documents as one group, or those of the given sites by site."""
    for row in rows:
        if not sites or row["site"] in sites:
            yield RootText(row["site"] if sites else "", row["language"], _text_of(row))


def texts_of_topics(found: Iterable[tuple[str, Document]]) -> Iterator[RootText]:
    """Yield documents with the topic they were found for."""
    for topic, document in found:
        yield RootText(topic, document.language, f"{document.title}\n{document.text}")


def _text_of(row: ColumnRow) -> str:
    return f"{row['title']}\n{row['text']}"


def count_roots(texts: Iterable[RootText], wishes: WordWishes) -> list[GroupWords]:
    """Return each group's most frequent roots, groups in order of appearance."""
    wishes.check()
    documents: Counter[str] = Counter()
    counters: dict[str, dict[str, RootCounter]] = {}
    for group, language, text in texts:
        if wishes.language and language != wishes.language:
            continue
        documents[group] += 1
        of_group = counters.setdefault(group, {})
        if language in of_group or len(of_group) < MOST_LANGUAGES:
            counter = of_group.setdefault(language, RootCounter(language))
            counter.add(text[:LONGEST_TEXT])
    return [
        GroupWords(name, documents[name], tuple(_best(of_group, wishes)))
        for name, of_group in counters.items()
    ]


def _best(counters: dict[str, RootCounter], wishes: WordWishes) -> Iterator[RootCount]:
    roots = [
        root
        for counter in counters.values()
        for root in counter.roots()
        if wishes.kind in ("", root.kind)
    ]
    yield from sorted(roots, key=lambda each: (-each.count, each.root))[: wishes.limit]
