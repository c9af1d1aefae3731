"""English: endings say little about the kind of a word, the preceding word says most."""

import re
from functools import cache

from telusur.language.roots.readings import NOUN, OTHER, VERB, Grammar, RootReading, by_kind

_SHORTEST_ROOT = 3
_VOWELS = "aeiouy"
_OF_NOUNS = (
    "tion", "sion", "ment", "ness", "ity", "ship", "ism", "ance", "ence", "ology", "hood", "dom",
    "ist",
)  # fmt: skip
# A single consonant after a single vowel, or a consonant that rarely ends a word.
_WANTS_E = re.compile(
    r"[cvzu]$|[^aeiou]l$|[^aeiou]s$|(?<![aeiou])[aeiou][bcdgkmpstvz]$|(?<![aeiou])[aiu][rn]$|rg$|ng$"
)
_DOUBLED = re.compile(r"([bdgklmnprt])\1$")
_OF_VERBS = ("ize", "ise", "ify")
_OF_OTHERS = ("ly", "ous", "ful", "ive", "able", "ible", "al", "ic", "less", "ish", "ary", "est")


def read(word: str) -> list[RootReading]:
    """Return all ways to read a word in normal form."""
    kind = _kind_by_ending(word)
    if len(word) <= _SHORTEST_ROOT or word.endswith(("ss", "us", "is")):
        return [RootReading(word, kind)]
    if word.endswith("s"):  # noun or verb: the preceding word decides
        found = [RootReading(root, _kind_by_ending(root), 1) for root in _without_s(word)]
        return [RootReading(word, kind), *found]
    verbs = [RootReading(root, VERB, doubt) for root, doubt in _as_verbs(word)]
    return [RootReading(word, kind, 2 if verbs else 0), *verbs]


def _kind_by_ending(word: str) -> str:
    if len(word) < 6:
        return OTHER
    if word.endswith(_OF_NOUNS):
        return NOUN
    return VERB if word.endswith(_OF_VERBS) else OTHER


def guess_kind(word: str) -> str:
    """Return the kind of a word without other evidence: most are nouns.

    Words that look like adjectives or adverbs are not.
    """
    return OTHER if len(word) > 4 and word.endswith(_OF_OTHERS) else NOUN


def _without_s(word: str) -> list[str]:
    if word.endswith("ies") and len(word) > 4:
        return [word[:-3] + "y"]
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return [word[:-2], word[:-1]]
    return [word[:-1]]


def _as_verbs(word: str) -> list[tuple[str, int]]:
    """Return the possible verbs of a word in "-ed" or "-ing", and how doubtful each is.

    For example "mak" is make, "stopp" stop, "tri" try; "obtain" is more likely obtain than obtaine.
    """
    stem = word.removesuffix("ed") if not word.endswith("eed") else word
    stem = word.removesuffix("ing") if stem == word else stem
    if stem == word or len(stem) == 1 or not any(letter in _VOWELS for letter in stem):
        return []
    wants_e = _WANTS_E.search(stem) is not None
    is_doubled = _DOUBLED.search(stem) is not None
    roots = [(stem, 3 if wants_e else 2 if is_doubled else 1), (stem + "e", 1 if wants_e else 3)]
    if is_doubled:
        roots.append((stem[:-1], 1))
    if stem.endswith("i"):
        roots.append((stem[:-1] + "y", 1))
    return [(root, doubt) for root, doubt in roots if len(root) >= _SHORTEST_ROOT]


@cache
def get_grammar() -> Grammar:
    """Return what is known of English."""
    nouns = (
        "the a an this that these those my your his her its our their each every some any no of in"
        " on at by from"
    )
    verbs = (
        "to i you we they he she it who will would can could shall should may might must do does"
        " did don doesn didn not cannot let please"
    )
    return Grammar(read, by_kind(nouns, verbs), otherwise=guess_kind)
