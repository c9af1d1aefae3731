"""The words of a collection and how frequent they are; every view of an index is such a list."""

from typing import Protocol


class WordList(Protocol):
    """Words as written (place "exact") or as stems ("everywhere"), with numbers of documents."""

    def count(self) -> int:
        """Return the number of documents."""

    def frequency(self, term: str, place: str = "everywhere") -> int:
        """Return how many documents have a term in a place."""

    def terms(self, prefix: str, limit: int, place: str = "exact") -> list[tuple[str, int]]:
        """Return terms with this beginning and their numbers of documents, the largest first."""
