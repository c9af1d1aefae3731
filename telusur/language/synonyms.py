"""Words that mean the same, from a text file: `car, automobile, auto` or `tv => television`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from telusur.errors import UsageError
from telusur.language.analysis import terms

ARROW = "=>"
MOST_SYNONYMS = 50

Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Pairs of a typed word and a word to search for as well, as written in the file."""

    pairs: tuple[tuple[str, str], ...] = ()

    def of_language(self, language: str) -> dict[Run, tuple[Run, ...]]:
        """Return the synonyms as terms of a language."""
        return _as_terms(self.pairs, language)


def parse_synonyms(text: str, source: str = "synonyms") -> Synonyms:
    """Read a list: one group per line, words separated by commas, `#` starts a comment.

    With an arrow, only the words on its left find those on its right.
    """
    pairs: dict[tuple[str, str], None] = {}
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        group = line.split("#", 1)[0].strip()
        if group:
            pairs.update(dict.fromkeys(_pairs_of(group, f"{source}, line {number}")))
    return Synonyms(tuple(pairs))


def _pairs_of(line: str, where: str) -> Iterator[tuple[str, str]]:
    left, arrow, right = line.partition(ARROW)
    typed, found = _words_of(left), _words_of(right) if arrow else _words_of(left)
    if not typed or not found or (not arrow and len(typed) < 2):
        raise UsageError(
            f"{where}: {line!r} has no synonym; write `car, automobile` or `tv => television`."
        )
    for word in typed:
        yield from ((word, other) for other in found[:MOST_SYNONYMS] if other != word)


def _words_of(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


@lru_cache(maxsize=64)
def _as_terms(pairs: tuple[tuple[str, str], ...], language: str) -> dict[Run, tuple[Run, ...]]:
    found: dict[Run, dict[Run, None]] = {}
    for typed, other in pairs:
        key, value = (tuple(terms(word, language, keep_stop_words=True)) for word in (typed, other))
        if key and value and key != value:
            found.setdefault(key, {})[value] = None
    return {key: tuple(values) for key, values in found.items()}
