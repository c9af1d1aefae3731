"""Index statistics of a word, or of the words of a document: TF by place, DF and IDF."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from telusur.index.contract import IndexItem, View
from telusur.index.places import places_of
from telusur.index.query import Query, Words
from telusur.index.weights import inverse_frequency
from telusur.language.analysis import terms
from telusur.models import Document, Explanation

FindDocument = Callable[[bytes], Document | None]
_FREQUENCY = "freq,"


@dataclass(slots=True, frozen=True)
class TermInDocument:
    """A term in one document: its frequency in each place, and their weighted sum."""

    term: str
    url: str
    places: dict[str, int]
    weighted: int
    documents: int
    idf: float


@dataclass(slots=True, frozen=True)
class WordStatistics:
    """A word as one term: its number of documents, and those where it counts most."""

    term: str
    languages: tuple[str, ...]
    documents: int
    of: int
    idf: float
    best: tuple[TermInDocument, ...] = field(default=())


def count_words(
    view: View, find_document: FindDocument, word: str, limit: int = 10
) -> list[WordStatistics]:
    """Return the statistics of each term that a word becomes in the languages of the collection."""
    by_term: dict[str, list[str]] = {}
    for language in view.languages():
        for term in terms(word, language, keep_stop_words=True):
            by_term.setdefault(term, []).append(language)
    return [
        WordStatistics(
            term=term,
            languages=tuple(languages),
            documents=(found := view.frequency(term)),
            of=view.count(),
            idf=inverse_frequency(found, view.count()),
            best=tuple(_best_documents(view, find_document, term, limit)),
        )
        for term, languages in by_term.items()
    ]


def count_terms(view: View, item: IndexItem, limit: int = 50) -> list[TermInDocument]:
    """Return the terms of a document, the most characteristic first."""
    by_term: dict[str, Counter[str]] = {}
    weights: Counter[str] = Counter()
    for place in places_of(item):
        for term in terms(place.text, item.document.language, keep_stop_words=True):
            by_term.setdefault(term, Counter())[place.name] += 1
            weights[term] += place.weight
    found = [
        _term_in(view, term, item.url, dict(places), weights[term])
        for term, places in by_term.items()
    ]
    found.sort(key=lambda each: (-each.weighted * each.idf, each.term))
    return found[:limit]


def _best_documents(
    view: View, find_document: FindDocument, term: str, limit: int
) -> list[TermInDocument]:
    query = Query(wanted=(Words(((term,),)),))
    candidates = view.rank(query, limit).candidates
    found = []
    for candidate, entry in zip(candidates, view.entries(candidates), strict=True):
        tree = view.explain(query, candidate)
        weighted = _frequency_in(tree) if tree is not None else 0
        document = find_document(entry.url_id) or Document(
            entry.url, entry.title, text=entry.text, language=entry.language
        )
        item = IndexItem(entry.url_id, entry.url, document)
        places = _places_with(item, term)
        known = sum(count * weight for count, weight in places.values())
        by_place = {name: count for name, (count, _) in places.items()}
        if weighted > known:  # link texts are in the index only, with their weight
            by_place["anchor"] = weighted - known
        found.append(_term_in(view, term, entry.url, by_place, weighted))
    return found


def _places_with(item: IndexItem, term: str) -> dict[str, tuple[int, int]]:
    found = {}
    for place in places_of(item):
        count = terms(place.text, item.document.language, keep_stop_words=True).count(term)
        if count:
            found[place.name] = (count, place.weight)
    return found


def _frequency_in(tree: Explanation) -> int:
    """Return the frequency in the score tree of one term."""
    if tree.description.startswith(_FREQUENCY):
        return round(tree.value)
    return max((_frequency_in(child) for child in tree.details), default=0)


def _term_in(
    view: View, term: str, url: str, places: dict[str, int], weighted: int
) -> TermInDocument:
    documents = view.frequency(term)
    idf = inverse_frequency(documents, view.count())
    return TermInDocument(term, url, places, weighted, documents, round(idf, 4))
