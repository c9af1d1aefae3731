"""Asks a dictionary for the roots of words, one a line; runs where the dictionary is installed."""

import json
import logging
import sys
from collections.abc import Callable

logging.disable(logging.CRITICAL)


def ask_zemberek() -> Callable[[str], list[tuple[str, str]]]:
    """Return a function that gives the lemmas and kinds of a Turkish word."""
    from zemberek import TurkishMorphology

    kinds = {"Verb": "verb", "Noun": "noun", "Adj": "noun"}
    morphology = TurkishMorphology.create_with_defaults()

    def ask(word: str) -> list[tuple[str, str]]:
        items = [each.item for each in morphology.analyze(word).analysis_results]
        lemmas = [(item.lemma, item.primary_pos.short_form) for item in items]
        lower = str.maketrans({"I": "ı", "İ": "i"})
        return [(lemma.translate(lower).lower(), kinds[k]) for lemma, k in lemmas if k in kinds]

    return ask


def ask_sastrawi() -> Callable[[str], list[tuple[str, str]]]:
    """Return a function that gives the root of an Indonesian word."""
    from Sastrawi.Stemmer.StemmerFactory import StemmerFactory

    stem = StemmerFactory().create_stemmer().stem
    return lambda word: [(stem(word), "")]


if __name__ == "__main__":
    ask = {"zemberek": ask_zemberek, "sastrawi": ask_sastrawi}[sys.argv[1]]()
    print(json.dumps({word: ask(word) for word in sys.stdin.read().split()}))
