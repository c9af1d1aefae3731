"""What a word may be: its root, and whether it is used as a noun or a verb."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

NOUN, VERB, OTHER = "noun", "verb", ""


class RootReading(NamedTuple):
    """One way to read a word. `endings` is how many were removed."""

    root: str
    kind: str
    endings: int = 0


@dataclass(slots=True, frozen=True)
class Grammar:
    """The grammar of a language: how words are read, and what the preceding word suggests.

    `before` gives the kind of word that follows a function word: "the" is followed by a noun.
    """

    read: Callable[[str], list[RootReading]]
    before: Mapping[str, str]
    # How a verb's root is written in a dictionary.
    name_verb: Callable[[str], str] = str
    # The kind of a word when neither its endings nor the preceding words decide.
    otherwise: Callable[[str], str] = lambda _: OTHER


def by_kind(nouns: str, verbs: str) -> dict[str, str]:
    """Return what follows each of these words, given as two lists with spaces."""
    return dict.fromkeys(nouns.split(), NOUN) | dict.fromkeys(verbs.split(), VERB)
