"""Where an index without texts of its own finds the texts of its documents."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class TextSource(Protocol):
    """The current texts of documents, kept elsewhere."""

    def read(self, url_ids: Sequence[bytes]) -> Mapping[bytes, str]:
        """Return the texts of documents; those that are gone are left out."""

    def close(self) -> None:
        """Close what is open; a later `read` opens it again."""
