"""Turns one wish into an index query: a phrase, a prefix, a fuzzy word, or words of one place."""

from collections.abc import Iterable

from telusur.index.places import url_words
from telusur.index.query import Fuzzy, Node, Prefix, Query, Words
from telusur.language.analysis import terms
from telusur.language.exact import exact_terms
from telusur.search.query.syntax import QueryWish

# Longer phrases are cut to this many words.
LONGEST_RUN = 64
_PLACE_OF = {"title": "title", "url": "url"}


class LeafMaker:
    """Makes the nodes of wishes; words are analysed in each of several languages."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        self._languages = languages

    def make(self, wish: QueryWish) -> Node | None:
        """Return the node of a wish that is not a plain word; None if it contains no word."""
        if wish.field == "topic":
            return self._about(wish)
        text = url_words(f"//{wish.text}") if wish.field == "url" else wish.text
        place = _PLACE_OF.get(wish.field, "")
        if wish.kind == "prefix":
            return self._prefix(text, place)
        if wish.kind == "fuzzy":
            return self._fuzzy(text, wish.distance)
        if wish.kind == "phrase" and not place:
            return self._exact(text)
        return self.make_run(text, place or "everywhere")

    def make_run(self, text: str, place: str = "everywhere") -> Node | None:
        """Return words that must be side by side, in any of their forms."""
        runs = (terms(text, code, keep_stop_words=True) for code in self._languages)
        return _words(runs, place)

    def _exact(self, text: str) -> Node | None:
        """Return words that must be side by side exactly as written."""
        return _words((exact_terms(text, code) for code in self._languages), "exact")

    def _prefix(self, text: str, place: str) -> Node | None:
        """Return words with this beginning; of several ("e-mai*") only the last is a prefix."""
        *before, last = self._exact_words(text) or [""]
        if not last:
            return None
        prefix = Prefix(last, place or "exact")
        if not before:
            return prefix
        return Query(required=(Words((tuple(before),), place or "exact"), prefix))

    def _fuzzy(self, text: str, distance: int) -> Node | None:
        *before, last = self._exact_words(text) or [""]
        if not last:
            return None
        fuzzy = Fuzzy(last, distance)
        return Query(required=(Words((tuple(before),), "exact"), fuzzy)) if before else fuzzy

    def _about(self, wish: QueryWish) -> Node | None:
        """Return the node of `topic:`, which matches the topic of the crawl, the title or the
        address."""
        places = (self.make_run(wish.text, place) for place in ("topic", "title", "url"))
        nodes = tuple(node for node in places if node is not None)
        return Query(wanted=nodes) if nodes else None

    def _exact_words(self, text: str) -> list[str]:
        return exact_terms(text, self._languages[0])[:LONGEST_RUN]


def _words(runs: Iterable[list[str]], place: str) -> Words | None:
    variants = tuple(dict.fromkeys(tuple(run[:LONGEST_RUN]) for run in runs if run))
    return Words(variants, place) if variants else None
