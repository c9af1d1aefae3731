"""Which documents have a term, and where: the postings of one place, such as `title`."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from telusur.document_table import VALUE_FACETS
from telusur.index.fields import Fields

#: A document of a view: its number in the list of them.
Place = int


@dataclass
class Postings:
    """The terms of all documents in one place."""

    #: How many terms each document has.
    lengths: list[int] = field(default_factory=list)
    #: Where a term stands: by term, then by document.
    positions: dict[str, dict[Place, list[int]]] = field(default_factory=dict)

    @cached_property
    def average_length(self) -> float:
        """Return how many terms a document has on average."""
        return sum(self.lengths) / len(self.lengths)

    def frequency(self, term: str) -> int:
        """Return how many documents have a term."""
        return len(self.positions.get(term, ()))

    def terms_with(self, prefix: str, limit: int) -> list[tuple[str, int]]:
        """Return terms with this beginning and their numbers of documents, the largest first."""
        found = [
            (term, len(documents))
            for term, documents in self.positions.items()
            if term.startswith(prefix)
        ]
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]


def make_postings(documents: Sequence[Fields], place: str) -> Postings:
    """Return the postings of a place."""
    postings = Postings()
    for number, fields in enumerate(documents):
        terms = terms_of(fields, place).split()
        postings.lengths.append(len(terms))
        for position, term in enumerate(terms):
            postings.positions.setdefault(term, {}).setdefault(number, []).append(position)
    return postings


def terms_of(fields: Fields, place: str) -> str:
    """Return the terms of a document in a place, separated by spaces."""
    if place in VALUE_FACETS:
        row, _ = VALUE_FACETS[place]
        return dict(fields.facet_terms)[row.name]
    texts = {
        "everywhere": fields.everywhere,
        "exact": fields.exact,
        "title": fields.title_terms,
        "url": fields.url_terms,
    }
    return texts[place]


def value_of(fields: Fields, facet: str) -> str:
    """Return the value of a document that a facet counts; empty if it has none."""
    row, _ = VALUE_FACETS[facet]
    return fields.site if facet == "site" else dict(fields.facets)[row.name]
