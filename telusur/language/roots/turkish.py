"""Turkish: chains of endings, chosen by vowel harmony; the chain distinguishes nouns and verbs.

Endings are written as in grammar books: A is a or e, I one of ı i u ü, D d or t, C c or ç, K k or
ğ; a letter in brackets is used only between two vowels, or between two consonants.
"""

import re
from functools import cache

from telusur.language.roots.readings import NOUN, VERB, Grammar, RootReading, by_kind

_VOWELS = "aıoueiöü"
_BACK = "aıou"
_SHORTEST_ROOT = 2
_CHANGING = {"ed": "et", "gid": "git", "tad": "tat", "güd": "güt"}
_HARD = {"b": "p", "c": "ç", "d": "t", "ğ": "k"}

# From the root outwards, one of each row at most.
_NOUN_ENDINGS = (
    ("lIK", "lI", "sIz", "CI"),
    ("lAr",),
    ("(I)m", "(I)n", "(s)I", "(I)mIz", "(I)nIz", "lArI"),
    ("(y)I", "(y)A", "DA", "DAn", "(n)In", "(y)lA", "nI", "nA", "nDA", "nDAn", "CA"),
    ("ki", "DIr", "(y)DI", "(y)sA", "(y)mIş"),
)
_VERB_ENDINGS = (
    ("DIr", "t"),
    ("(I)l", "(I)n"),
    ("mA", "mI", "(y)AmA", "(y)Abil", "mAyAbil"),
    ("(I)yor", "(y)AcAK", "mIş", "DI", "(I)r", "(A)r", "mAz", "mAlI", "sA", "mAktA",
     "mAk", "mA", "(y)An", "DIK", "(y)Ip", "(y)ArAk", "(y)IncA", "mAdAn", "(y)Iş"),
    ("(y)DI", "(y)mIş", "(y)sA", "DIr", "ken", "lArI", "(I)mIz", "(s)I", "lAr"),
    ("(I)m", "sIn", "(I)z", "k", "sInIz", "nIz", "lAr", "n", "(y)A", "(y)I", "nI", "nA", "nDA",
     "nDAn", "(n)In", "DA", "DAn", "(y)lA", "DIr"),
)  # fmt: skip
_LETTERS = {"A": "[ae]", "I": "[ıiuü]", "D": "[dt]", "C": "[cç]", "K": "[kğ]"}


def _pattern_of(ending: str) -> str:
    written = "".join(_LETTERS.get(letter, letter) for letter in ending)
    return re.sub(r"\(((?:\[[^]]*\]|\w))\)", r"\1?", written)


def _chain(rows: tuple[tuple[str, ...], ...], must_have: int = -1) -> re.Pattern[str]:
    """Return the pattern of at most one ending of each row; one row may be required."""
    groups = [f"({'|'.join(map(_pattern_of, row))})" for row in rows]
    marks = ["" if number == must_have else "?" for number in range(len(rows))]
    return re.compile("".join(map(str.__add__, groups, marks)))


_NOUN_CHAIN = _chain(_NOUN_ENDINGS)
# A verb needs a tense or a verbal noun: other endings also belong to nouns.
_VERB_CHAIN = _chain(_VERB_ENDINGS, must_have=3)


def read(word: str) -> list[RootReading]:
    """Return all ways to read a word in normal form."""
    found = [RootReading(word, NOUN)]
    for cut in range(_SHORTEST_ROOT, len(word)):
        root, endings = word[:cut], word[cut:]
        if not _fits(root, endings):
            continue
        nouns = _count(_NOUN_CHAIN, endings)
        if nouns and _is_long_enough(root):
            found += [RootReading(each, NOUN, nouns) for each in _as_written_alone(root, endings)]
        verbs = _count(_VERB_CHAIN, endings)
        if verbs and _is_long_enough(root):
            found.append(RootReading(_CHANGING.get(root, root), VERB, verbs))
    return found


def _is_long_enough(root: str) -> bool:
    """Tell whether this can be a root; with two letters, "ol-" and "ev" can, but not "ka"."""
    return len(root) > _SHORTEST_ROOT or root[0] in _VOWELS or root in ("de", "ye", "su")


def _count(chain: re.Pattern[str], endings: str) -> int:
    match = chain.fullmatch(endings)
    return sum(map(bool, match.groups())) if match else 0


def _fits(root: str, endings: str) -> bool:
    """Tell whether the endings may follow this root."""
    if root[-1] in _VOWELS and endings[0] in _VOWELS:
        return False
    if root[-1] not in _VOWELS and endings[0] == "y":
        return False
    last = next((letter for letter in reversed(root) if letter in _VOWELS), "")
    first = next((letter for letter in endings if letter in _VOWELS), last)
    return bool(last) and (last in _BACK) == (first in _BACK)


def _as_written_alone(root: str, endings: str) -> list[str]:
    """Return a noun without endings: before a vowel its last letter may have been softened."""
    hard = _HARD.get(root[-1])
    if hard is None or endings[0] not in _VOWELS:
        return [root]
    return [root[:-1] + hard, root] if root[-1] != "ğ" else [root[:-1] + hard]


def name_verb(root: str) -> str:
    """Return the infinitive, as dictionaries have it."""
    last = next((letter for letter in reversed(root) if letter in _VOWELS), "e")
    return root + ("mak" if last in _BACK else "mek")


@cache
def get_grammar() -> Grammar:
    """Return what is known of Turkish."""
    before = by_kind(nouns="bir bu şu o her bazı tüm bütün hiçbir kaç çok en", verbs="")
    return Grammar(read, before, name_verb)
