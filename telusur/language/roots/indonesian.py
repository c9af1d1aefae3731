"""Indonesian: affixes distinguish nouns from verbs, and change the first letter of a root."""

from functools import cache

from telusur.language.roots.readings import NOUN, OTHER, VERB, Grammar, RootReading, by_kind

_SHORTEST_ROOT = 3
_VOWELS = "aeiou"
# A prefix that ends in a nasal, and the letters that it may have replaced.
_NASALS = (("ny", "s"), ("ng", "k"), ("nge", ""), ("m", "p"), ("n", "t"), ("", ""))
_OF_VERBS = ("di", "ber", "be", "ter", "memper", "diper", "member", "diber")
_OF_NOUNS = ("ke", "per", "keber", "pember", "keter")
_PARTICLES = ("lah", "kah", "pun", "tah")
_OWNERS = ("nya", "ku", "mu")


def read(word: str) -> list[RootReading]:
    """Return all ways to read a word in normal form."""
    found = [RootReading(word, OTHER)]
    for bare, endings in _without_clitics(word):
        if endings:
            found.append(RootReading(bare, OTHER, endings))
        found += [
            RootReading(root, kind, endings + taken)
            for root, kind, taken in _without_affixes(bare)
            if len(root) >= _SHORTEST_ROOT and any(letter in _VOWELS for letter in root)
        ]
    return found


def _without_clitics(word: str) -> list[tuple[str, int]]:
    """Return a word with and without particles and possessives, and how many were removed."""
    found = [(word, 0)]
    for endings in (_PARTICLES, _OWNERS):
        found += [
            (bare.removesuffix(ending), taken + 1)
            for bare, taken in found
            for ending in endings
            if bare.endswith(ending)
        ]
    return [each for each in found if len(each[0]) >= _SHORTEST_ROOT]


def _without_affixes(word: str) -> list[tuple[str, str, int]]:
    """Return the possible roots of a word, with its kind and how many affixes were removed."""
    found = []
    for stem, suffix in _without_suffix(word):
        taken = 1 if suffix else 0
        if suffix:
            found.append((stem, NOUN if suffix == "an" else VERB, 1))
        for prefixes, kind in ((_OF_VERBS, VERB), (_OF_NOUNS, NOUN), (("se",), OTHER)):
            found += [
                (stem.removeprefix(prefix), kind, taken + 1)
                for prefix in prefixes
                if stem.startswith(prefix) and (prefix != "ke" or suffix == "an")
            ]
        found += [(root, VERB, taken + 1) for root in _without_nasal(stem, "me")]
        found += [(root, NOUN, taken + 1) for root in _without_nasal(stem, "pe")]
    return found


def _without_suffix(word: str) -> list[tuple[str, str]]:
    found = [(word, "")]
    for suffix in ("kan", "an", "i"):
        is_borrowed = suffix == "i" and word.endswith(("asi", "isi", "usi"))  # konfigurasi
        if word.endswith(suffix) and not is_borrowed and len(word) - len(suffix) >= _SHORTEST_ROOT:
            found.append((word.removesuffix(suffix), suffix))
    return found


def _without_nasal(word: str, prefix: str) -> list[str]:
    """Return the possible roots of this word: tulis for menulis, jual for menjual."""
    if not word.startswith(prefix):
        return []
    rest = word.removeprefix(prefix)
    roots = []
    for nasal, swallowed in _NASALS:
        if not rest.startswith(nasal) or len(rest) <= len(nasal):
            continue
        bare = rest.removeprefix(nasal)
        if swallowed and bare[0] in _VOWELS:
            roots.append(swallowed + bare)
        if nasal == "ng" or (nasal and bare[0] not in _VOWELS) or bare[0] in "lmnrwy":
            roots.append(bare)
    return roots


@cache
def get_grammar() -> Grammar:
    """Return what is known of Indonesian."""
    nouns = (
        "sebuah seorang seekor suatu para setiap tiap banyak beberapa semua di ke dari pada dalam"
        " oleh dengan bukan antara tentang bagi atas"
    )
    verbs = (
        "akan sudah telah sedang dapat bisa harus tidak belum ingin boleh perlu jangan pernah masih"
        " yang untuk"
    )
    return Grammar(read, by_kind(nouns, verbs))
